import { existsSync, readFileSync, rmSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import {
  applyEdits,
  type ModificationOptions,
  modify,
  type ParseError,
  parse as parseJson,
} from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { z } from 'zod';
import { at } from '#lib/json-value.ts';
import { replaceFile } from '#lib/replace-file.ts';
import { ConfigError } from '#schema/errors.ts';

/** Where Joinery's entry is in a settings file of another program. */
interface SettingsPlace {
  readonly file: string;
  readonly format: 'json' | 'toml';
  /** ['mcpServers', 'joinery'] */
  readonly path: readonly string[];
}

/** A value of Joinery at that place. */
interface SettingsValue extends SettingsPlace {
  readonly value: Readonly<Record<string, unknown>>;
}

/** Joinery's elements in lists below that place, beside the elements of others. */
interface SettingsElements extends SettingsPlace {
  readonly format: 'json';
  /** By the name of the list: { SessionStart: { hooks: […] } } */
  readonly elements: Readonly<Record<string, unknown>>;
  readonly isOurs: (element: unknown) => boolean;
}

export type SettingsEntry = SettingsValue | SettingsElements;

/** A planned change of a file. */
export interface SettingsChange {
  readonly file: string;
  /** Null: the file does not exist. */
  readonly before: string | null;
  /** Null: the file is removed. */
  readonly after: string | null;
}

const Noted = z.object({
  file: z.string(),
  path: z.string(),
  /** The text before, and the text now. */
  replaced: z.string(),
  inserted: z.string(),
  created: z.boolean(),
});
/** Records what was inserted where, so that a later version removes exactly what an earlier one inserted. */
const Ledger = z.object({ v: z.literal(1), entries: z.array(Noted) });

/** The change that inserts or updates an entry. The rest of the file stays identical, byte for byte. */
export function planInsert(entry: SettingsEntry): SettingsChange {
  const before = readText(entry.file);
  const after =
    'elements' in entry
      ? insertElements(entry, before)
      : entry.format === 'json'
        ? insertJson(entry, before)
        : insertToml(entry, before);
  return { file: entry.file, before, after };
}

/** The change that removes the entry: exactly what was added, unless it was edited since. */
export function planRemove(entry: SettingsEntry, ledgerFile: string): SettingsChange {
  const before = readText(entry.file);
  const change = (after: string | null): SettingsChange => ({ file: entry.file, before, after });
  if (before === null) return change(null);
  const known = readLedger(ledgerFile).find((each) => isSame(each, entry));
  if (known?.created && before === known.inserted) return change(null);
  const at = known ? before.indexOf(known.inserted) : -1;
  if (known && !known.created && at >= 0 && before.indexOf(known.inserted, at + 1) < 0)
    return change(before.slice(0, at) + known.replaced + before.slice(at + known.inserted.length));
  if ('elements' in entry) return change(removeElements(entry, before));
  return change(entry.format === 'json' ? removeJson(entry, before) : removeToml(entry, before));
}

/** Applies a change and records what it inserted. Atomic: a file is replaced, never overwritten in place. */
export function applyInsert(entry: SettingsEntry, change: SettingsChange, ledgerFile: string): void {
  if (change.after === null || change.after === change.before) return;
  replaceFile(change.file, change.after);
  const others = readLedger(ledgerFile).filter((each) => !isSame(each, entry));
  const own = {
    file: entry.file,
    path: entry.path.join('.'),
    ...changedText(change.before ?? '', change.after),
    created: change.before === null,
  };
  replaceFile(ledgerFile, `${JSON.stringify({ v: 1, entries: [...others, own] }, null, 2)}\n`);
}

export function applyRemove(entry: SettingsPlace, change: SettingsChange, ledgerFile: string): void {
  if (change.after === null) rmSync(change.file, { force: true });
  else if (change.after !== change.before) replaceFile(change.file, change.after);
  const others = readLedger(ledgerFile).filter((each) => !isSame(each, entry));
  if (others.length > 0) replaceFile(ledgerFile, `${JSON.stringify({ v: 1, entries: others }, null, 2)}\n`);
  else rmSync(ledgerFile, { force: true });
}

function isSame(known: z.infer<typeof Noted>, { file, path }: SettingsPlace): boolean {
  return known.file === file && known.path === path.join('.');
}

function insertJson({ file, path, value }: SettingsValue, before: string | null): string {
  const text = orEmpty(before);
  demandJson(file, text);
  const after = applyEdits(text, modify(text, [...path], value, formattingOf(text)));
  return before === null ? `${after}\n` : after;
}

function orEmpty(before: string | null): string {
  return before === null || before.trim() === '' ? '{}' : before;
}

/** The formatting of the rest of the file. */
function formattingOf(text: string): ModificationOptions {
  return {
    formattingOptions: {
      insertSpaces: !/^\t/m.test(text),
      tabSize: /^ {4}\S/m.test(text) && !/^ {2}\S/m.test(text) ? 4 : 2,
      eol: text.includes('\r\n') ? '\r\n' : '\n',
    },
  };
}

function insertElements(entry: SettingsElements, before: string | null): string {
  const { file, path, elements } = entry;
  demandJson(file, orEmpty(before));
  if (before !== null && hasElements(entry, before)) return before;
  let text = before === null ? '{}' : removeElements(entry, orEmpty(before));
  for (const [list, value] of Object.entries(elements)) text = insertElement(text, [...path, list], value);
  return before === null ? `${text}\n` : text;
}

/** Inserts text without the library's formatter, which would reformat neighbouring lines. */
function insertElement(text: string, path: readonly string[], value: unknown): string {
  const { formattingOptions = {} } = formattingOf(text);
  const indent = formattingOptions.insertSpaces ? ' '.repeat(formattingOptions.tabSize ?? 2) : '\t';
  const root: unknown = parseJson(text, [], { allowTrailingComma: true });
  const depth = path.findIndex((_, index) => at(root, ...path.slice(0, index + 1)) === undefined);
  const place = depth < 0 ? path.length : depth;
  const [edit] = modify(text, [...path, -1], value, { isArrayInsertion: true });
  if (!edit) return text;
  const isBesideOthers = edit.content.startsWith(',');
  const added = isBesideOthers ? edit.content.slice(1) : edit.content;
  const isProperty = place < path.length;
  const whole: unknown = JSON.parse(isProperty ? `{${added}}` : `[${added}]`);
  const lines = JSON.stringify(whole, null, indent).split('\n').slice(1, -1);
  const eol = formattingOptions.eol ?? '\n';
  const pretty = lines.map((line) => `${eol}${indent.repeat(place)}${line}`).join('');
  const content = isBesideOthers ? `,${pretty}` : `${pretty}${eol}${indent.repeat(place)}`;
  return applyEdits(text, [{ ...edit, content }]);
}

function hasElements({ path, elements, isOurs }: SettingsElements, text: string): boolean {
  const lists = listsAt(text, path);
  const ours = Object.entries(lists).flatMap(([list, all]) =>
    all.filter(isOurs).map((each) => [list, each] as const),
  );
  return isDeepStrictEqual(
    ours.sort(([a], [b]) => (a < b ? -1 : 1)),
    Object.entries(elements).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** Removes Joinery's elements, and lists that become empty. */
function removeElements({ file, path, isOurs }: SettingsElements, before: string): string {
  demandJson(file, before);
  const lists = listsAt(before, path);
  let text = before;
  const drop = (place: (string | number)[]) => {
    text = applyEdits(text, modify(text, place, undefined, {}));
  };
  for (const [list, all] of Object.entries(lists)) {
    const places = all.flatMap((element, index) => (isOurs(element) ? [index] : []));
    if (places.length === 0) continue;
    if (places.length === all.length) drop([...path, list]);
    else for (const index of places.toReversed()) drop([...path, list, index]);
  }
  const rest = at(parseJson(text, [], { allowTrailingComma: true }), ...path);
  if (text !== before && isDeepStrictEqual(rest, {})) drop([...path]);
  return text;
}

function listsAt(text: string, path: readonly string[]): Record<string, unknown[]> {
  const found = at(parseJson(text, [], { allowTrailingComma: true }), ...path) ?? {};
  return Object.fromEntries(
    Object.entries(found).filter((pair): pair is [string, unknown[]] => Array.isArray(pair[1])),
  );
}

function removeJson({ file, path }: SettingsPlace, before: string): string {
  demandJson(file, before);
  if (at(parseJson(before, [], { allowTrailingComma: true }), ...path) === undefined) return before;
  return applyEdits(before, modify(before, [...path], undefined, {}));
}

function demandJson(file: string, text: string): void {
  const errors: ParseError[] = [];
  const value = parseJson(text, errors, { allowTrailingComma: true });
  if (errors.length > 0 || typeof value !== 'object' || value === null || Array.isArray(value))
    throw unusable(file, 'is not a JSON object');
}

/** Appends a block: a TOML table may be anywhere, so nothing above it changes. */
function insertToml({ file, path, value }: SettingsValue, before: string | null): string {
  const rest = before === null ? '' : removeToml({ file, format: 'toml', path }, before);
  demandToml(file, rest);
  const gap = rest === '' ? '' : rest.endsWith('\n') ? '\n' : '\n\n';
  const lines = Object.entries(value).map(([key, inner]) => `${key} = ${tomlValue(inner)}`);
  const after = `${rest}${gap}[${path.join('.')}]\n${lines.join('\n')}\n`;
  demandToml(file, after);
  return after;
}

function removeToml({ file, path }: SettingsPlace, before: string): string {
  demandToml(file, before);
  const header = `[${path.join('.')}]`;
  const lines = before.split('\n');
  const start = lines.findIndex((line) => line.trim() === header);
  if (start < 0) return before;
  const next = lines.findIndex((line, at) => at > start && line.trimStart().startsWith('['));
  const end = next < 0 ? lines.length : next;
  const kept = [...lines.slice(0, start), ...lines.slice(end)].join('\n');
  return next < 0 ? kept.replace(/(?<!\n)\n+$/, '\n') : kept;
}

function demandToml(file: string, text: string): void {
  try {
    parseToml(text);
  } catch (cause) {
    throw unusable(file, `is not TOML: ${(cause as Error).message.split('\n')[0]}`);
  }
}

function tomlValue(value: unknown): string {
  return Array.isArray(value) ? `[${value.map(tomlValue).join(', ')}]` : JSON.stringify(value);
}

function unusable(file: string, what: string): ConfigError {
  return new ConfigError({
    code: 'bad-settings',
    message: `${file} ${what}`,
    hint: 'put it right, then try again; nothing was changed',
  });
}

/** The part in which two texts differ, before and after. */
function changedText(before: string, after: string): { replaced: string; inserted: string } {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return {
    replaced: before.slice(start, before.length - end),
    inserted: after.slice(start, after.length - end),
  };
}

function readText(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

function readLedger(file: string): z.infer<typeof Noted>[] {
  try {
    return Ledger.parse(JSON.parse(readFileSync(file, 'utf8'))).entries;
  } catch {
    return [];
  }
}
