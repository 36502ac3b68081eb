import { assertOpen, understand } from '#app/runs/answer-question.ts';
import { assertCanLand } from '#app/runs/can-land.ts';
import { retriable } from '#app/runs/retry-task.ts';
import type { RunRoom } from '#app/runs/run-room.ts';
import { recordSignals, type sendSignal } from '#app/runs/send-signal.ts';
import { assertAtWork } from '#app/runs/steer-task.ts';
import { decideAtDashboard } from '#app/workplace/decision.ts';
import { hasEnded } from '#crew/state/state.ts';
import { EngineError } from '#durable/engine-error.ts';
import { describeDecider } from '#schema/decision.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { BackgroundRuns } from './background-runs.ts';
import { notFound } from './not-found.ts';
import type { RunReadings } from './run-readings.ts';
import type { Window } from './window.ts';

type Wishes = Pick<Window, 'start' | 'resume' | 'steer' | 'stop' | 'answer' | 'retry' | 'budget' | 'cancel'>;

/** What a person in front of the dashboard can ask of runs. Each request has an id: the same one twice counts once. */
export function runWishes(room: RunRoom, readings: RunReadings, background: BackgroundRuns): Wishes {
  const { engine } = room.runs;
  const isDriven = (run: string) => readings.holderOf(run) !== null;
  /** `assertPossible` runs only for a new request: a repeated one may already have taken effect. */
  const send = (
    run: string,
    id: string,
    wish: Parameters<typeof sendSignal>[2],
    assertPossible: () => unknown,
  ) => {
    engine.assertKnown(run);
    const isNew = !engine.hasSignal(run, id);
    if (isNew) {
      assertPossible();
      engine.signal(run, { id, ...wish, by: describeDecider(decideAtDashboard()) });
    }
    return { isNew, isDriven: isDriven(run) };
  };
  const assertNotEnded = (run: string) => {
    const { state } = readings.of(run);
    if (hasEnded(state))
      throw new EngineError('run-ended', `run ${run} is ${state.status}`, {
        exitCode: exitCodes.needsPerson,
        hint: `joinery status ${run}`,
      });
  };
  const assertWorks = (run: string, task: string) => () => assertAtWork(readings.of(run).state, run, task);

  return {
    start: (id, spec, agent) => background.start(id, spec, agent),
    async resume(run, id) {
      engine.assertKnown(run);
      if (!isDriven(run)) await background.resume(id, run, () => isDriven(run));
      return { isDriven: true };
    },
    steer: (run, id, task, text) =>
      send(run, id, { name: 'steer', payload: { task, text } }, assertWorks(run, task)),
    stop: (run, id, task, reason) =>
      send(run, id, { name: 'stop', payload: { task, reason } }, assertWorks(run, task)),
    async answer(run, id, question, words) {
      const { state } = readings.of(run);
      const asked = state.questions.get(question);
      if (!asked) throw notFound(`run ${run} has no question ${question}`);
      const payload = { question, ...understand(asked.question, words) };
      if (asked.answer === null && !engine.hasSignal(run, id))
        await assertCanLand(room, state, asked.question, payload.answer);
      const sent = send(run, id, { name: 'answer', payload }, () => assertOpen(run, asked, payload.answer));
      // No process would record it: the card would stay open, here and on the command line.
      if (sent.isNew && !sent.isDriven) await recordSignals(room, run);
      return sent;
    },
    async retry(run, id, task, context) {
      const wish = { name: 'retry', payload: { task, context } } as const;
      const sent = send(run, id, wish, () => retriable(readings.of(run).state, run, task));
      if (sent.isNew && !sent.isDriven) await background.resume(id, run, () => !engine.hasWaitingSignal(run));
      return { isDriven: true };
    },
    budget: (run, id, budget) =>
      send(run, id, { name: 'budget', payload: budget }, () => assertNotEnded(run)),
    cancel: (run, id) =>
      send(run, id, { name: 'cancel', payload: null }, () => {
        if (readings.of(run).state.status !== 'cancelled') assertNotEnded(run);
      }),
  };
}
