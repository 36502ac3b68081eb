import { withRuns } from '#app/runs/run-room.ts';
import { prepareRun, settingsOfRun } from '#app/runs/start-run.ts';
import { readInput } from '#app/workplace/input-file.ts';
import { readPlan } from '#app/workplace/read-plan.ts';
import { flagsOf } from '#cli/args/flags.ts';
import type { Run } from '#cli/args/invocation.ts';
import { toNumber } from '#cli/args/to-number.ts';
import { driveInForeground } from '#cli/terminal/drive.ts';
import { UsageError } from '#schema/errors.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import { Scenario } from '#schema/scenario.ts';
import { runTable } from './run.table.ts';

export const run: Run<typeof runTable> = async (invocation) => {
  const { options, cwd, env, terminal, globals } = invocation;
  if (options.plan === undefined) {
    throw new UsageError({
      code: 'no-plan',
      message: 'a plan is missing',
      hint: 'joinery run --plan plan.json',
    });
  }
  const plan = readPlan(cwd, options.plan);
  return withRuns(invocation, async (room) => {
    const settings = await settingsOfRun(room, env, {
      agent: options.agent,
      isAutopilot: options.yes === true,
      scenario:
        options.scenario === undefined ? null : readInput(cwd, options.scenario, Scenario, 'scenario'),
      flags: flagsOf(runTable, {
        ...options,
        parallel: toNumber(options.parallel),
        budget: toNumber(options.budget),
        'budget-tokens': toNumber(options['budget-tokens']),
      }),
    });
    const { base, baseRef, order, workshop, create } = await prepareRun(room, {
      plan,
      settings,
      base: options.base,
    });
    if (!options['dry-run']) return driveInForeground(invocation, workshop, create());
    const lines = [
      `On ${baseRef} (${base.slice(0, 12)}), longest path first:`,
      ...order.map((id) => `  ${id}`),
    ];
    if (globals.json) terminal.printJson({ schema: 'joinery/run-plan@1', base, order });
    else terminal.print(lines.join('\n'));
    return exitCodes.ok;
  });
};
