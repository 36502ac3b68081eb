import { reportFinal } from '#app/runs/report-run.ts';
import { withRuns } from '#app/runs/run-room.ts';
import type { Run } from '#cli/args/invocation.ts';
import { renderFinal } from '#report/run/final.ts';
import type { ExitCode } from '#schema/exit-codes.ts';
import type { reportTable } from './report.table.ts';

export const run: Run<typeof reportTable> = (invocation) =>
  withRuns(invocation, async (room) => {
    const { positionals, globals, terminal } = invocation;
    const report = await reportFinal(room, room.choose(positionals[0]));
    if (globals.json) terminal.printJson(report);
    else terminal.print(renderFinal(report));
    return report.exitCode as ExitCode;
  });
