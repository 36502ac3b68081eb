import { reportRun } from '#app/runs/report-run.ts';
import { withRuns } from '#app/runs/run-room.ts';
import { stopTask } from '#app/runs/steer-task.ts';
import { decisionOf, type Run } from '#cli/args/invocation.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { stopTable } from './stop.table.ts';

export const run: Run<typeof stopTable> = (invocation) =>
  withRuns(invocation, async (room) => {
    const { options, positionals, globals, terminal } = invocation;
    const [task = ''] = positionals;
    const id = room.choose(options.run, 'unfinished');
    await stopTask(room, decisionOf(invocation), id, { task, reason: options.reason });
    if (globals.json) terminal.printJson((await reportRun(room, id)).report);
    else terminal.print(`Task ${task} is stopped. Start it again: joinery retry ${id} --task ${task}`);
    return exitCodes.ok;
  });
