import { withRuns } from '#app/run-room.ts';
import { sendSignal } from '#app/send-signal.ts';
import type { Run } from '#cli/args/invocation.ts';
import { driveInForeground } from '#cli/terminal/drive.ts';
import { chooseRun } from '#crew/state/catalogue.ts';
import { reportOf } from '#crew/state/report.ts';
import type { RunState } from '#crew/state/state.ts';
import { UsageError } from '#schema/errors.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { retryTable } from './retry.table.ts';

export const run: Run<typeof retryTable> = (invocation) =>
  withRuns(invocation, async ({ runs, state, workshop }) => {
    const { options, positionals, globals, terminal } = invocation;
    const id = chooseRun(runs.engine, positionals[0], 'any');
    const known = state(id);
    const task = retriable(known, id, options.task);
    sendSignal(runs.engine, id, { name: 'retry', payload: { task, context: options.context } });
    if (!runs.engine.holder(id)?.isAlive) return driveInForeground(invocation, workshop(known.settings), id);
    if (globals.json) terminal.printJson(reportOf(id, state(id)));
    else terminal.print(`Told the process that drives run ${id}. Watch it: joinery logs -f ${id}`);
    return exitCodes.ok;
  });

function retriable({ steps }: RunState, run: string, task: string | undefined): string {
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
    hint: names.length > 0 ? `tasks that can be tried again: ${names.join(', ')}` : `joinery status ${run}`,
  });
}
