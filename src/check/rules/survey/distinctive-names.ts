import { isCode } from '#code/languages/index.ts';
import { isLockFile } from '#code/languages/lock-files.ts';

/** Occurrences of a name in a text: `{ count: 2, line: 14 }`, with the line of the first one. */
export interface NamePlace {
  readonly count: number;
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
 * Names that mean the same wherever they occur: `API_TOKEN`, `user-card`, `'cart.empty'`, `src/jobs/mail.rb`. In code that is linked,
 * identifiers are left to the rules about symbols: a local variable may have any name.
 */
export function distinctiveNames(
  path: string,
  text: string,
  linesRead: LinesRead = new Map(),
): Map<string, NamePlace> {
  const identifiersCount = !isCode(path);
  const names = new Map<string, NamePlace>();
  for (const [index, line] of text.split('\n').entries()) {
    if (line.length > longestLine) continue;
    const found = linesRead.get(line) ?? [...namesInLine(line, identifiersCount)];
    linesRead.set(line, found);
    for (const { name, isDefined } of found) {
      const known = names.get(name);
      names.set(name, {
        count: (known?.count ?? 0) + 1,
        line: known?.line ?? index + 1,
        isDefined: isDefined || (known?.isDefined ?? false),
      });
    }
  }
  return names;
}

const word = /[A-Za-z_][\w@./:-]*\w/g;

interface NameInLine {
  readonly name: string;
  readonly isDefined: boolean;
}

/** Two versions of a file share most of their lines: each line is read once. */
export type LinesRead = Map<string, readonly NameInLine[]>;

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
