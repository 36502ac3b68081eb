import { reportWhy } from '#app/runs/report-run.ts';
import { withRuns } from '#app/runs/run-room.ts';
import type { Run } from '#cli/args/invocation.ts';
import { renderWhy } from '#report/run/why.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { whyTable } from './why.table.ts';

export const run: Run<typeof whyTable> = (invocation) =>
  withRuns(invocation, async (room) => {
    const { options, positionals, globals, terminal } = invocation;
    const report = reportWhy(room, room.choose(options.run), positionals[0] ?? '');
    if (globals.json) terminal.printJson(report);
    else terminal.print(renderWhy(report).join('\n'));
    return exitCodes.ok;
  });
