import { languageOf } from '#code/languages/index.ts';
import { changedLines } from '#lib/changed-lines.ts';

/** A change of a data file's entry that is missing in the result. */
export interface EntryLoss {
  readonly what: 'added' | 'changed' | 'removed';
  /** `scripts.test`, `jobs.build.steps[]`. */
  readonly name: string;
  readonly line: number | null;
  readonly detail: string;
}

interface Entries {
  /** Value by path, for paths of keys only: `scripts.test` → `"vitest"`. */
  readonly keyed: ReadonlyMap<string, string>;
  /** How often each element occurs in lists: `steps[].run = "npm test"` → 2. Positions in a list do not count. */
  readonly listed: ReadonlyMap<string, number>;
}

interface Texts {
  readonly base: string | null;
  readonly own: string;
  readonly result: string;
}

/** Call once before `dataLosses`: readers of data are loaded on demand. */
export async function prepareData(paths: Iterable<string>): Promise<void> {
  await Promise.all(
    [...new Set([...paths].map(languageOf))].map((language) => language?.values && language.prepare()),
  );
}

/** Lost entries of a data file; null when it is not one, or a text cannot be read. */
export function dataLosses(path: string, { base, own, result }: Texts): EntryLoss[] | null {
  const [before, mine, now] = [base, own, result].map((text) => entriesOf(path, text));
  if (!before || !mine || !now) return null;
  const { added } = changedLines(base ?? '', own);
  const lineOf = (name: string, value: string): number | null => {
    const key = /(?<![^.[\]])(?<!\[\](?=\[))([^.[\]]*)(?:\[\])*$/.exec(name)?.[1] ?? '';
    const bare = value.replace(/^"|"$/g, '');
    const line = (wanted: string) => added.find(({ text }) => wanted !== '' && text.includes(wanted))?.line;
    return line(key) ?? line(bare) ?? null;
  };
  return [...keyedLosses(before, mine, now, lineOf), ...listedLosses(before, mine, now, lineOf)];
}

type LineOf = (name: string, value: string) => number | null;

function* keyedLosses(before: Entries, mine: Entries, now: Entries, lineOf: LineOf): Iterable<EntryLoss> {
  for (const [name, value] of mine.keyed) {
    const old = before.keyed.get(name);
    const found = now.keyed.get(name);
    if (value === old || value === found) continue;
    const detail =
      found === undefined
        ? `${name} is not in the result`
        : found === old
          ? `${name} is as it was before the branch changed it`
          : `${name} is ${cut(found)} in the result, the branch says ${cut(value)}`;
    yield { what: old === undefined ? 'added' : 'changed', name, line: lineOf(name, value), detail };
  }
  for (const [name, old] of before.keyed) {
    if (!mine.keyed.has(name) && now.keyed.get(name) === old && !isReplaced(name, mine))
      yield { what: 'removed', name, line: null, detail: `${name} is still there` };
  }
}

/** A value that became an object or a list has new paths, which are compared separately. */
function isReplaced(name: string, { keyed, listed }: Entries): boolean {
  return [...keyed.keys(), ...listed.keys()].some(
    (path) => /^[.[]/.test(path.slice(name.length)) && path.startsWith(name),
  );
}

function* listedLosses(before: Entries, mine: Entries, now: Entries, lineOf: LineOf): Iterable<EntryLoss> {
  for (const [entry, count] of mine.listed) {
    const old = before.listed.get(entry) ?? 0;
    if (count <= old || (now.listed.get(entry) ?? 0) > old) continue;
    const [name = '', value = ''] = split(entry);
    yield { what: 'added', name, line: lineOf(name, value), detail: `${name} lacks ${cut(value)}` };
  }
  for (const [entry, old] of before.listed) {
    if ((mine.listed.get(entry) ?? 0) >= old || (now.listed.get(entry) ?? 0) < old) continue;
    const [name = '', value = ''] = split(entry);
    yield { what: 'removed', name, line: null, detail: `${name} still has ${cut(value)}` };
  }
}

/** A larger file is data, not settings: it is compared by lines. */
const maxLength = 2 * 1024 * 1024;

const is = ' = ';

function split(entry: string): [string, string] {
  const at = entry.indexOf(is);
  return [entry.slice(0, at), entry.slice(at + is.length)];
}

function cut(value: string): string {
  return value.length > 80 ? `${value.slice(0, 79)}…` : value;
}

function entriesOf(path: string, text: string | null): Entries | null {
  const read = languageOf(path)?.values;
  if (!read || (text?.length ?? 0) > maxLength) return null;
  const documents = text === null ? [] : read(text);
  if (documents === null) return null;
  const keyed = new Map<string, string>();
  const listed = new Map<string, number>();
  const visit = (value: unknown, name: string, isListed: boolean): void => {
    if (Array.isArray(value) && value.length > 0) for (const each of value) visit(each, `${name}[]`, true);
    else if (isObject(value) && Object.keys(value).length > 0) {
      for (const [key, each] of Object.entries(value))
        visit(each, name === '' ? key : `${name}.${key}`, isListed);
    } else {
      const text = JSON.stringify(value) ?? String(value);
      const entry = `${name}${is}${text}`;
      if (isListed) listed.set(entry, (listed.get(entry) ?? 0) + 1);
      else keyed.set(name, text);
    }
  };
  // Several documents in one file count as a list.
  for (const document of documents) visit(document, documents.length > 1 ? '[]' : '', documents.length > 1);
  return { keyed, listed };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !(value instanceof Date);
}
