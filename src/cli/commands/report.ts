import { measureAll, reportWithMeasures } from '#app/handoffs/measure-runs.ts';
import { withRuns } from '#app/runs/run-room.ts';
import type { Run } from '#cli/args/invocation.ts';
import { renderFinal } from '#report/run/final.ts';
import { renderTrend } from '#report/run/measures.ts';
import { type ExitCode, exitCodes } from '#schema/exit-codes.ts';
import type { reportTable } from './report.table.ts';

export const run: Run<typeof reportTable> = (invocation) =>
  withRuns(invocation, async (room) => {
    const { positionals, options, globals, terminal } = invocation;
    if (options.trend) {
      const trend = await measureAll(room);
      if (globals.json) terminal.printJson(trend);
      else terminal.print(renderTrend(trend));
      return exitCodes.ok;
    }
    const report = await reportWithMeasures(room, room.choose(positionals[0]));
    if (globals.json) terminal.printJson(report);
    else terminal.print(renderFinal(report));
    return report.exitCode as ExitCode;
  });
