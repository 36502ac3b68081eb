import { forkRun } from '#app/runs/fork-run.ts';
import { withRuns } from '#app/runs/run-room.ts';
import { readInput } from '#app/workplace/input-file.ts';
import type { Run } from '#cli/args/invocation.ts';
import { driveInForeground } from '#cli/terminal/drive.ts';
import { Scenario } from '#schema/scenario.ts';
import type { forkTable } from './fork.table.ts';

export const run: Run<typeof forkTable> = (invocation) =>
  withRuns(invocation, async (room) => {
    const { options, positionals, cwd, terminal } = invocation;
    const { at, agent, model, context } = options;
    const from = room.choose(positionals[0]);
    const scenario =
      options.scenario === undefined ? null : readInput(cwd, options.scenario, Scenario, 'scenario');
    const lands = options.land === true;
    const { run: id, workshop } = await forkRun(room, from, { at, agent, model, context, lands, scenario });
    terminal.progress(`run ${id}, forked from ${from} at ${at}`);
    return driveInForeground(invocation, { room, workshop, run: id, isSure: options.yes === true });
  });
