import { setTimeout as wait } from 'node:timers/promises';
import { UsageError } from '#schema/errors.ts';
import type { RunEvent } from '#schema/event.ts';
import type { RunRoom } from './run-room.ts';

const pollMs = 200;

interface LogWishes {
  /** Only events of this task. */
  readonly task: string | undefined;
  /** Continue as long as a process drives the run. */
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
    // Checked before reading, so that the last events before the holder releases the lease are read too.
    const isDriven = engine.holder(run)?.isAlive ?? false;
    for (const event of engine.read(run, seen)) {
      seen = event.seq;
      if (task === undefined || event.step === task) yield event;
    }
    if (!follow || !isDriven) return;
    await wait(pollMs);
  }
}
