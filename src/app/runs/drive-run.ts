import { hostname } from 'node:os';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { driveRun } from '#crew/run-plan.ts';
import { liveOf } from '#crew/state/live.ts';
import type { Workshop } from '#crew/workshop.ts';
import type { RunEvent } from '#schema/event.ts';
import type { LiveRun } from '#schema/live-run.ts';
import { answerFrom, type RunAnswer } from './report-run.ts';

/** Called for every new event; `live` is the run as it is then. */
export type ObserveRun = (events: readonly RunEvent[], live: () => LiveRun) => void;

/** Drives a run until it has ended, waits for a person or is interrupted: then it stops in order. */
export async function driveHere(
  { onInterrupt }: Pick<Surroundings, 'onInterrupt'>,
  workshop: Workshop,
  run: string,
  observe: ObserveRun,
): Promise<RunAnswer> {
  const stop = new AbortController();
  const ended = Promise.withResolvers<void>();
  const forget = onInterrupt(() => {
    stop.abort('interrupted');
    return ended.promise;
  });
  try {
    const state = await driveRun(workshop, run, {
      stop: stop.signal,
      holder: `${hostname()}:${process.pid}`,
      observe: (events, now) => observe(events, () => liveOf(run, now)),
    });
    return answerFrom(run, state);
  } finally {
    ended.resolve();
    forget();
  }
}
