import type { Decision } from '#app/workplace/decision.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import type { RunState } from '#crew/state/state.ts';
import { openFixOf, remainingOf } from '#crew/steer/rework.ts';
import { UsageError } from '#schema/errors.ts';
import { reworkForTarget } from './rework-for-target.ts';
import type { RunRoom } from './run-room.ts';
import { sendSignal } from './send-signal.ts';

/**
 * Requests one task for everything that remains, or one that makes accepted work fit a target that has moved. Returns
 * the tasks concerned.
 */
export async function requestRework(
  here: Pick<Surroundings, 'env' | 'terminal' | 'onInterrupt'>,
  room: RunRoom,
  decision: Decision,
  run: string,
): Promise<string[]> {
  const { runs, state } = room;
  const known = state(run);
  const fix = openFixOf(known);
  if (fix) throw underWay(run, fix.task.id);
  const open = remainingOf(known).map(({ task }) => task.id);
  const forTarget = open.length > 0 ? null : await reworkForTarget(here, room, run, known);
  if (open.length === 0 && forTarget === null) throw nothingToRework(run, known);
  sendSignal(runs.engine, run, { name: 'rework', payload: forTarget }, decision);
  return open.length > 0 ? open : [...known.steps.keys()];
}

function underWay(run: string, task: string): UsageError {
  return new UsageError({
    code: 'rework-under-way',
    message: `task ${task} of run ${run} works on what remains already`,
    hint: `joinery resume ${run}`,
  });
}

function nothingToRework(run: string, { status }: RunState): UsageError {
  return new UsageError({
    code: 'nothing-to-rework',
    message: `run ${run} is ${status}: no task of it waits for a rework, and its work fits its target`,
    hint: `joinery report ${run}`,
  });
}
