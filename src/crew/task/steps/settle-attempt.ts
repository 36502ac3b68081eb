import { countedAttempts, stepOf } from '#crew/state/state.ts';
import { judgeChanges } from '#crew/steer/contract-changes.ts';
import { contractEvents, escalationEvents } from '#crew/steer/questions.ts';
import { reworksFor } from '#crew/steer/rework.ts';
import type { AttemptPlan, TaskFlow } from '#crew/task/task.ts';
import type { ContractChange } from '#schema/contract.ts';
import { Handoff } from '#schema/handoff.ts';
import { type Integrated, integrateAttempt } from './integrate-attempt.ts';
import { type LoopMove, nextMove } from './loop.ts';

/** Accepted work is integrated; otherwise the loop policy decides what comes next. */
export async function settleAttempt(flow: TaskFlow, plan: AttemptPlan): Promise<void> {
  const step = stepOf(flow.state, flow.id);
  const { loop } = flow.state.settings;
  let integrated: Integrated = 'out';
  // Work that waited was approved before; check again whether it fits now.
  if (step.parkedFor !== null || nextMove(loop, countedAttempts(step)).move === 'accept') {
    integrated = await integrateAttempt(flow, plan);
    if (integrated === 'in' || integrated === 'waits') return;
  }
  await flow.context.step(`${flow.id}/${plan.n}/settle`, (call) => {
    const move = integrated === 'stuck' ? stuck(flow) : nextMove(loop, countedAttempts(step));
    switch (move.move) {
      case 'again':
        call.emit({ type: 'step.revising', step: flow.id, data: { n: plan.n, reason: move.reason } });
        break;
      case 'fail':
        call.emit({ type: 'step.failed', step: flow.id, data: { reason: move.reason } });
        break;
      case 'escalate': {
        const { state, id, workshop } = flow;
        const pending = pendingChanges(flow);
        const events =
          pending.length > 0
            ? contractEvents(state, id, pending, workshop.now())
            : escalationEvents(state, id, move.reason, workshop.now());
        for (const event of events) call.emit(event);
        break;
      }
      case 'accept':
        throw new Error('accepted work must have been integrated');
    }
    return move.move;
  });
}

/** Contract changes that its last attempt requests and a person has to decide. */
function pendingChanges({ state, id, workshop, context }: TaskFlow): readonly ContractChange[] {
  const last = stepOf(state, id).attempts.at(-1);
  const hash = last?.outcome === 'ok' ? (last.played?.handoff ?? null) : null;
  const text = hash === null ? null : workshop.engine.artifact(context.run, hash);
  const changes = text === null ? [] : (Handoff.parse(JSON.parse(text)).contractChanges ?? []);
  return judgeChanges(state, id, changes).pending;
}

/** Accepted work was changed for it as often as allowed, and still does not fit. */
function stuck({ state, id }: TaskFlow): LoopMove {
  const step = stepOf(state, id);
  const messages = step.checks.at(-1)?.clashes.map(({ message }) => message) ?? [];
  const count = reworksFor(state, step).length;
  const reason = `${messages.join('; ')} (after ${count} ${count === 1 ? 'rework' : 'reworks'} of accepted work)`;
  return { move: state.settings.loop.onExhausted, reason };
}
