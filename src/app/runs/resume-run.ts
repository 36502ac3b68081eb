import type { Decision } from '#app/workplace/decision.ts';
import { hasEnded, isSettled, openQuestions } from '#crew/state/state.ts';
import type { Workshop } from '#crew/workshop.ts';
import type { Budget } from '#schema/spending.ts';
import { rebuildRun, stateNow } from './report-run.ts';
import { demandAgents, type RunRoom } from './run-room.ts';
import { sendSignal } from './send-signal.ts';

export interface ResumeWishes {
  /** Computes the new budget from the current one; null: unchanged. */
  readonly budgetFrom: (now: Budget) => Budget | null;
  /** Open questions get their default answers. */
  readonly answersDefaults: boolean;
}

/** The workshop that continues the run; null if the run has ended and only its reports were rewritten. */
export async function prepareResume(
  room: RunRoom,
  decision: Decision,
  run: string,
  wishes: ResumeWishes,
): Promise<Workshop | null> {
  const known = room.state(run);
  // A signal that arrived while no process drove the run may ask for a retry.
  if (hasEnded(known) && !room.runs.engine.hasWaitingSignal(run)) {
    // A process killed after the last event of its run may not have written the reports.
    rebuildRun(room, run);
    return null;
  }
  const workshop = await room.workshop(known.settings);
  const open = [...known.steps.values()].filter((step) => !isSettled(step));
  demandAgents(
    workshop,
    open.map(({ task }) => task.agent ?? known.settings.roles.developer ?? known.settings.agent),
  );
  const { engine } = room.runs;
  const budget = wishes.budgetFrom(known.budget);
  if (budget) sendSignal(engine, run, { name: 'budget', payload: budget }, decision);
  const isMoot = known.landed === null && (await stateNow(room, run)).landed !== null;
  // The person has moved the target, so the question whether to land is moot.
  if (isMoot)
    sendSignal(
      engine,
      run,
      {
        name: 'land',
        payload: { mayUpdateCheckout: false, isPartial: known.isPartial, decisions: [], accept: [] },
      },
      decision,
    );
  else if (wishes.answersDefaults) {
    for (const question of openQuestions(known).filter(({ kind }) => kind !== 'budget' || !budget)) {
      const payload = { question: question.id, answer: question.default, text: '' };
      sendSignal(engine, run, { name: 'answer', payload }, decision);
    }
  }
  return workshop;
}
