import type { Decision } from '#app/workplace/decision.ts';
import type { RunState } from '#crew/state/state.ts';
import type { Workshop } from '#crew/workshop.ts';
import { shellWord } from '#lib/shell-word.ts';
import { UsageError } from '#schema/errors.ts';
import type { RunRoom } from './run-room.ts';
import { sendSignal } from './send-signal.ts';

interface Retry {
  readonly task: string | undefined;
  readonly context: string | undefined;
}

/** Requests a retry. Returns the workshop to drive the run in; null if another process already drives it. */
export async function requestRetry(
  { runs, state, workshop }: RunRoom,
  decision: Decision,
  run: string,
  { task: wanted, context = '' }: Retry,
): Promise<Workshop | null> {
  const known = state(run);
  const task = retriable(known, run, wanted);
  sendSignal(runs.engine, run, { name: 'retry', payload: { task, context } }, decision);
  return runs.engine.holder(run)?.isAlive ? null : workshop(known.settings);
}

/** The task, if it has failed; only failed tasks can be retried. */
export function retriable({ steps }: RunState, run: string, task: string | undefined): string {
  const failed = [...steps.values()].filter(({ status }) => status === 'failed' || status === 'escalated');
  const names = failed.map((step) => step.task.id);
  if (task !== undefined && names.includes(task)) return task;
  const status = task === undefined ? undefined : steps.get(task)?.status;
  throw new UsageError({
    code: task === undefined ? 'no-task' : status === undefined ? 'unknown-task' : 'not-failed',
    message:
      task === undefined
        ? 'which task? --task is missing'
        : `task ${task} of run ${run} ${status === undefined ? 'does not exist' : `is ${status} and needs no other try`}`,
    hint:
      names.length > 0
        ? names.map((name) => `joinery retry ${run} --task ${shellWord(name)}`).join(', or: ')
        : `joinery status ${run}`,
  });
}
