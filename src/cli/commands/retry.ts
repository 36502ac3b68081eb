import { reportRun } from '#app/runs/report-run.ts';
import { requestRetry } from '#app/runs/retry-task.ts';
import { withRuns } from '#app/runs/run-room.ts';
import { decisionOf, type Run } from '#cli/args/invocation.ts';
import { driveInForeground } from '#cli/terminal/drive.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { retryTable } from './retry.table.ts';

export const run: Run<typeof retryTable> = (invocation) =>
  withRuns(invocation, async (room) => {
    const { options, positionals, globals, terminal } = invocation;
    const id = room.choose(positionals[0]);
    const workshop = await requestRetry(room, decisionOf(invocation), id, options);
    if (workshop) return driveInForeground(invocation, { room, workshop, run: id, isSure: false });
    if (globals.json) terminal.printJson((await reportRun(room, id)).report);
    else terminal.print(`Sent to the process that drives run ${id}. Watch it: joinery logs -f ${id}`);
    return exitCodes.ok;
  });
