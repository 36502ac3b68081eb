import { judgeEvidence } from '#gates/runner/judge.ts';
import type { Evidence } from '#schema/gates.ts';

/** How many times gates have run for an attempt, according to our records. */
export function gateRunsOf(
  evidence: readonly Evidence[],
  of: { readonly run: string; readonly task: string; readonly attempt: number },
): { passed: number; failed: number } {
  const own = evidence.filter(
    ({ gate, run, task, attempt }) =>
      gate !== null && run === of.run && task === of.task && attempt === of.attempt,
  );
  const passed = own.filter((each) => judgeEvidence(each).flaw === null).length;
  return { passed, failed: own.length - passed };
}
