import { chooseRun } from '../../engine/catalogue.ts';
import { printRun } from '../drive.ts';
import type { Run } from '../invocation.ts';
import { withRuns } from '../run-room.ts';
import type { statusTable } from './status.table.ts';

export const run: Run<typeof statusTable> = (invocation) =>
  withRuns(invocation, async ({ runs, state }) => {
    const id = chooseRun(runs.engine, invocation.positionals[0], 'any');
    return printRun(invocation, id, state(id));
  });
