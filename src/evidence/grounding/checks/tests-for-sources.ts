import { readTests } from '../../tests/read-tests.ts';
import { isTestCode } from '../../tests/test-path.ts';
import { isTestFor, needsTest, subjectOf } from '../../tests/tests-for.ts';
import type { Change } from '../change.ts';
import { checked, type GroundingCheck, type Trouble } from '../check.ts';

/** A new source file comes with a test: one named after it, or one of this change that loads it. */
export const testsForSources: GroundingCheck = {
  name: 'tests-for-sources',
  severity: 'blocking',
  check(change) {
    const sources = change.files.filter(
      ({ status, path, after }) =>
        status === 'added' && after !== null && needsTest(path, after, change.policy),
    );
    if (sources.length === 0) return checked([], 'no new source file needs a test');
    const tests = testsByName(change);
    const loaded = new Set([...change.imports.loads.values()].flat());
    return checked(
      sources.flatMap(({ path }) => troubleOf(change, path, tests, loaded)),
      `${sources.length} new source files`,
    );
  },
};

/** Test files of the tip by the words in their names, so that a source looks only at those that can be its own. */
function testsByName({ tip, files }: Change): Map<string, string[]> {
  const all = new Set([...tip.matching(isTestCode), ...files.map(({ path }) => path).filter(isTestCode)]);
  const byName = new Map<string, string[]>();
  for (const path of all) {
    if (!tip.has(path)) continue;
    for (const name of [keyOf(path), folderKey(path)]) byName.set(name, [...(byName.get(name) ?? []), path]);
  }
  return byName;
}

function keyOf(path: string): string {
  return `name ${subjectOf(path)}`;
}

function folderKey(path: string): string {
  return `folder ${path.slice(0, Math.max(0, path.lastIndexOf('/')))}`;
}

function troubleOf(
  change: Change,
  source: string,
  tests: ReadonlyMap<string, readonly string[]>,
  loaded: ReadonlySet<string>,
): Trouble[] {
  if (loaded.has(source)) return [];
  const { policy, others } = change;
  const near =
    policy.testsFor.length > 0
      ? [...tests.values()].flat()
      : [...(tests.get(keyOf(source)) ?? []), ...(tests.get(folderKey(source)) ?? [])];
  const own = near.filter((test) => isTestFor(test, source, policy));
  const empty = own.find((test) => holdsNoTest(change, test));
  if (own.some((test) => test !== empty)) return [];
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
  const after = files.find(({ path }) => path === test)?.after;
  if (after === undefined || after === null) return false;
  const read = readTests(test, after);
  return read !== null && !read.cases.some(({ id }) => id !== '');
}
