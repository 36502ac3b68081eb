import type { Change } from '#grounding/change/change.ts';
import { testsIn } from '#grounding/integrity/changed-tests.ts';
import { isTestCode } from '#tests/code/test-path.ts';
import { isTestFor, needsTest, stemOf, subjectOf, testsItsFolder } from '#tests/code/tests-for.ts';
import { checked, type GroundingCheck, type Trouble } from './check.ts';

/** A new source file needs a test: one named after it, or one of this change that loads it. */
export const testsForSources: GroundingCheck = {
  name: 'tests-for-sources',
  severity: 'blocking',
  check(change) {
    const sources = change.files.filter(
      ({ status, path, after }) =>
        status === 'added' && after !== null && needsTest(path, after, change.policy),
    );
    if (sources.length === 0) return checked([], 'no new source file needs a test');
    const tests = nearTests(change);
    const loaded = new Set([...change.imports.loads.values()].flat());
    return checked(
      sources.flatMap(({ path }) => troubleOf(change, path, tests, loaded)),
      `${sources.length} new source files`,
    );
  },
};

type NearTests = (source: string) => readonly string[];

/** Candidate test files of a source: by name, and those that test all of their folder. */
function nearTests({ tip, policy }: Change): NearTests {
  const all = tip.matching(isTestCode);
  if (policy.testsFor.length > 0) return () => all;
  const bySubject = Map.groupBy(all, subjectOf);
  const byFolder = Map.groupBy(all.filter(testsItsFolder), folderOf);
  return (source) => [
    ...(bySubject.get(stemOf(source).toLowerCase()) ?? []),
    ...(byFolder.get(folderOf(source)) ?? []),
  ];
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function troubleOf(change: Change, source: string, near: NearTests, loaded: ReadonlySet<string>): Trouble[] {
  if (loaded.has(source)) return [];
  const { policy, others } = change;
  const own = near(source).filter((test) => isTestFor(test, source, policy));
  const [empty, ...more] = own.filter((test) => holdsNoTest(change, test));
  if (own.length > (empty === undefined ? 0 : 1 + more.length)) return [];
  if (empty !== undefined) {
    const message = `${empty}, the test of the new ${source}, holds no test`;
    return [{ key: source, file: empty, message, hint: 'write a test that can fail' }];
  }
  const promised = others.find(
    ({ files, isFinished }) => !isFinished && files.some((file) => isTestFor(file, source, policy)),
  );
  return [
    {
      key: source,
      file: source,
      message: `${source} is new and has no test${promised ? `; task ${promised.id} declares one` : ''}`,
      hint: 'add a test named after it, or a test that loads it',
      isLesser: promised !== undefined,
    },
  ];
}

function holdsNoTest({ files }: Change, test: string): boolean {
  const file = files.find(({ path }) => path === test);
  const read = file ? testsIn(file, 'after') : null;
  return read !== null && !read.cases.some(({ id }) => id !== '');
}
