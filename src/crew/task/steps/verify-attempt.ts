import type { AttemptPlan, Committed, Played, TaskFlow } from '#crew/task/task.ts';
import type { Verification } from '#handoff/complete-step.ts';
import type { CheckResult } from '#schema/run.ts';
import { breaks } from '#schema/verdict.ts';
import { gateAttempt } from './gate-attempt.ts';
import { groundAttempt } from './ground-attempt.ts';
import { reviewAttempt } from './review-attempt.ts';
import { withProviders } from './with-providers.ts';

function isOpen({ status, required }: CheckResult): boolean {
  return required && (status === 'fail' || status === 'inconclusive');
}

const nothing: Verification = { checks: [], findings: [] };

/**
 * Runs after the commit and before the verdict: is the work real? Grounding runs first because it is cheap; if it fails,
 * the gates are skipped.
 */
export async function verifyAttempt(
  flow: TaskFlow,
  plan: AttemptPlan,
  played: Played,
  committed: Committed,
): Promise<Verification> {
  if (played.outcome !== 'ok' || committed.commit === null) return nothing;
  const grounded = await groundAttempt(flow, plan, played, committed.commit);
  if (grounded.findings.some(breaks)) return grounded;
  const judged = await withProviders(flow, committed.commit, grounded.awaits);
  const gates = await gateAttempt(flow, plan, committed, judged);
  const checks = [...grounded.checks, ...gates.checks];
  const findings = [...grounded.findings, ...gates.findings];
  // Do not pay reviewers while a code-based check fails.
  if (findings.some(breaks) || checks.some(isOpen)) return { checks, findings };
  const reviewed = await reviewAttempt(flow, plan, played, committed.commit);
  return {
    ...reviewed,
    checks: [...checks, ...reviewed.checks],
    findings: [...findings, ...reviewed.findings],
  };
}
