import type { FreshEvidence } from '#gates/runner/record.ts';
import { hasTitle, titleOf } from '#tests/results/passed-names.ts';

/** The result of a test suite for comparison: on the base commit, or one of several on the same tree. */
export type SuiteRun = Pick<FreshEvidence, 'outcome' | 'exitCode' | 'tests' | 'passing'>;

/** How the text of a change affects the tests. */
export interface TestTexts {
  /** Titles that were in a changed file and are in none of them now. */
  readonly gone: readonly string[];
  /** Tests under other suites or another title: their names before and after, suites first. */
  readonly renamed: readonly { readonly from: string; readonly to: string }[];
  /** How many fewer tests the changed files contain; null if the text does not show it. */
  readonly fewer: number | null;
}

export interface Lost {
  /** Tests that ran on the base commit and no longer run. */
  readonly count: number;
  /** Their names; null if an output does not name every test. */
  readonly names: readonly string[] | null;
  /** Names that the base commit does not have. */
  readonly come: readonly string[];
}

export function testsRun({ tests }: SuiteRun): number | null {
  return tests ? tests.passed + tests.failed : null;
}

/** By name if both runs name all passed tests, so that a new test does not hide a lost one; otherwise by number. */
export function lostTests(run: SuiteRun, base: SuiteRun | null): Lost {
  const [before, now] = [base ? testsRun(base) : null, testsRun(run)];
  if (!base?.tests || !run.tests || before === null || now === null)
    return { count: 0, names: null, come: [] };
  const [earlier, later] = [namesOf(base), namesOf(run)];
  if (!earlier || !later) return { count: Math.max(0, before - now), names: null, come: [] };
  const ran = [...later, ...run.tests.failing];
  const names = surplus(earlier, ran);
  return { count: names.length, names, come: surplus(ran, [...earlier, ...base.tests.failing]) };
}

/** Names whose title occurs less often among the others. */
function surplus(names: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const name of others) left.set(titleOf(name), (left.get(titleOf(name)) ?? 0) + 1);
  return names.filter((name) => {
    const count = left.get(titleOf(name)) ?? 0;
    left.set(titleOf(name), count - 1);
    return count <= 0;
  });
}

/** Some outputs join the titles of suites and tests: there a renamed suite renames its tests. */
function withoutRenamed({ names, come }: Lost, renamed: TestTexts['renamed']): readonly string[] | null {
  if (names === null) return null;
  const free = [...come];
  return names.filter((name) => {
    const next = renamed
      .filter(({ from }) => endsWith(name, from))
      .map(({ to }) => free.findIndex((each) => endsWith(each, to)))
      .find((index) => index >= 0);
    if (next !== undefined) free.splice(next, 1);
    return next === undefined;
  });
}

function endsWith(name: string, title: string): boolean {
  return ` ${name.replace(/ [>›] /g, ' ')}`.endsWith(` ${title}`);
}

function namesOf({ tests, passing }: SuiteRun): readonly string[] | null {
  const isComplete = tests?.hasAllNames && passing?.length === tests.passed;
  return isComplete ? passing : null;
}

export interface LostVerdict {
  readonly status: 'pass' | 'warn' | 'fail' | 'inconclusive';
  readonly reason: string;
}

const most = 3;

/** A test that the change removed or renamed in the text is judged by grounding; every other test has to run. */
export function judgeLost(lost: Lost, texts: TestTexts | null): LostVerdict {
  const names = withoutRenamed(lost, texts?.renamed ?? []);
  const count = names?.length ?? lost.count;
  if (count === 0) return { status: 'pass', reason: '' };
  const { gone, fewer } = texts ?? { gone: [], fewer: null };
  const excused = names === null ? (fewer ?? count) : names.filter((name) => isGone(name, gone)).length;
  if (texts === null || (names === null && fewer === null))
    return {
      status: 'inconclusive',
      reason: `${count} fewer than on the base commit, and it is unknown how many the change took out`,
    };
  if (excused >= count)
    return { status: 'warn', reason: `${count} fewer than on the base commit, taken out by the change` };
  const which = names?.filter((name) => !isGone(name, gone)) ?? [];
  const list =
    which.length > 0 ? `: ${which.slice(0, most).join(', ')}${which.length > most ? ', …' : ''}` : '';
  return {
    status: 'fail',
    reason: `${count - Math.max(0, excused)} that ran on the base commit did not run${list}`,
  };
}

function isGone(name: string, gone: readonly string[]): boolean {
  return gone.some((title) => hasTitle(name, title));
}
