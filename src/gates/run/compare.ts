import { describeCounts } from '#gates/runner/judge.ts';
import { type SuiteRun, testsRun } from './lost-tests.ts';

export interface Comparison {
  readonly status: 'pass' | 'fail' | 'warn' | 'inconclusive';
  readonly reason: string;
  readonly newFailures: readonly string[];
  readonly knownFailures: readonly string[];
  readonly flaky: readonly string[];
}

/**
 * The failures of a run: names of tests, and failures that are not tests (`(exit code 1)`). Null if some failing tests have
 * no name.
 */
export function failuresOf({ outcome, exitCode, tests }: SuiteRun): ReadonlySet<string> | null {
  if (outcome !== 'exited') return new Set([outcome === 'timeout' ? '(timed out)' : '(not finished)']);
  if (tests && tests.failed > 0) return tests.hasAllNames ? new Set(tests.failing) : null;
  return new Set(exitCode === 0 ? [] : [`(exit code ${exitCode ?? 'none'})`]);
}

/** Failures that the first run on the base commit did not have; unknown ones count as new. */
export function newFailures(run: SuiteRun, base: SuiteRun | null): string[] {
  const known = base ? failuresOf(base) : new Set<string>();
  return [...(failuresOf(run) ?? [])].filter((name) => !known?.has(name)).sort();
}

/**
 * Judges a test suite by its failures. `runs`: the first run and its repetitions on the same tree; `bases`: runs on the base
 * commit, empty if they could not be made.
 */
export function compareWithBase(
  runs: readonly [SuiteRun, ...SuiteRun[]],
  bases: readonly SuiteRun[],
): Comparison {
  const [first] = runs;
  const base = bases[0] ?? null;
  const nothing = { newFailures: [], knownFailures: [], flaky: [] };
  const ran = testsRun(first);
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
  return compareNames(runs, bases, first.tests);
}

function compareNames(
  runs: readonly [SuiteRun, ...SuiteRun[]],
  bases: readonly SuiteRun[],
  tests: NonNullable<SuiteRun['tests']>,
): Comparison {
  const [first, ...repeats] = runs;
  const base = bases[0] ?? null;
  const fresh = newFailures(first, base);
  const isNew = new Set(fresh);
  const knownFailures = [...(failuresOf(first) ?? [])].filter((name) => !isNew.has(name)).sort();
  const whole = repeats.filter((repeat) => isWhole(repeat, first));
  const flaky = fresh.filter((name) => whole.some((repeat) => !failuresOf(repeat)?.has(name)));
  const lasting = fresh.filter((name) => !flaky.includes(name));
  const counts = describeCounts(tests);
  const lists = { newFailures: lasting, knownFailures, flaky };
  if (lasting.length > 0) {
    const more = base ? '' : ' (no base to compare with)';
    return { ...lists, status: 'fail', reason: `${counts}; ${lasting.length} new${more}` };
  }
  if (flaky.length > 0) return { ...lists, ...judgeFlaky(flaky, whole, bases, counts) };
  const old = knownFailures.length;
  // A suite without any passed test would report the same for any work.
  if (tests.passed === 0)
    return { ...lists, status: 'inconclusive', reason: `${counts}: no test passes, nor on the base commit` };
  return {
    ...lists,
    status: 'pass',
    reason: old > 0 ? `${counts}; ${old} fail on the base commit too` : counts,
  };
}

/** A repetition that ran fewer tests may have passed because it skipped some. */
function isWhole(repeat: SuiteRun, first: SuiteRun): boolean {
  const ran = testsRun(repeat);
  return (
    repeat.outcome === 'exited' &&
    failuresOf(repeat) !== null &&
    ran !== null &&
    ran > 0 &&
    ran >= (testsRun(first) ?? 0)
  );
}

/** A flaky failure is excused if it was flaky before the work, and if all tests have passed together once. */
function judgeFlaky(
  flaky: readonly string[],
  whole: readonly SuiteRun[],
  bases: readonly SuiteRun[],
  counts: string,
): Pick<Comparison, 'status' | 'reason'> {
  const isOld = (name: string) => bases.some((base) => failuresOf(base)?.has(name));
  const young = flaky.filter((name) => !isOld(name)).length;
  const hasPassed = whole.some((run) => newFailures(run, bases[0] ?? null).length === 0);
  const remark = `${counts}; ${flaky.length} flaky, which proves nothing either way`;
  if (young === 0 && hasPassed) return { status: 'warn', reason: `${remark}; so on the base commit` };
  const why = young > 0 ? `${young} never failed on the base commit` : 'no run passed as a whole';
  return { status: 'inconclusive', reason: `${remark}; ${why}` };
}

/** Without names only the numbers can be compared, and equal numbers may be different tests. */
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
            : `${counts}; its output does not name them all, so it is unknown whether they are new`,
      };
}
