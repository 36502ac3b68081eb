import { join } from 'node:path';
import { nextTier } from '#crew/state/fallback.ts';
import { keptRef } from '#crew/state/names.ts';
import { type AttemptState, countedAttempts, type StepState, stepOf } from '#crew/state/state.ts';
import type { AttemptPlan, TaskFlow } from '#crew/task/task.ts';
import { mergeOnto } from '#git/merges/branches.ts';
import type { EventDraft } from '#schema/event.ts';

/** Decides and records where an attempt starts, before anything is done for it. */
export function planAttempt(flow: TaskFlow, n: number): Promise<AttemptPlan> {
  return recordPlan(flow, n).then((plan) => ({ ...plan, path: placeOf(flow, plan) }));
}

/** An earlier holder may have decided it: started work stays in that holder's folder, everything else is created again. */
function placeOf(flow: TaskFlow, { n }: AttemptPlan): string {
  const attempt = stepOf(flow.state, flow.id).attempts.at(-1);
  return attempt?.n === n && attempt.promptedAt !== null ? attempt.path : attemptPath(flow, n);
}

function recordPlan(flow: TaskFlow, n: number): Promise<AttemptPlan> {
  const { context, id, state } = flow;
  return context.step(`${id}/${n}/open`, async (call) => {
    const step = stepOf(state, id);
    const before = step.attempts.slice(step.firstAttemptOfTry).at(-1);
    const start = await startingPoint(flow, step, before);
    const driver =
      state.fork?.agent ?? step.task.agent ?? state.settings.roles.developer ?? state.settings.agent;
    const models = flow.workshop.agentSettings.agents[driver]?.models ?? {};
    const tier = nextTier(step, models, state.settings.fallback);
    const plan: AttemptPlan = {
      n,
      round: countedRounds(step) + 1,
      branch: step.branch,
      path: attemptPath(flow, n),
      driver,
      tier,
      model: state.fork?.model ?? models[tier] ?? null,
      role: 'developer',
      base: start.base,
      from: start.from,
    };
    await keepReplacedWork(flow, step, plan, call.emit);
    const { n: _, ...data } = plan;
    call.emit({ type: 'attempt.started', step: id, attempt: n, data });
    return { ...plan };
  });
}

/** Scripts and people count only attempts that ended, over the whole life of the task. */
function countedRounds(step: StepState): number {
  return step.attempts.filter((attempt) => attempt.outcome !== 'interrupted').length;
}

interface Start {
  readonly base: string;
  readonly from: string;
}

async function startingPoint(
  flow: TaskFlow,
  step: StepState,
  before: AttemptState | undefined,
): Promise<Start> {
  const head = flow.state.integration.commit;
  const begun = step.rework?.start?.commit;
  const base = begun ?? head;
  if (!before) return { base, from: await withTakenOver(flow, step, base) };
  // Conflicting work is redone on top of what it conflicts with.
  const hasConflict = step.conflict && countedAttempts(step).at(-1) === before;
  if (hasConflict && begun === undefined) return { base: head, from: head };
  // Tests that reproduce the reviewers' findings are there from the start.
  if (before.outcome === 'ok' && before.commit)
    return { base: before.base, from: before.review?.start ?? before.commit };
  // Continue from the work of an agent that ran out of time or turns.
  const isOutOfTime = before.outcome === 'limit' || before.outcome === 'timeout';
  // Accepted steps of a workflow are not repeated: their files are kept.
  const isSalvaged = before.kept !== null && (isOutOfTime || before.workflow?.isOpen);
  return { base: before.base, from: isSalvaged ? (before.kept ?? before.from) : before.from };
}

/**
 * The work of the tasks it finishes, as far as it merges with accepted work. Without reworks for other waiting tasks, which
 * would include those tasks' work.
 */
async function withTakenOver(flow: TaskFlow, step: StepState, head: string): Promise<string> {
  let from = head;
  for (const id of step.rework?.takes ?? []) {
    const { commit, rework } = stepOf(flow.state, id);
    const other = rework?.start?.commit;
    if (commit === null || (other !== undefined && other !== step.rework?.start?.commit)) continue;
    const merged = await mergeOnto(flow.premises.objects, from, commit, {
      message: `What there is of task ${id}\n\nJoinery-Run: ${flow.context.run}`,
      at: flow.state.createdAt,
    });
    if (merged.status === 'landed') from = merged.head;
  }
  return from;
}

/** A new folder for each attempt: a process of the one before may still be writing to the old one. */
function attemptPath(flow: TaskFlow, n: number): string {
  // Not `~2`: Claude Code takes that for a Windows short name and writes nothing there.
  return join(flow.premises.worktrees, n === 1 ? flow.slug : `${flow.slug}@${n}`);
}

/** The branch is about to move away from a commit: a ref keeps it. */
async function keepReplacedWork(
  flow: TaskFlow,
  step: StepState,
  plan: AttemptPlan,
  emit: (event: EventDraft) => void,
): Promise<void> {
  const tip = await flow.refs.read(`refs/heads/${step.branch}`);
  if (tip === null || tip === plan.from || tip === plan.base) return;
  // The work continues, with the reviewers' tests on top of it.
  if (step.attempts.at(-1)?.review?.start === plan.from) return;
  const ref = keptRef(flow.context.run, flow.slug, plan.n - 1);
  await flow.refs.set(ref, tip);
  emit({
    type: 'work.kept',
    step: flow.id,
    data: { ref, commit: tip, why: `attempt ${plan.n} starts over` },
  });
}
