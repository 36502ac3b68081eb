import type { Git } from '#git/call/git.ts';
import { readFilesAt } from '#git/trees/files-at.ts';
import { diffTrees } from '#git/trees/tree.ts';
import { readTests } from '#tests/code/read-tests.ts';
import type { TestCase } from '#tests/code/test-case.ts';
import { isTestCode } from '#tests/code/test-path.ts';
import type { TestTexts } from './lost-tests.ts';

/** Compares the tests in the files that differ between two trees. Null if one of the files cannot be read. */
export async function readTestTexts(git: Git, base: string, tree: string): Promise<TestTexts | null> {
  const [changes = []] = await diffTrees(git, [[base, tree]], { renames: false });
  const paths = changes.map(({ path }) => path).filter(isTestCode);
  const [before, after] = await Promise.all([base, tree].map((each) => casesAt(git, each, paths)));
  if (!before || !after) return null;
  const titles = new Set(after.map(titleIn));
  const [earlier, later] = [sizeOf(without(before, after)), sizeOf(without(after, before))];
  return {
    renamed: renamedTests(before, after),
    gone: [...new Set(before.map(titleIn))].filter((title) => title !== '' && !titles.has(title)),
    fewer: earlier === null || later === null ? null : earlier - later,
  };
}

/** Tests that disappeared under their name and are found under another: by their text, else by their title. */
function renamedTests(before: readonly TestCase[], after: readonly TestCase[]): TestTexts['renamed'] {
  const [old, now] = [before, after].map((cases) => new Set(cases.map(({ id }) => id)));
  const lost = before.filter(({ id }) => !now?.has(id));
  const free = new Set(after.filter(({ id }) => !old?.has(id)));
  const found: { from: string; to: string }[] = [];
  const pair = (isTwin: (test: TestCase, other: TestCase) => boolean) => {
    for (const test of lost.splice(0)) {
      const twin = [...free].find((other) => isTwin(test, other));
      if (!twin) lost.push(test);
      else {
        free.delete(twin);
        found.push({ from: nameOf(test), to: nameOf(twin) });
      }
    }
  };
  pair((test, other) => test.source === other.source);
  pair((test, other) => titleIn(test) === titleIn(other));
  return found;
}

/** The name as runners print it that join suites and title. */
function nameOf({ id }: TestCase): string {
  return id.split(' > ').join(' ');
}

/** Null if one of the files is in a language Joinery does not read. */
async function casesAt(git: Git, tree: string, paths: readonly string[]): Promise<TestCase[] | null> {
  const files = await readFilesAt(git, tree, paths);
  const read = [...files].map(([path, text]) => readTests(path, text)?.cases ?? null);
  return read.includes(null) ? null : read.flatMap((cases) => cases ?? []).filter(({ id }) => id !== '');
}

function without(cases: readonly TestCase[], others: readonly TestCase[]): TestCase[] {
  const same = new Set(others.map(({ source }) => source));
  return cases.filter(({ source }) => !same.has(source));
}

function titleIn({ id }: TestCase): string {
  return id.split(' > ').at(-1) ?? id;
}

/** Null if a table has its rows elsewhere. */
function sizeOf(cases: readonly TestCase[]): number | null {
  const sizes = cases.map(({ rows, source }) =>
    rows === null && /\.each\b|parametrize\b/.test(source) ? null : (rows ?? 1),
  );
  return sizes.includes(null) ? null : sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
}
