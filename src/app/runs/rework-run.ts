import type { RunState } from '#crew/state/state.ts';
import { openFixOf, remainingOf } from '#crew/steer/rework.ts';
import { JoineryError, UsageError } from '#schema/errors.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { RunRoom } from './run-room.ts';
import { sendSignal } from './send-signal.ts';

/** Asks for one task from all that remains. Returns the tasks whose work it takes over. */
export function requestRework({ runs, state }: RunRoom, run: string): string[] {
  const known = state(run);
  const fix = openFixOf(known);
  if (fix) throw underWay(run, fix.task.id);
  const open = remainingOf(known).map(({ task }) => task.id);
  if (open.length === 0) throw nothingToRework(run, known);
  sendSignal(runs.engine, run, { name: 'rework', payload: null });
  return open;
}

function underWay(run: string, task: string): UsageError {
  return new UsageError({
    code: 'rework-under-way',
    message: `task ${task} of run ${run} works on what remains already`,
    hint: `joinery resume ${run}`,
  });
}

function nothingToRework(run: string, { integrations, status }: RunState): JoineryError {
  const report = integrations.at(-1)?.report;
  const isBlocked = report !== undefined && report.status !== 'ready' && report.status !== 'nothing';
  return new JoineryError({
    code: 'nothing-to-rework',
    message: isBlocked
      ? `every task of run ${run} was accepted, and the result does not fit its target (${report.status})`
      : `run ${run} is ${status}: no task of it waits for a rework`,
    hint: isBlocked ? `land what fits: joinery integrate ${run} --partial` : `joinery report ${run}`,
    exitCode: isBlocked ? exitCodes.findings : exitCodes.usage,
  });
}
