import type { AttemptPlan, Committed, Played, TaskFlow } from '#crew/task/task.ts';
import type { Verification } from '#handoff/complete-step.ts';
import { gateAttempt } from './gate-attempt.ts';
import { groundAttempt } from './ground-attempt.ts';
import { withProviders } from './with-providers.ts';

const nothing: Verification = { checks: [], findings: [] };

/**
 * After the commit and before the verdict: is the work what it is said to be? Grounding comes first and costs little;
 * when it fails, the gates need not run.
 */
export async function verifyAttempt(
  flow: TaskFlow,
  plan: AttemptPlan,
  played: Played,
  committed: Committed,
): Promise<Verification> {
  if (played.outcome !== 'ok' || committed.commit === null) return nothing;
  const grounded = await groundAttempt(flow, plan, played, committed.commit);
  if (grounded.findings.some(({ severity }) => severity === 'blocking')) return grounded;
  const judged = await withProviders(flow, committed.commit, grounded.awaits);
  const gates = await gateAttempt(flow, plan, committed, judged);
  return {
    checks: [...grounded.checks, ...gates.checks],
    findings: [...grounded.findings, ...gates.findings],
  };
}
