import { withRuns } from '#app/run-room.ts';
import type { Run } from '#cli/args/invocation.ts';
import { printRun } from '#cli/terminal/drive.ts';
import { chooseRun } from '#crew/state/catalogue.ts';
import type { statusTable } from './status.table.ts';

export const run: Run<typeof statusTable> = (invocation) =>
  withRuns(invocation, async ({ runs, state }) => {
    const id = chooseRun(runs.engine, invocation.positionals[0], 'any');
    return printRun(invocation, id, state(id));
  });
