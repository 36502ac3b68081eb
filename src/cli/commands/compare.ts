import { compareHere } from '#app/runs/compare-runs.ts';
import { withRuns } from '#app/runs/run-room.ts';
import type { Run } from '#cli/args/invocation.ts';
import { pageOf } from '#cli/terminal/page.ts';
import { renderCompare } from '#report/run/compare.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { compareTable } from './compare.table.ts';

export const run: Run<typeof compareTable> = (invocation) =>
  withRuns(invocation, async (room) => {
    const { positionals, globals, terminal, env } = invocation;
    const report = await compareHere(room, positionals);
    if (globals.json) terminal.printJson(report);
    else terminal.print(renderCompare(report, pageOf(terminal, env)));
    return exitCodes.ok;
  });
