import type { GateResult } from '#schema/gates.ts';
import type { Yardstick } from './yardstick-tree.ts';

/** The result of base's tests on the sources of the work; null if they equal the work's tests, or no source changed. */
export interface Measurement {
  readonly yardstick: Yardstick;
  readonly result: GateResult | null;
  /** Tests that must fail did not: nothing in the task excuses that. */
  readonly isForged?: boolean;
}

const order = ['pass', 'warn', 'skipped', 'inconclusive', 'fail'] as const;
const mostNames = 5;

/**
 * Adds the result of base's tests on the same sources to the result of a suite: failures there count, even if the work's
 * own tests pass. `lenient`: measured again with the files that the task names taken from the work. Tests that pass only
 * then are contested: the task asks for their change, and people should look at it.
 */
export function withYardstick(
  result: GateResult,
  strict: Measurement,
  lenient: Measurement | null,
): GateResult {
  const last = lenient ?? strict;
  const { withheld, contested, packages } = last.yardstick;
  const remarks = packages.length > 0 ? [`packages of the work: ${listed(packages)}`] : [];
  if (last.result === null && lenient === null) return withReason(result, remarks);
  const isWorse = order.indexOf(last.result?.status ?? 'pass') > order.indexOf('warn');
  if (last.result !== null && isWorse) {
    const { status, reason, newFailures, log, exitCode } = last.result;
    return {
      ...withReason(result, [
        `by the tests of base on the changed sources: ${reason || status}`,
        ...(withheld.length === 0 || last.isForged
          ? []
          : [
              `as on base there: ${listed(withheld)}; a change of these that is intended is named by the task or by joinery retry --context 'Test-Change: <file>: <reason>'`,
            ]),
        ...remarks,
      ]),
      status,
      newFailures: [...new Set([...result.newFailures, ...newFailures])],
      log,
      exitCode,
    };
  }
  if (lenient === null || strict.result === null)
    return withReason(result, [`by the tests of base too: ${last.result?.reason || 'passed'}`, ...remarks]);
  const failing = strict.result.newFailures.length > 0 ? `: ${listed(strict.result.newFailures)}` : '';
  const lost = `contested: tests of base are not content with the changed sources${failing} (${strict.result.reason})`;
  return {
    ...withReason(result, [lost, `the task names ${listed(contested)}`, ...remarks]),
    status: 'warn',
  };
}

function withReason(result: GateResult, remarks: readonly string[]): GateResult {
  return { ...result, reason: [result.reason, ...remarks].filter((each) => each !== '').join('; ') };
}

function listed(names: readonly string[]): string {
  const more = names.length - mostNames;
  return names.slice(0, mostNames).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
