import { reportRun } from '#app/runs/report-run.ts';
import { withRuns } from '#app/runs/run-room.ts';
import type { Run } from '#cli/args/invocation.ts';
import { printRun } from '#cli/terminal/print-run.ts';
import type { statusTable } from './status.table.ts';

export const run: Run<typeof statusTable> = (invocation) =>
  withRuns(invocation, async (room) =>
    printRun(invocation, await reportRun(room, room.choose(invocation.positionals[0]))),
  );
