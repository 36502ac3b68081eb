import { isCode } from '#code/languages/index.ts';
import { isLockFile } from '#code/languages/lock-files.ts';
import { withoutComment } from './changed-text.ts';
import { type Family, familyOf, type NameKind } from './name-kinds.ts';

/** Occurrences of a name in a text: `{ kinds: ['defined', 'used'], line: 14 }`, with the line of the first one. */
export interface NamePlace {
  readonly kinds: readonly NameKind[];
  readonly line: number;
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
  const family = familyOf(path);
  const names = new Map<string, { kinds: NameKind[]; line: number }>();
  const above: [indent: number, key: string][] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.length > longestLine) continue;
    const parent = family.hasParents ? parentOf(above, line) : '';
    const key = `${parent}\0${line}`;
    const found = linesRead.get(key) ?? [
      ...namesInLine({ line: withoutComment(line), parent, family, identifiersCount }),
    ];
    linesRead.set(key, found);
    for (const { name, kind } of found) {
      const known = names.get(name);
      if (known) known.kinds.push(kind);
      else names.set(name, { kinds: [kind], line: index + 1 });
    }
  }
  return names;
}

/** The key that a line is below: `services` for `  db:`. Keeps the keys above the next line. */
function parentOf(above: [indent: number, key: string][], line: string): string {
  const indent = line.search(/\S/);
  if (indent < 0) return '';
  while ((above.at(-1)?.[0] ?? -1) >= indent) above.pop();
  const parent = above.at(-1)?.[1] ?? '';
  const [, key] = /^["']?(\w[\w.-]*)["']?\s*:/.exec(line.replace(/^\s*(?:-\s+)?/, '')) ?? [];
  if (key) above.push([indent, key]);
  return parent;
}

const word = /[A-Za-z_][\w@./:-]*\w/g;

interface NameInLine {
  readonly name: string;
  readonly kind: NameKind;
}

/** Two versions of a file share most of their lines: each line is read once. */
export type LinesRead = Map<string, readonly NameInLine[]>;

interface LineToRead {
  readonly line: string;
  readonly parent: string;
  readonly family: Family;
  readonly identifiersCount: boolean;
}

function* namesInLine({ line, parent, family, identifiersCount }: LineToRead): Iterable<NameInLine> {
  for (const match of line.matchAll(word)) {
    const [whole] = match;
    const [before, after] = [line.slice(0, match.index), line.slice(match.index + whole.length)];
    const isQuoted = /["'`]$/.test(before) && before.at(-1) === after[0];
    if (isQuoted && asksWhetherItIsThere(line, match.index, whole.length)) continue;
    const named = [...namesIn({ whole, isQuoted, identifiersCount, isImage: image.test(line) })];
    if (named.length === 0) continue;
    const [start, end] = [before.replace(/\s+/g, ' '), after.replace(/\s+/g, ' ').trimEnd()];
    const isDotted = !isQuoted && /^[\w.]*\.\w+$/.test(whole);
    for (const name of named) {
      const lead = isDotted ? whole.slice(0, whole.length - name.length) : '';
      const kind = family.kindOf({ name, before: `${start}${lead}`, after: end, isQuoted, parent });
      yield { name, kind };
    }
  }
}

interface Word {
  readonly whole: string;
  readonly isQuoted: boolean;
  readonly identifiersCount: boolean;
  readonly isImage: boolean;
}

function* namesIn({ whole, isQuoted, identifiersCount, isImage }: Word): Iterable<string> {
  const isPlain = (name: string) =>
    isDistinctiveAnywhere(name) || (identifiersCount && isDistinctiveIdentifier(name));
  if (mediaType.test(whole) && !path.test(whole)) return;
  const isAddress = whole.includes('://');
  const isText = isQuoted && !isAddress && isDistinctiveText(whole);
  if (isText || isPlain(whole)) yield whole;
  else if (!/[./:]/.test(whole)) return;
  if (!isText && identifiersCount && joined.test(whole) && whole.length >= 6 && !isImage) yield whole;
  const [module = ''] = (identifiersCount && /^[A-Z]\w*(?:\.[A-Z]\w*)+/.exec(whole)) || [];
  if (module.length >= 6) yield module;
  if (!/[./:]/.test(whole) || path.test(whole)) return;
  // process.env.API_TOKEN, config/user-card.yml, 'cart.emptyTitle', postgres://order-db:5432
  for (const part of whole.split(/[./:@]+/))
    if (isPlain(part) || (isText && isDistinctiveIdentifier(part))) yield part;
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
/** `user-card`, `user-card__title--large`. */
const dashed = /^[a-z][a-z0-9]*((?:--?|__)[a-z0-9]+)+$/;
const path = /^[\w@.-]+(\/[\w@.-]+)+\.\w{1,5}$/;

/** `application/x-ndjson`: a standard names it, not the project. */
const mediaType = /^(?:application|audio|font|image|message|multipart|text|video)\/[\w.+-]+$/;

/** `build:client`, `orders:refund`, `order.created`, where such names need no quotes. */
const joined = /^[a-z][\w-]*([:.])[a-z][\w-]*(?:\1[a-z][\w-]*)*$/;
/** `redis:alpine`: a name from outside the project. */
const image = /^\s*(?:-\s+)?["']?image["']?\s*:|^\s*FROM\s/;

function isDistinctiveAnywhere(name: string): boolean {
  return name.length >= 6 && (constant.test(name) || dashed.test(name) || path.test(name));
}

/** A whole string: `'order.created'`, `'send_welcome_mail'`. A plain word is not distinctive. */
function isDistinctiveText(name: string): boolean {
  return name.length >= 6 && /[a-z0-9][._:/-][A-Za-z0-9]|[a-z][A-Z]/.test(name);
}

export function isDistinctiveIdentifier(name: string): boolean {
  return name.length >= 6 && /^[A-Za-z_]\w*$/.test(name) && /[a-z0-9]_[a-z0-9]|[a-z][A-Z]/.test(name);
}
