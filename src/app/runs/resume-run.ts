import { hasEnded, isSettled, openQuestions } from '#crew/state/state.ts';
import type { Workshop } from '#crew/workshop.ts';
import type { Budget } from '#schema/spending.ts';
import { rebuildRun, stateNow } from './report-run.ts';
import { demandAgents, type RunRoom } from './run-room.ts';
import { sendSignal } from './send-signal.ts';

export interface ResumeWishes {
  /** The new budget, made from the one the run has now; null: it stays as it is. */
  readonly budgetFrom: (now: Budget) => Budget | null;
  /** Open questions get their default answers. */
  readonly answersDefaults: boolean;
}

/** The workshop in which the run goes on; null when it has ended and only its reports had to be written. */
export async function prepareResume(
  room: RunRoom,
  run: string,
  wishes: ResumeWishes,
): Promise<Workshop | null> {
  const known = room.state(run);
  // Somebody who was not there to drive it may have asked for another try.
  if (hasEnded(known) && !room.runs.engine.hasWaitingSignal(run)) {
    // A process killed after the last event of its run may not have written the reports.
    rebuildRun(room, run);
    return null;
  }
  const workshop = room.workshop(known.settings);
  const open = [...known.steps.values()].filter((step) => !isSettled(step));
  demandAgents(
    workshop,
    open.map(({ task }) => task.agent ?? known.settings.roles.developer ?? known.settings.agent),
  );
  const { engine } = room.runs;
  const budget = wishes.budgetFrom(known.budget);
  if (budget) sendSignal(engine, run, { name: 'budget', payload: budget });
  const isMoot = known.landed === null && (await stateNow(room, run)).landed !== null;
  // The person has moved the target: whether to do that is no question any more.
  if (isMoot)
    sendSignal(engine, run, {
      name: 'land',
      payload: { mayUpdateCheckout: false, isPartial: known.isPartial, decisions: [] },
    });
  else if (wishes.answersDefaults) {
    for (const question of openQuestions(known).filter(({ kind }) => kind !== 'budget' || !budget)) {
      sendSignal(engine, run, {
        name: 'answer',
        payload: { question: question.id, answer: question.default, text: '' },
      });
    }
  }
  return workshop;
}
