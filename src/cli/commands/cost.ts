import { reportCost } from '#app/runs/report-run.ts';
import { withRuns } from '#app/runs/run-room.ts';
import type { Run } from '#cli/args/invocation.ts';
import { pageOf } from '#cli/terminal/page.ts';
import { renderCost } from '#report/run/cost.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { costTable } from './cost.table.ts';

export const run: Run<typeof costTable> = (invocation) =>
  withRuns(invocation, async (room) => {
    const { positionals, globals, terminal, env } = invocation;
    const report = reportCost(room, room.choose(positionals[0]));
    if (globals.json) terminal.printJson(report);
    else terminal.print(renderCost(report, pageOf(terminal, env)));
    return exitCodes.ok;
  });
