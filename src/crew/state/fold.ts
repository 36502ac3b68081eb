import { IllegalEventError } from '#durable/engine-error.ts';
import { isAboutRun, type RunEvent, type StepLevelType } from '#schema/event.ts';
import { applyToRun } from './fold-run.ts';
import { applyToStep } from './fold-step.ts';
import { type RunState, stateOf, stepOf } from './state.ts';

/** Folds a log into a state. Throws on a log that no run can have written. */
export function foldEvents(events: Iterable<RunEvent>): RunState {
  let state: RunState | null = null;
  for (const event of events) {
    if (state) applyEvent(state, event);
    else if (event.type === 'run.created') state = stateOf(event.data, event.at);
    else throw new IllegalEventError(event.type, 'a log begins with run.created');
  }
  if (!state) throw new Error('a run without events');
  return state;
}

/** Applies one event. Every check comes before the first change, so a refused event changes nothing. */
export function applyEvent(state: RunState, event: RunEvent): void {
  if (event.seq !== state.seq + 1)
    throw new IllegalEventError(event.type, `number ${event.seq} after ${state.seq}`);
  if (isAboutRun(event)) applyToRun(state, event);
  else applyToStep(state, stepOf(state, event.step ?? ''), event as RunEvent<StepLevelType>);
  state.seq = event.seq;
  state.at = event.at;
}
