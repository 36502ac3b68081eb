import { join } from 'node:path';
import { isSettled, stepOf } from '#crew/state/state.ts';
import { fileClock } from '#lib/file-clock.ts';
import { commitAttempt } from './steps/commit-attempt.ts';
import { completeAttempt } from './steps/complete-attempt.ts';
import { closeWorktree, openWorktree } from './steps/open-worktree.ts';
import { planAttempt } from './steps/plan-attempt.ts';
import { playAttempt } from './steps/play-attempt.ts';
import { settleAttempt } from './steps/settle-attempt.ts';
import { verifyAttempt } from './steps/verify-attempt.ts';
import type { AttemptPlan, TaskFlow } from './task.ts';

/**
 * Runs attempts until the task is settled. Every step is recorded under `<task>/<attempt>/<step>`, so after a crash this
 * skips finished steps and continues where it was interrupted. A task that waits for others to change returns, and is
 * started again when they have changed.
 */
export async function runTask(flow: TaskFlow): Promise<string> {
  const step = stepOf(flow.state, flow.id);
  while (!isSettled(step) && step.status !== 'pending') {
    if (step.stopping !== null) break;
    flow.stop.throwIfAborted();
    const last = step.attempts.at(-1);
    const isNew = step.status === 'ready' || step.status === 'revising';
    await runAttempt(flow, isNew || !last ? step.attempts.length + 1 : last.n);
  }
  leave(flow);
  return step.status;
}

async function runAttempt(flow: TaskFlow, n: number): Promise<void> {
  const plan = await planAttempt(flow, n);
  await flow.siblings.leave(flow.id);
  if (!hasBegun(flow)) {
    await openWorktree(flow, plan);
    await flow.siblings.rest(flow.id, plan.path);
  }
  const leavePlace = await takePlace(flow, plan);
  const played = await playAttempt(flow, plan).finally(leavePlace);
  const wasCutOff = played.outcome === 'interrupted';
  // The work of an interrupted attempt is kept under a ref, like that of a failed one.
  const since = fileClock(join(flow.premises.scratch, 'clock'));
  const committed = await commitAttempt(flow, plan, played);
  const verified = wasCutOff ? undefined : await verifyAttempt(flow, plan, played, committed);
  await completeAttempt(flow, plan, played, wasCutOff ? undefined : committed, verified);
  await closeWorktree(flow, plan, since);
  if (!wasCutOff) await settleAttempt(flow, plan);
}

/** Takes an agent slot of this machine; an attempt that was already played or interrupted needs none. */
async function takePlace(flow: TaskFlow, plan: AttemptPlan) {
  const { workshop, context, id, stop } = flow;
  if (hasBegun(flow)) return () => {};
  return workshop.takePlace(`${context.run}/${id}`, stop, () =>
    context.append([
      {
        type: 'attempt.used',
        step: id,
        attempt: plan.n,
        data: { tool: 'waits', detail: 'for an agent of this machine to finish (run.maxAgents)' },
      },
    ]),
  );
}

/** The agent was started, by us or by an earlier holder of the run: it never starts twice. */
function hasBegun({ state, id }: TaskFlow): boolean {
  return (stepOf(state, id).attempts.at(-1)?.promptedAt ?? null) !== null;
}

/** Not journaled, like all cleanup: what a crash leaves behind is removed at the next start. */
function leave(flow: TaskFlow): void {
  flow.workshop.releasePorts(flow.context.run, flow.id);
}
