import { cancelRun } from '#app/runs/cancel-run.ts';
import { withRuns } from '#app/runs/run-room.ts';
import { decisionOf, type Run } from '#cli/args/invocation.ts';
import { confirm } from '#cli/terminal/confirm.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { cancelTable } from './cancel.table.ts';

export const run: Run<typeof cancelTable> = (invocation) =>
  withRuns(invocation, async (room) => {
    const { options, positionals, globals, terminal } = invocation;
    const id = room.choose(positionals[0], 'unfinished');
    const report = await cancelRun(room, decisionOf(invocation), id, () =>
      confirm(`Cancel run ${id}?`, {
        isSure: options.yes === true,
        command: `joinery cancel ${id}`,
        terminal,
      }),
    );
    if (globals.json) terminal.printJson(report);
    else terminal.print(`Run ${id} is cancelled. Its branches stay until: joinery prune ${id}`);
    return exitCodes.ok;
  });
