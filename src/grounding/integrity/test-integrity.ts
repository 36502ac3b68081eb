import type { Change, FileChange } from '#grounding/change/change.ts';
import { isCovered } from '#schema/declared-files.ts';
import {
  type Matching,
  matchTests,
  strengthOf,
  type TestPair,
  type Weakening,
  weakenings,
} from '#tests/code/compare-tests.ts';
import { reboundNames } from '#tests/code/rebound-names.ts';
import type { TestCase, TestFile } from '#tests/code/test-case.ts';
import { isFixture, isSnapshot, isTestCode, isTestFile } from '#tests/code/test-path.ts';
import { isTestFor, subjectOf } from '#tests/code/tests-for.ts';
import { testsIn } from './changed-tests.ts';
import { switchedImports } from './switched-imports.ts';

export interface TestDamage {
  readonly file: string;
  readonly line: number | null;
  /** Which test and how, without wording. */
  readonly key: string;
  readonly message: string;
  readonly isLesser: boolean;
}

interface TestFileChange {
  readonly file: FileChange;
  readonly before: TestFile | null;
  readonly after: TestFile | null;
  readonly matching: Matching;
}

const none: TestFile = { cases: [], skippedBy: '' };

/** Test files whose tests could not be separated. */
export interface UnknownTests {
  readonly file: string;
  readonly reason: string;
}

/** Checks that existing tests assert no less than before, and that new ones really run. */
export function testDamage(change: Change): { damage: TestDamage[]; unknown: UnknownTests[] } {
  const compared = change.files.filter(isAboutTests).map(compare);
  const moved = matchTests(
    compared.flatMap(({ matching }) => matching.lost),
    compared.flatMap(({ matching }) => matching.added),
  );
  const lost = new Set(moved.lost);
  const kept = new Map(moved.pairs.map((pair) => [pair.before, pair]));
  const added = new Set(moved.added);
  const readable = compared.filter(({ before, after }) => !before?.unreadable && !after?.unreadable);
  return {
    damage: [
      ...readable.flatMap((each) => [
        ...fileDamage(each, change, lost),
        ...caseDamage(each, kept, change),
        ...addedDamage(each, added),
      ]),
      ...change.files.filter(({ oldPath }) => isSnapshot(oldPath)).flatMap(snapshotDamage),
    ],
    unknown: compared.flatMap(({ file, before, after }) => {
      const reason = after?.unreadable ?? before?.unreadable;
      return reason === undefined ? [] : [{ file: file.path, reason }];
    }),
  };
}

function isAboutTests({ path, oldPath }: FileChange): boolean {
  return isTestCode(oldPath) || isTestCode(path) || /\.rs$/.test(path);
}

function compare(file: FileChange): TestFileChange {
  const before = testsIn(file, 'before');
  const after = testsIn(file, 'after');
  return { file, before, after, matching: matchTests((before ?? none).cases, (after ?? none).cases) };
}

function fileDamage(
  { file, before, after }: TestFileChange,
  change: Change,
  lost: ReadonlySet<TestCase>,
): TestDamage[] {
  const { path, oldPath } = file;
  const isTabled = isTurnedIntoTable(before ?? none, after ?? none);
  const cases = before?.cases.filter(({ id }) => id !== '') ?? [];
  const gone = cases.filter((test) => lost.has(test));
  const found: TestDamage[] = [];
  const isGone = file.status === 'deleted' || file.after === null;
  if (isGone && isTestFile(oldPath) && (gone.length > 0 || cases.length === 0) && file.before !== null) {
    found.push({
      file: oldPath,
      line: null,
      key: 'deleted',
      message: `${oldPath} was deleted${gone.length > 0 ? `, and with it ${count(gone.length)}` : ''}`,
      isLesser: hasLostItsSource(oldPath, change),
    });
  } else {
    for (const test of gone) {
      const message = `${path}: test ${quoted(test.id)} is gone`;
      found.push({
        file: path,
        line: null,
        key: `deleted ${test.id}`,
        message,
        isLesser: isTabled || isFixture(path),
      });
    }
  }
  if (path !== oldPath && isTestFile(oldPath) && !(isTestFile(path) && hasMovedWithSource(file, change)))
    found.push({
      file: path,
      line: null,
      key: `renamed ${oldPath}`,
      message: `${oldPath} was renamed to ${path}, ${isTestFile(path) ? 'and what it tests was not' : 'where no runner looks for tests'}`,
      isLesser: false,
    });
  if (after && after.skippedBy !== '' && before?.skippedBy === '')
    found.push({
      file: path,
      line: null,
      key: 'skipped',
      message: `${path} no longer runs: ${after.skippedBy}`,
      isLesser: false,
    });
  const { bindings } = after ?? none;
  const rebound = bindings ? reboundNames(before?.bindings ?? null, bindings) : [];
  if (before?.bindings && after) rebound.push(...switchedImports(file, before.bindings, after, change));
  for (const detail of rebound)
    found.push({ file: path, line: null, key: detail, message: `${path} ${detail}`, isLesser: false });
  return found;
}

/** Tests that became rows of a table: as many inputs, and no fewer assertions. */
function isTurnedIntoTable(before: TestFile, after: TestFile): boolean {
  const inputs = (rows: number | null) => Math.max(1, rows ?? 1);
  const tried = ({ cases }: TestFile) => cases.reduce((sum, { rows }) => sum + inputs(rows), 0);
  const asserted = ({ cases }: TestFile) =>
    cases.reduce((sum, { rows, assertions }) => sum + inputs(rows) * strengthOf(assertions), 0);
  const hasTable = after.cases.some(({ rows }) => inputs(rows) > 1);
  return hasTable && tried(after) >= tried(before) && asserted(after) >= asserted(before);
}

function caseDamage(
  compared: TestFileChange,
  moved: ReadonlyMap<TestCase, TestPair>,
  change: Change,
): TestDamage[] {
  const { file, matching } = compared;
  const pairs = [...matching.pairs, ...matching.lost.flatMap((test) => moved.get(test) ?? [])];
  const found = pairs.flatMap((pair) => [...weakenings(pair), ...uncalled(pair, compared, change)]);
  return found.map((each) => toDamage(file.path, each));
}

/**
 * A test that is now inside an exported function which no other file of the change names. A file that exported tests
 * before has its callers in unchanged files.
 */
function uncalled(
  { before, after }: TestPair,
  { file, before: earlier }: TestFileChange,
  { files }: Change,
): Weakening[] {
  const name = after.offeredAs;
  if (name === undefined || before.offeredAs !== undefined || before.runs === 'never') return [];
  if (earlier?.cases.some(({ offeredAs }) => offeredAs === name)) return [];
  if (files.some((other) => other !== file && other.after?.includes(name))) return [];
  const detail = `no longer runs: function ${name} is never called`;
  return [{ how: 'skipped', test: after.id, line: after.line, detail }];
}

function toDamage(file: string, { how, test, line, detail }: Weakening): TestDamage {
  const name = test === '' ? 'code outside its tests' : `test ${quoted(test)}`;
  return {
    file,
    line,
    key: `${how} ${test}`,
    message: `${file}${line === null ? '' : `:${line}`}: ${name} ${detail}`,
    // Another expectation may be what the task asks for; a weaker one never is.
    isLesser: how === 'changed' || isFixture(file),
  };
}

function addedDamage({ file, matching }: TestFileChange, added: ReadonlySet<TestCase>): TestDamage[] {
  return matching.added
    .filter((test) => added.has(test) && (test.runs === 'never' || test.focused))
    .map((test) => ({
      file: file.path,
      line: test.line,
      key: `idle ${test.id}`,
      message: `${file.path}:${test.line}: new test ${quoted(test.id)} ${test.focused ? 'keeps the others from running' : `never runs: ${test.skippedBy}`}`,
      isLesser: false,
    }));
}

function snapshotDamage({ oldPath, status, lines }: FileChange): TestDamage[] {
  if (status !== 'deleted' && lines.removed.length === 0) return [];
  const message = `${oldPath} ${status === 'deleted' ? 'was deleted' : 'expects something else now'}`;
  return [{ file: oldPath, line: null, key: 'snapshot', message, isLesser: true }];
}

/** What it tests was moved or renamed in the same change, or is also found from the new place. */
function hasMovedWithSource({ oldPath, path }: FileChange, { files, policy, tip }: Change): boolean {
  const subject = subjectOf(oldPath);
  const isSource = (source: string) => !isTestCode(source) && subjectOf(source) === subject;
  if (subject === subjectOf(path) && tip.matching(isSource).some(isTestedFrom)) return true;
  function isTestedFrom(source: string): boolean {
    return isTestFor(oldPath, source, policy) && isTestFor(path, source, policy);
  }
  return files.some(
    (source) =>
      source.status === 'renamed' &&
      isTestFor(oldPath, source.oldPath, policy) &&
      isTestFor(path, source.path, policy),
  );
}

/** The test of code that the task had to remove has nothing left to test. */
function hasLostItsSource(test: string, { files, policy, declared }: Change): boolean {
  return files.some(
    ({ status, oldPath }) =>
      status === 'deleted' &&
      isTestFor(test, oldPath, policy) &&
      (declared === null || isCovered(declared, oldPath)),
  );
}

function count(tests: number): string {
  return tests === 1 ? 'one test' : `${tests} tests`;
}

function quoted(id: string): string {
  return JSON.stringify(id.length > 100 ? `${id.slice(0, 100)}…` : id);
}
