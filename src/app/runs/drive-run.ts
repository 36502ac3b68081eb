import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { holderName } from '#app/workplace/holder-name.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { driveRun } from '#crew/run-plan.ts';
import { liveOf } from '#crew/state/live.ts';
import type { Workshop } from '#crew/workshop.ts';
import { EnvironmentError } from '#schema/errors.ts';
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

const glanceMs = 1000;

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
  const { commonDir } = room.repository;
  const isGone = () => !existsSync(join(commonDir, 'HEAD'));
  // Nothing else would notice before the agents end, which may take an hour.
  const glance = setInterval(() => {
    if (isGone()) stop.abort('interrupted');
  }, glanceMs);
  let cause: unknown;
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
    if (!isGone()) return answerFrom(run, state);
  } catch (error) {
    if (!isGone()) throw error;
    cause = error;
  } finally {
    clearInterval(glance);
    ended.resolve();
    forget();
  }
  throw repositoryGone(run, commonDir, cause);
}

function repositoryGone(run: string, folder: string, cause: unknown): EnvironmentError {
  return new EnvironmentError({
    code: 'repository-gone',
    message: `the repository ${folder} was deleted or moved while run ${run} worked on it`,
    hint: `bring it back, then: joinery resume ${run}`,
    cause,
  });
}
