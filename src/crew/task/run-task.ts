import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Premises } from '#crew/premises.ts';
import { countedAttempts, isSettled, type RunState, stepOf } from '#crew/state/state.ts';
import { escalationEvents } from '#crew/steer/questions.ts';
import type { Siblings } from '#crew/watch/siblings.ts';
import type { Workshop } from '#crew/workshop.ts';
import type { RunRefs } from '#git/run-refs.ts';
import type { FlowContext } from '#schema/durable-port.ts';
import {
  type AttemptPlan,
  closeWorktree,
  commitAttempt,
  completeAttempt,
  integrateAttempt,
  openWorktree,
} from './attempt.ts';
import { nextMove } from './loop.ts';
import { planAttempt } from './plan-attempt.ts';
import { playAttempt } from './play.ts';
import { verifyAttempt } from './verify.ts';

/** One task on its way: what its steps need besides the log. */
export interface TaskFlow {
  readonly context: FlowContext;
  readonly workshop: Workshop;
  readonly refs: RunRefs;
  /** Kept up to date with the log by whoever drives the run. */
  readonly state: RunState;
  readonly id: string;
  readonly slug: string;
  /** Aborted when the run stops: end what is going on and return. */
  readonly stop: AbortSignal;
  readonly siblings: Siblings;
  readonly premises: Premises;
}

/**
 * Attempts until the task is settled. Every step is recorded under `<task>/<attempt>/<step>`, so after a crash this
 * runs through what is finished and goes on where it was cut off.
 */
export async function runTask(flow: TaskFlow): Promise<string> {
  const step = stepOf(flow.state, flow.id);
  while (!isSettled(step)) {
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
  const committed = wasCutOff ? undefined : await commitAttempt(flow, plan, played);
  const verified = committed && (await verifyAttempt(flow, plan, played, committed));
  await completeAttempt(flow, plan, played, committed, verified);
  await closeWorktree(flow, plan);
  if (!wasCutOff) await settle(flow, plan);
}

/** One of the places for agents on this machine; an attempt that was played or cut off needs none. */
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

/** Its agent began, for us or for a holder before us: it never begins twice. */
function hasBegun({ state, id }: TaskFlow): boolean {
  return (stepOf(state, id).attempts.at(-1)?.promptedAt ?? null) !== null;
}

async function settle(flow: TaskFlow, plan: AttemptPlan): Promise<void> {
  const step = stepOf(flow.state, flow.id);
  const { loop } = flow.state.settings;
  if (nextMove(loop, countedAttempts(step)).move === 'accept') {
    const integrated = await integrateAttempt(flow, plan);
    if (integrated) return;
  }
  await flow.context.step(`${flow.id}/${plan.n}/settle`, (call) => {
    const move = nextMove(loop, countedAttempts(step));
    switch (move.move) {
      case 'again':
        call.emit({ type: 'step.revising', step: flow.id, data: { n: plan.n, reason: move.reason } });
        break;
      case 'fail':
        call.emit({ type: 'step.failed', step: flow.id, data: { reason: move.reason } });
        break;
      case 'escalate':
        for (const event of escalationEvents(flow.state, flow.id, move.reason, flow.workshop.now()))
          call.emit(event);
        break;
      case 'accept':
        throw new Error('accepted work must have been integrated');
    }
    return move.move;
  });
}

/** Not journaled, like all tidying up: whatever a crash leaves here is swept at the next start. */
function leave(flow: TaskFlow): void {
  flow.workshop.releasePorts(flow.context.run, flow.id);
}

export function scratchOf(flow: TaskFlow): string {
  const scratch = join(flow.premises.scratch, 'tasks', flow.slug);
  mkdirSync(scratch, { recursive: true });
  return scratch;
}

/** For the files of one agent; the task's other programs have no business there. */
export function agentScratch(flow: TaskFlow, attempt: number): string {
  return join(scratchOf(flow), `agent-${attempt}`);
}

/** Where an attempt that was cut off left its traces: with the holder that let it begin. */
export function tracesOf(flow: TaskFlow, attempt: number): string {
  const all = flow.workshop.folders.scratch(flow.context.run);
  const holders = readdirSync(all).toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  const places = holders.map((holder) => join(all, holder, 'tasks', flow.slug, `agent-${attempt}`));
  return places.find((place) => existsSync(place)) ?? agentScratch(flow, attempt);
}
