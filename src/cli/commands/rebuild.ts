import { rebuildRun } from '#app/runs/report-run.ts';
import { withRuns } from '#app/runs/run-room.ts';
import type { Run } from '#cli/args/invocation.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { rebuildTable } from './rebuild.table.ts';

export const run: Run<typeof rebuildTable> = (invocation) =>
  withRuns(invocation, async (room) => {
    const { globals, terminal, positionals } = invocation;
    const report = rebuildRun(room, room.choose(positionals[0]));
    const folders = report.folders.map((folder) => `  ${folder}`).join('\n');
    if (globals.json) terminal.printJson(report);
    else terminal.print(`${report.files} files in\n${folders}`);
    return exitCodes.ok;
  });
