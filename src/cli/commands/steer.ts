import { reportRun } from '#app/runs/report-run.ts';
import { withRuns } from '#app/runs/run-room.ts';
import { steerTask } from '#app/runs/steer-task.ts';
import { decisionOf, type Run } from '#cli/args/invocation.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { steerTable } from './steer.table.ts';

export const run: Run<typeof steerTable> = (invocation) =>
  withRuns(invocation, async (room) => {
    const { options, positionals, globals, terminal } = invocation;
    const [task = '', text = ''] = positionals;
    const id = room.choose(options.run, 'unfinished');
    await steerTask(room, decisionOf(invocation), id, { task, text });
    if (globals.json) terminal.printJson((await reportRun(room, id)).report);
    else terminal.print(`The agent of ${task} reads it in its next turn. Watch it: joinery logs -f ${id}`);
    return exitCodes.ok;
  });
