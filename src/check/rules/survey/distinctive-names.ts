import { isCode } from '#code/languages/index.ts';
import { isLockFile } from '#code/languages/lock-files.ts';

/** Where a text has a name: `{ line: 14, isDefined: false }`, with the line of its first occurrence. */
export interface NamePlace {
  readonly line: number;
  /** At least one of them looks like a definition: `API_URL=`, `const apiUrl =`, `api_url:`. */
  readonly isDefined: boolean;
}

/** Texts for people, and generated files: names in them are mentions, not uses. */
const prose =
  /\.(md|mdx|rst|txt|adoc|po|pot|svg|map|snap|csv|tsv|patch|diff)$|\.min\.(js|css)$|(^|\/)(license|changelog|changes|authors|notice|contributors)[^/]*$/i;

/** Longer lines are data or generated. */
const longestLine = 400;

export function hasNames(path: string): boolean {
  return !prose.test(path) && !isLockFile(path);
}

/**
 * Names of a text that mean the same wherever they occur: `API_TOKEN`, `user-card`, `'cart.empty'`, `src/jobs/mail.rb`. In code that is linked,
 * identifiers are left to the rules about symbols: a local variable may have any name.
 */
export class DistinctiveNames {
  readonly #identifiersCount: boolean;
  readonly #text: string;
  readonly #lines: readonly string[];

  constructor(path: string, text: string) {
    this.#identifiersCount = !isCode(path);
    this.#text = text;
    this.#lines = text.split('\n');
  }

  /** How often each line occurs. */
  countLines(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const line of this.#lines) counts.set(line, (counts.get(line) ?? 0) + 1);
    return counts;
  }

  /** The names in one of its lines. */
  *inLine(line: string): Iterable<string> {
    if (line.length > longestLine) return;
    for (const { name } of namesInLine(line, this.#identifiersCount)) yield name;
  }

  /** The places of these names, those that come first in the text first; names that it does not have are left out. */
  places(names: ReadonlySet<string>): Map<string, NamePlace> {
    const places = new Map<string, NamePlace>();
    for (const index of this.#linesWith(names)) {
      const line = this.#lines[index] ?? '';
      if (line.length > longestLine) continue;
      for (const { name, isDefined } of namesInLine(line, this.#identifiersCount)) {
        if (!names.has(name)) continue;
        const known = places.get(name);
        places.set(name, {
          line: known?.line ?? index + 1,
          isDefined: isDefined || (known?.isDefined ?? false),
        });
      }
    }
    return places;
  }

  /** Ascending indexes of all lines that can have one of these names. */
  #linesWith(names: ReadonlySet<string>): Iterable<number> {
    if (names.size === 0) return [];
    if (names.size > fewNames) return this.#lines.keys();
    const ends: number[] = [];
    let end = -1;
    for (const { length } of this.#lines) {
      end += length + 1;
      ends.push(end);
    }
    const found = new Set<number>();
    for (const name of names)
      for (let at = this.#text.indexOf(name); at >= 0; ) {
        const index = firstNotBelow(ends, at);
        found.add(index);
        at = this.#text.indexOf(name, (ends[index] ?? at) + 1);
      }
    return [...found].sort((a, b) => a - b);
  }
}

/** Searching a text for more names takes longer than reading all its lines. */
const fewNames = 40;

/** The index of the first of these ascending numbers that is at least as large. */
function firstNotBelow(numbers: readonly number[], least: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] as number) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

const word = /[A-Za-z_][\w@./:-]*\w/g;

interface NameInLine {
  readonly name: string;
  readonly isDefined: boolean;
}

function* namesInLine(line: string, identifiersCount: boolean): Iterable<NameInLine> {
  for (const match of line.matchAll(word)) {
    const [whole] = match;
    const [before, after] = [line[match.index - 1] ?? '', line[match.index + whole.length] ?? ''];
    const isQuoted = /["'`]/.test(before) && before === after;
    if (isQuoted && asksWhetherItIsThere(line, match.index, whole.length)) continue;
    const isDefined = definesName(line, match.index, whole);
    if (isQuoted && isDistinctiveText(whole)) yield { name: whole, isDefined };
    else if (isDistinctiveAnywhere(whole) || (identifiersCount && isDistinctiveIdentifier(whole)))
      yield { name: whole, isDefined };
    else if (/[./:]/.test(whole)) {
      if (identifiersCount && joined.test(whole) && whole.length >= 6 && !image.test(line))
        yield { name: whole, isDefined };
      // process.env.API_TOKEN, config/user-card.yml
      for (const part of whole.split(/[./:]+/))
        if (isDistinctiveAnywhere(part) || (identifiersCount && isDistinctiveIdentifier(part)))
          yield { name: part, isDefined };
    }
  }
}

/**
 * `hasattr(jobs, 'send_invoice')`, `getattr(jobs, 'send_invoice', None)`, `'sendInvoice' in jobs`: the code also works without the name.
 */
function asksWhetherItIsThere(line: string, at: number, length: number): boolean {
  const before = line.slice(0, at - 1).trimEnd();
  const called = before.endsWith(',') ? before.slice(0, before.lastIndexOf('(')) : '';
  const after = line.slice(at + length + 1, at + length + 12).trimStart();
  return (
    called.endsWith('hasattr') ||
    (called.endsWith('getattr') && after.startsWith(',')) ||
    after.startsWith('in ')
  );
}

const constant = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/;
const dashed = /^[a-z][a-z0-9]*(-[a-z0-9]+)+$/;
const path = /^[\w@.-]+(\/[\w@.-]+)+\.\w{1,5}$/;

/** `build:client`, `orders:refund`, `order.created`, where such names need no quotes. */
const joined = /^[a-z][\w-]*([:.])[a-z][\w-]*(?:\1[a-z][\w-]*)*$/;
/** `redis:alpine`: a name from outside the project. */
const image = /^\s*(?:-\s+)?["']?image["']?\s*:|^\s*FROM\s/;

function isDistinctiveAnywhere(name: string): boolean {
  return name.length >= 6 && (constant.test(name) || dashed.test(name) || path.test(name));
}

/** A whole string: `'order.created'`, `'send_welcome_mail'`. A plain word is not distinctive. */
function isDistinctiveText(name: string): boolean {
  return name.length >= 6 && /[a-z0-9][._:/-][A-Za-z0-9]|[a-z][A-Z]/.test(name) && !/^https?:/.test(name);
}

export function isDistinctiveIdentifier(name: string): boolean {
  return name.length >= 6 && /^[A-Za-z_]\w*$/.test(name) && /[a-z0-9]_[a-z0-9]|[a-z][A-Z]/.test(name);
}

const definers =
  /(?:^|\s)(?:const|let|var|val|def|func|fn|function|class|type|interface|enum|struct|module|local|export|set|resource|variable)\s+(?:"[^"]*"\s+)?"?$/;

/** `NAME = …`, `NAME: …`, `name := …`, `def name`: the text defines the name itself. */
function definesName(line: string, at: number, name: string): boolean {
  const after = line.slice(at + name.length, at + name.length + 12);
  if (
    /^["'`]?\s*(:=|=(?![=>])|:(?=\s|$)|\()/.test(after) &&
    /^[\s"'`\-*.$]*(export\s+|ENV\s+)?["'`.#]?$/.test(line.slice(0, at))
  )
    return true;
  // .user-card { … }
  if (/^\s*[{,]/.test(after) && /^\s*[.#]$/.test(line.slice(0, at))) return true;
  return definers.test(line.slice(Math.max(0, at - 60), at));
}
