import type { Decision } from '#app/workplace/decision.ts';
import { reportOf } from '#crew/state/report.ts';
import { hasEnded } from '#crew/state/state.ts';
import { EngineError } from '#durable/engine-error.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { RunReport } from '#schema/run.ts';
import type { RunRoom } from './run-room.ts';
import { deliver } from './send-signal.ts';

/** Cancels a run for good. Calls `confirm` before anything happens. */
export async function cancelRun(
  room: RunRoom,
  decision: Decision,
  run: string,
  confirm: () => Promise<void>,
): Promise<RunReport> {
  if (!hasEnded(room.state(run))) {
    await confirm();
    await deliver(room, run, { name: 'cancel', payload: null }, decision, hasEnded);
  }
  const after = room.state(run);
  if (after.status === 'cancelled') return reportOf(run, after);
  throw new EngineError('not-cancelled', `run ${run} is ${after.status} and was not cancelled`, {
    exitCode: exitCodes.needsPerson,
    hint: `joinery status ${run}`,
  });
}
