import { setTimeout as wait } from 'node:timers/promises';
import { UsageError } from '#schema/errors.ts';
import type { RunEvent } from '#schema/event.ts';
import type { RunRoom } from './run-room.ts';

const pollMs = 200;

interface LogWishes {
  /** Only events of this task. */
  readonly task: string | undefined;
  /** Go on as long as a process drives the run. */
  readonly follow: boolean;
}

/** The events of a run, oldest first. */
export async function* followLog(
  { runs: { engine }, state }: RunRoom,
  run: string,
  { task, follow }: LogWishes,
): AsyncGenerator<RunEvent> {
  const { steps } = state(run);
  if (task !== undefined && !steps.has(task)) {
    throw new UsageError({
      code: 'unknown-task',
      message: `run ${run} has no task ${task}`,
      hint: `its tasks: ${[...steps.keys()].join(', ')}`,
    });
  }
  let seen = 0;
  for (;;) {
    // Asked before reading: what a holder writes before it lets go is then read in any case.
    const isDriven = engine.holder(run)?.isAlive ?? false;
    for (const event of engine.read(run, seen)) {
      seen = event.seq;
      if (task === undefined || event.step === task) yield event;
    }
    if (!follow || !isDriven) return;
    await wait(pollMs);
  }
}
