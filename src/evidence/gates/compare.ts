import type { Evidence } from '../../model/gates.ts';
import { describeCounts } from '../runner/judge.ts';

/** What a run of a test suite came to, for comparing: on the base commit, or one of several on the same tree. */
export type SuiteRun = Pick<Evidence, 'outcome' | 'exitCode' | 'tests'>;

export interface Comparison {
  readonly status: 'pass' | 'fail' | 'warn' | 'inconclusive';
  readonly reason: string;
  readonly newFailures: readonly string[];
  readonly knownFailures: readonly string[];
  readonly flaky: readonly string[];
}

/**
 * The failures of a run: names of tests, and what is no test but failed all the same (`(exit code 1)`). Null when some
 * failing tests have no name.
 */
export function failuresOf({ outcome, exitCode, tests }: SuiteRun): ReadonlySet<string> | null {
  if (outcome !== 'exited') return new Set([outcome === 'timeout' ? '(timed out)' : '(not finished)']);
  if (tests && tests.failed > 0) return tests.hasAllNames ? new Set(tests.failing) : null;
  return new Set(exitCode === 0 ? [] : [`(exit code ${exitCode ?? 'none'})`]);
}

/** Failures that were not there on the base commit; what is unknown there counts as new. */
export function newFailures(run: SuiteRun, base: SuiteRun | null): string[] {
  const known = base ? failuresOf(base) : new Set<string>();
  return [...(failuresOf(run) ?? [])].filter((name) => !known?.has(name)).sort();
}

/**
 * Judges a test suite by what changed: `runs` are runs on the very same tree, the first and its repetitions; `base` is
 * the run on the base commit, null when it was not needed or could not be made.
 */
export function compareWithBase(runs: readonly [SuiteRun, ...SuiteRun[]], base: SuiteRun | null): Comparison {
  const [first] = runs;
  const nothing = { newFailures: [], knownFailures: [], flaky: [] };
  const ran = first.tests ? first.tests.passed + first.tests.failed : null;
  if (first.outcome !== 'exited') {
    const reason = first.outcome === 'timeout' ? 'timed out' : 'was not finished';
    if (base?.outcome !== first.outcome)
      return { ...nothing, status: 'fail', reason, newFailures: newFailures(first, base) };
    return { ...nothing, status: 'inconclusive', reason: `${reason}, on the base commit too` };
  }
  if (first.tests === null || ran === null) {
    const reason = 'its output does not say how many tests ran';
    return first.exitCode === 0
      ? { ...nothing, status: 'inconclusive', reason }
      : {
          ...nothing,
          status: 'fail',
          reason: `exit code ${first.exitCode ?? 'none'}, and ${reason}`,
          newFailures: newFailures(first, null),
        };
  }
  if (ran === 0) return { ...nothing, status: 'fail', reason: `no test ran: ${describeCounts(first.tests)}` };
  const failures = failuresOf(first);
  if (!failures || (base && !failuresOf(base))) return compareCounts(first, base, ran);
  return compareNames(runs, base, first.tests);
}

function compareNames(
  runs: readonly [SuiteRun, ...SuiteRun[]],
  base: SuiteRun | null,
  tests: NonNullable<SuiteRun['tests']>,
): Comparison {
  const [first, ...repeats] = runs;
  const fresh = newFailures(first, base);
  const isNew = new Set(fresh);
  const knownFailures = [...(failuresOf(first) ?? [])].filter((name) => !isNew.has(name)).sort();
  const flaky = fresh.filter((name) => repeats.some((repeat) => hasPassed(repeat, name)));
  const lasting = fresh.filter((name) => !flaky.includes(name));
  const counts = describeCounts(tests);
  const lists = { newFailures: lasting, knownFailures, flaky };
  if (lasting.length > 0) {
    const more = base ? '' : ' (no base to compare with)';
    return { ...lists, status: 'fail', reason: `${counts}; ${lasting.length} new${more}` };
  }
  if (flaky.length > 0)
    return {
      ...lists,
      status: 'warn',
      reason: `${counts}; ${flaky.length} flaky, which proves nothing either way`,
    };
  const lost = base?.tests ? base.tests.passed + base.tests.failed - tests.passed - tests.failed : 0;
  if (lost > 0)
    return { ...lists, status: 'warn', reason: `${counts}; ${lost} tests fewer than on the base commit` };
  const old = knownFailures.length;
  return {
    ...lists,
    status: 'pass',
    reason: old > 0 ? `${counts}; ${old} fail on the base commit too` : counts,
  };
}

/** A repetition that ran no test has not passed anything. */
function hasPassed(run: SuiteRun, name: string): boolean {
  const failures = failuresOf(run);
  return failures !== null && (run.tests?.passed ?? 0) > 0 && !failures.has(name);
}

/** Without names only the numbers are left, and the same number is not the same tests. */
function compareCounts(run: SuiteRun, base: SuiteRun | null, ran: number): Comparison {
  const failed = run.tests?.failed ?? 0;
  const before = base?.tests?.failed ?? 0;
  const lists = { newFailures: [], knownFailures: [], flaky: [] };
  const counts = run.tests ? describeCounts(run.tests) : `${ran} tests`;
  return failed > before
    ? { ...lists, status: 'fail', reason: `${counts}; ${failed - before} more than on the base commit` }
    : {
        ...lists,
        status: failed === 0 ? 'pass' : 'inconclusive',
        reason:
          failed === 0
            ? counts
            : `${counts}; its output does not name them all, so nobody can tell whether they are new`,
      };
}
