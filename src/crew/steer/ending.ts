import {
  isAccepted,
  isSettled,
  openQuestions,
  type RunState,
  staysOnItsBranch,
  stepOf,
} from '#crew/state/state.ts';
import type { EventDraft } from '#schema/event.ts';
import type { Question } from '#schema/run.ts';

/** A person answered `stop`, and the reason for the question still exists. */
export function isToldToStop(state: RunState): boolean {
  const told = [...state.questions.values()].filter(({ answer }) => answer === 'stop');
  return told.some(({ question }) => isStillAsked(state, question));
}

function isStillAsked(state: RunState, { kind, about }: Question): boolean {
  switch (kind) {
    case 'halt':
      return state.isHalted;
    case 'budget':
      return state.isOverspent;
    case 'plan':
    case 'land':
    case 'findings':
      return false;
    case 'escalation':
    case 'contract':
      return stepOf(state, about ?? '').status === 'escalated';
  }
}

/** Every task is accepted, or a person wants to land a part, and nothing waits for an answer. */
export function isReadyToLand(state: RunState): boolean {
  if (isToldToStop(state) || openQuestions(state).length > 0) return false;
  const steps = [...state.steps.values()];
  return state.isPartial
    ? steps.every(isSettled)
    : steps.length > 0 && steps.every((step) => isAccepted(state, step));
}

/** What a run records when its process stops working on it: the run ends, or pauses and can be resumed. */
export function closingEvents(
  state: RunState,
  { isCancelled, isInterrupted }: { readonly isCancelled: boolean; readonly isInterrupted: boolean },
): EventDraft[] {
  const steps = [...state.steps.values()];
  const open = steps.filter((step) => !isSettled(step));
  const skip = (because: 'cancelled' | 'halted' | 'dependency', reason: string): EventDraft[] =>
    open.map((step) => ({ type: 'step.skipped', step: step.task.id, data: { because, reason } }));
  if (isCancelled)
    return [...skip('cancelled', 'the run was cancelled'), ended('cancelled', 'cancelled by a person')];
  if (isToldToStop(state)) return [...skip('halted', 'the run was stopped'), ended('failed', 'stopped')];
  if (isInterrupted) return [paused('interrupted')];
  if (openQuestions(state).length > 0) return [paused('awaiting_human')];
  const bad = steps.filter(({ status }) => status === 'failed' || status === 'escalated');
  if (bad.length === 0 && open.length === 0) return [complete(state)];
  const blocked = bad.map((step) => step.task.id).join(', ');
  return [
    ...skip('dependency', `it needs work that was not accepted: ${blocked}`),
    ended('failed', `not accepted: ${blocked}`),
  ];
}

/** A run that is not landed yet pauses: the next process that can land it continues. */
function complete(state: RunState): EventDraft {
  const isDone = state.landed !== null || staysOnItsBranch(state);
  return isDone ? ended('done', '') : paused('interrupted');
}

function paused(reason: 'interrupted' | 'awaiting_human'): EventDraft {
  return { type: 'run.paused', data: { reason } };
}

function ended(status: 'done' | 'failed' | 'cancelled', reason: string): EventDraft {
  return { type: 'run.ended', data: { status, reason } };
}
