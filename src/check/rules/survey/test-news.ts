import type { Import } from '#code/facts/facts.ts';
import { escapePattern } from '#lib/escape-pattern.ts';
import { readTests } from '#tests/code/read-tests.ts';
import type { TestCase } from '#tests/code/test-case.ts';
import { isTestFile } from '#tests/code/test-path.ts';
import type { ChangedText } from './changed-text.ts';
import { LastVersions } from './last-versions.ts';

/** What happens to the tests of one file. */
export interface TestNews {
  readonly added: readonly { readonly id: string; readonly line: number }[];
  /** Removed or disabled tests, with the imported names that each of them uses. */
  readonly gone: readonly {
    readonly id: string;
    readonly line: number;
    readonly uses: readonly ImportedName[];
  }[];
  /** Fixtures that every test below the folder gets. */
  readonly fixtures: readonly { readonly name: string; readonly line: number }[];
}

interface ImportedName {
  readonly name: string;
  readonly from: string;
}

const beside = new LastVersions<Map<string, TestCase>>();

export function readTestNews(file: ChangedText): TestNews | undefined {
  const { path, oldPath, before, after } = file;
  const fixtures = /(^|\/)conftest\.py$/.test(path) ? newFixtures(before, after) : [];
  if (!isTestFile(path) && fixtures.length === 0) return undefined;
  const old = casesOf(oldPath, before);
  const now = beside.read(path, after, () => casesOf(path, after));
  const added = [...now].filter(([id]) => !old.has(id)).map(([id, { line }]) => ({ id, line }));
  const gone = [...old].flatMap(([id, test]) => {
    if (test.runs !== 'always' || (now.has(id) && now.get(id)?.runs !== 'never')) return [];
    return [{ id, line: test.line, uses: usesOf(test, file.factsBefore?.imports ?? []) }];
  });
  return added.length + gone.length + fixtures.length === 0 ? undefined : { added, gone, fixtures };
}

function casesOf(path: string, text: string): Map<string, TestCase> {
  if (text === '') return new Map();
  if (path.endsWith('.go')) return goTests(text);
  const { cases = [] } = readTests(path, text) ?? {};
  return new Map(cases.filter(({ id }) => id !== '').map((test) => [test.id, test]));
}

/** Functions of one package, in any number of files. */
function goTests(text: string): Map<string, TestCase> {
  const found = new Map<string, TestCase>();
  for (const [index, row] of text.split('\n').entries()) {
    const [, id] = /^func (Test\w+)\(/.exec(row) ?? [];
    if (id)
      found.set(id, {
        id,
        line: index + 1,
        runs: 'always',
        skippedBy: '',
        focused: false,
        source: row,
        assertions: [],
        rows: null,
        timeoutMs: null,
        retries: 0,
      });
  }
  return found;
}

function usesOf({ source }: TestCase, imports: readonly Import[]): ImportedName[] {
  return imports.flatMap(({ local, imported, from }) => {
    if (local === null || !new RegExp(`\\b${escapePattern(local)}\\b`).test(source)) return [];
    if (imported !== '*') return [{ name: imported === 'default' ? local : imported, from }];
    const members = source.matchAll(new RegExp(`\\b${escapePattern(local)}\\.(\\w+)`, 'g'));
    return [...members].map(([, name = '']) => ({ name, from }));
  });
}

function newFixtures(before: string, after: string): { name: string; line: number }[] {
  const old = new Set(fixturesIn(before).map(({ name }) => name));
  return fixturesIn(after).filter(({ name }) => !old.has(name));
}

function fixturesIn(text: string): { name: string; line: number }[] {
  const rows = text.split('\n');
  return rows.flatMap((row, index) => {
    const [, name] = /^(?:async\s+)?def (\w+)\(/.exec(row) ?? [];
    return name && /^@(?:pytest\.)?fixture\b/.test(rows[index - 1] ?? '') ? [{ name, line: index + 1 }] : [];
  });
}
