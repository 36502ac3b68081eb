import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkIn } from '#test/support/check-in.ts';
import { type Files, GitRepository } from '#test/support/git-repository.ts';
import { sample } from '#test/support/sampling.ts';
import { conflictsIn, readConflicts } from './conflict-text.ts';

const lines = (count: number, changed: Readonly<Record<number, string | null>> = {}) =>
  Array.from({ length: count }, (_, at) => changed[at + 1] ?? (at + 1 in changed ? null : `line ${at + 1}`))
    .filter((line) => line !== null)
    .map((line) => `${line}\n`)
    .join('');

async function sitesOf(base: Files, a: Files, b: Files, rule = 'T01'): Promise<string[]> {
  const repository = new GitRepository();
  repository.commit(base);
  repository.branch('a', a);
  repository.branch('b', b);
  const { findings } = await checkIn(repository, 'main', 'a', 'b');
  return findings
    .filter((finding) => finding.rule === rule)
    .flatMap(({ sites }) =>
      sites.map(({ branch, file, line, endLine }) => `${branch} ${file}:${line}-${endLine}`),
    );
}

test('T01 names the conflicting lines of each side', async () => {
  const a = lines(30, { 1: 'one\nmore\nmore', 10: 'of a\nof a', 25: 'of a' });
  const b = lines(30, { 4: 'four\nmore', 10: 'of b', 25: null });
  expect(await sitesOf({ 'a.txt': lines(30) }, { 'a.txt': a }, { 'a.txt': b })).toEqual(
    ['a a.txt:12-13', 'a a.txt:28-28', 'b a.txt:11-11', 'b a.txt:26-26'].sort(
      (x, y) => Number(/:(\d+)/.exec(x)?.[1]) - Number(/:(\d+)/.exec(y)?.[1]),
    ),
  );
});

test('T01 names the changes of one side in a file that the other deletes', async () => {
  const changed = { 'a.txt': lines(9, { 6: 'changed' }) };
  expect(await sitesOf({ 'a.txt': lines(9), 'b.txt': 'b\n' }, changed, { 'a.txt': null })).toEqual([
    'a a.txt:6-6',
  ]);
});

test('T01 follows a file that one side has renamed', async () => {
  const moved = { 'a.txt': null, 'b.txt': lines(20, { 5: 'of b' }) };
  expect(await sitesOf({ 'a.txt': lines(20) }, { 'a.txt': lines(20, { 5: 'of a' }) }, moved)).toEqual([
    'a a.txt:5-5',
    'b b.txt:5-5',
  ]);
});

test('T01 with main names the lines of main too', async () => {
  const repository = new GitRepository();
  repository.commit({ 'a.txt': lines(20) });
  repository.branch('a', { 'a.txt': lines(20, { 1: 'top\ntop', 15: 'of a' }) });
  repository.commit({ 'a.txt': lines(20, { 15: 'of main' }) });
  const { findings } = await checkIn(repository, 'main', 'a');
  expect(findings[0]?.sites.map(({ branch, line }) => `${branch} ${line}`)).toEqual(['main 15', 'a 16']);
});

test('S18 names the star of each side, in its own branch', async () => {
  const index = (top: string, end: string) =>
    `export * from './dates';\n${top}export const one = 1;\n\nexport const two = 2;\n\nexport const three = 3;\n\nexport * from './numbers';\n${end}`;
  const base = {
    'src/index.ts': index('', ''),
    'src/format.ts': 'export const pad = 1;\n',
    'src/string.ts': 'export const pad = 2;\n',
    'src/dates.ts': 'export const today = 0;\n',
    'src/numbers.ts': 'export const zero = 0;\n',
  };
  const a = { 'src/index.ts': index("export * from './format';\n", '') };
  const b = { 'src/index.ts': index('', "export * from './string';\n") };
  expect(await sitesOf(base, a, b, 'S18')).toEqual(['a src/index.ts:2-2', 'b src/index.ts:9-9']);
});

test('lines that only look like conflict markers are ignored', () => {
  const text = '<<<<<<< ours\n=======\n>>>>>>> theirs\n';
  expect(readConflicts(text)).toEqual([{ kind: 'merged', lines: text.split('\n') }]);
});

const id = '0123456789abcdef0123456789abcdef01234567';

test('the lines of a side are found whatever was merged around them', () => {
  const line = fc.constantFrom('a', 'b', 'c', '}');
  const some = fc.array(line, { maxLength: 4 });
  // Text that merged without conflict equals that of one side or both.
  const part = fc.record({ kept: fc.array(line, { minLength: 1, maxLength: 4 }), ours: some, theirs: some });
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), (drawn) => {
      const parts = drawn.map((each, at) => ({
        kept: each.kept.map((text, index) => `${text} ${at} ${index}`),
        ours: each.ours.map((text) => `${text} ours`),
        theirs: each.theirs.map((text) => `${text} theirs`),
      }));
      const merged = parts.flatMap(({ kept, ours, theirs }) => [
        ...kept,
        `<<<<<<< ${id}`,
        ...ours,
        '=======',
        ...theirs,
        `>>>>>>> ${id}`,
      ]);
      const own = parts.flatMap(({ kept, ours }) => [...kept, ...ours]);
      let at = 0;
      const expected = parts.map(({ kept, ours }) => {
        const line = at + kept.length + 1;
        at += kept.length + ours.length;
        return ours.length > 0 ? { line, endLine: at } : null;
      });
      const found = conflictsIn(readConflicts(merged.join('\n')), 'ours', own.join('\n'));
      expect(found.map((lines, index) => (expected[index] ? lines : null))).toEqual(expected);
    }),
    sample('lines of conflicts', { normal: 200, soak: 20_000 }),
  );
});
