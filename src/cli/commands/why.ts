import { withRuns } from '#app/run-room.ts';
import type { Run } from '#cli/args/invocation.ts';
import { chooseRun } from '#crew/state/catalogue.ts';
import { tellWhy, whyOf } from '#crew/state/why.ts';
import { nearest } from '#lib/nearest.ts';
import { UsageError } from '#schema/errors.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { whyTable } from './why.table.ts';

export const run: Run<typeof whyTable> = (invocation) =>
  withRuns(invocation, async ({ runs, state: read }) => {
    const { options, positionals, globals, terminal } = invocation;
    const id = chooseRun(runs.engine, options.run, 'any');
    const state = read(id);
    const task = positionals[0] ?? '';
    if (!state.steps.has(task)) {
      const meant = nearest(task, [...state.steps.keys()]);
      throw new UsageError({
        code: 'unknown-task',
        message: `run ${id} has no task ${JSON.stringify(task)}`,
        hint:
          meant === null
            ? `joinery status ${id}`
            : `did you mean ${meant}? All of them: joinery status ${id}`,
      });
    }
    const report = whyOf(id, state, task, runs.folders.root);
    if (globals.json) terminal.printJson(report);
    else terminal.print(tellWhy(report).join('\n'));
    return exitCodes.ok;
  });
