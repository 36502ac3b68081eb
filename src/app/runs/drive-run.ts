import { holderName } from '#app/workplace/holder-name.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { driveRun } from '#crew/run-plan.ts';
import { liveOf } from '#crew/state/live.ts';
import type { Workshop } from '#crew/workshop.ts';
import type { RunEvent } from '#schema/event.ts';
import type { LiveRun } from '#schema/live-run.ts';
import type { AskPerson } from './land-or-ask.ts';
import { landPhase } from './land-phase.ts';
import { leadAttempt } from './lead-attempt.ts';
import { planPhase } from './plan-phase.ts';
import { answerFrom, type RunAnswer } from './report-run.ts';
import { reviewWork } from './review-work.ts';
import type { RunRoom } from './run-room.ts';

/** Called for every new event; `live` returns the state of the run at that moment. */
type ObserveRun = (events: readonly RunEvent[], live: () => LiveRun) => void;

interface DriveWishes {
  readonly observe: ObserveRun;
  readonly ask: AskPerson;
}

/** Drives a run until it ends, waits for a person, or is interrupted, and then stops it cleanly. */
export async function driveHere(
  here: Pick<Surroundings, 'onInterrupt' | 'env' | 'terminal'>,
  room: RunRoom,
  workshop: Workshop,
  run: string,
  { observe, ask }: DriveWishes,
): Promise<RunAnswer> {
  // A live view shows the events; progress lines between them would disturb it.
  const quiet = { ...here, terminal: { warn: here.terminal.warn, progress: () => {} } };
  const stop = new AbortController();
  const ended = Promise.withResolvers<void>();
  const forget = here.onInterrupt(() => {
    stop.abort('interrupted');
    return ended.promise;
  });
  try {
    const state = await driveRun(workshop, run, {
      stop: stop.signal,
      phases: {
        plan: planPhase(quiet, room),
        land: landPhase(quiet, room, ask),
        review: reviewWork(quiet, room),
        lead: leadAttempt(quiet, room),
      },
      holder: holderName(),
      observe: (events, now) => observe(events, () => liveOf(run, now)),
    });
    return answerFrom(run, state);
  } finally {
    ended.resolve();
    forget();
  }
}
