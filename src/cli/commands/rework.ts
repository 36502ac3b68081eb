import { reportRun } from '#app/runs/report-run.ts';
import { requestRework } from '#app/runs/rework-run.ts';
import { withRuns, workshopToDrive } from '#app/runs/run-room.ts';
import { decisionOf, type Run } from '#cli/args/invocation.ts';
import { driveInForeground } from '#cli/terminal/drive.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { reworkTable } from './rework.table.ts';

export const run: Run<typeof reworkTable> = (invocation) =>
  withRuns(invocation, async (room) => {
    const { options, positionals, globals, terminal } = invocation;
    const id = room.choose(positionals[0]);
    const tasks = await requestRework(invocation, room, decisionOf(invocation), id);
    const workshop = await workshopToDrive(room, id);
    if (workshop)
      return driveInForeground(invocation, { room, workshop, run: id, isSure: options.yes === true });
    if (globals.json) terminal.printJson((await reportRun(room, id)).report);
    else
      terminal.print(
        `Sent to the process that drives run ${id}: one task for the remaining work of ${tasks.join(', ')}.`,
      );
    return exitCodes.ok;
  });
