import { listRuns } from '#app/runs/list-runs.ts';
import { withRuns } from '#app/runs/run-room.ts';
import type { Run } from '#cli/args/invocation.ts';
import { renderRuns } from '#report/run/runs.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { runsTable } from './runs.table.ts';

export const run: Run<typeof runsTable> = (invocation) =>
  withRuns(invocation, async (room) => {
    const report = await listRuns(room);
    if (invocation.globals.json) invocation.terminal.printJson(report);
    else invocation.terminal.print(renderRuns(report));
    return exitCodes.ok;
  });
