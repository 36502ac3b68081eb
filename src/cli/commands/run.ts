import { readInput } from '#app/input-file.ts';
import { readPlan } from '#app/read-plan.ts';
import { demandAgents, type RunRoom, withRuns } from '#app/run-room.ts';
import type { Invocation, Run } from '#cli/args/invocation.ts';
import { toNumber } from '#cli/args/to-number.ts';
import { driveInForeground } from '#cli/terminal/drive.ts';
import { flagsOf, loadConfig } from '#config/read-config.ts';
import { createRun } from '#crew/run-plan.ts';
import { startOrder } from '#crew/steer/schedule.ts';
import { definitionsAt } from '#crew/task/definitions.ts';
import { readRef } from '#git/branches.ts';
import { GitError } from '#git/git-error.ts';
import { UsageError } from '#schema/errors.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import { defaultSettings, type RunSettings } from '#schema/run.ts';
import { Scenario } from '#schema/scenario.ts';
import { runTable } from './run.table.ts';

export const run: Run<typeof runTable> = async (invocation) => {
  const { options, cwd, terminal, globals } = invocation;
  if (options.plan === undefined) {
    throw new UsageError({
      code: 'no-plan',
      message: 'a plan is missing',
      hint: 'joinery run --plan plan.json',
    });
  }
  const plan = readPlan(cwd, options.plan);
  return withRuns(invocation, async (room) => {
    const settings = await settingsOf(invocation, room);
    const workshop = room.workshop(settings);
    demandAgents(
      workshop,
      plan.tasks.map(({ agent }) => agent ?? settings.agent),
    );
    const baseRef = options.base ?? plan.base ?? 'HEAD';
    const base = await readRef(room.repository.git, baseRef);
    if (base === null) {
      throw new GitError('unknown-ref', `there is no commit named ${JSON.stringify(baseRef)}`, {
        hint: 'name another: --base <rev>',
      });
    }
    // Success is defined by the base: better to know now than after the first attempt that it cannot be understood.
    await definitionsAt(room.repository, base);
    if (options['dry-run']) {
      const order = startOrder(plan);
      if (globals.json) terminal.printJson({ schema: 'joinery/run-plan@1', base, order });
      else
        terminal.print(
          [`On ${baseRef} (${base.slice(0, 12)}), longest path first:`, ...order.map((id) => `  ${id}`)].join(
            '\n',
          ),
        );
      return exitCodes.ok;
    }
    const id = createRun(workshop, { plan, base, baseRef, settings });
    return driveInForeground(invocation, workshop, id);
  });
};

async function settingsOf(
  { options, cwd, env }: Invocation<typeof runTable>,
  room: RunRoom,
): Promise<RunSettings> {
  const typed = {
    ...options,
    parallel: toNumber(options.parallel),
    budget: toNumber(options.budget),
    'budget-tokens': toNumber(options['budget-tokens']),
  };
  const { values } = await loadConfig({
    root: room.repository.workTree,
    env,
    flags: flagsOf(runTable, typed),
  });
  return {
    ...defaultSettings,
    agent: options.agent,
    autonomy: options.yes ? 'autopilot' : values.run.autonomy,
    parallel: values.run.parallel,
    budget: { usd: values.budget.usd ?? null, tokens: values.budget.tokens ?? null },
    prices: values.prices,
    fallback: values.run.fallback,
    attemptTimeoutMs: Math.ceil(values.run.attemptMinutes * 60_000),
    limits: {
      inactivityMs: Math.ceil(values.run.inactivityMinutes * 60_000),
      turns: values.run.attemptTurns ?? null,
      tokens: values.run.attemptTokens ?? null,
      usd: values.run.attemptUsd ?? null,
    },
    questionDeadlineMs:
      values.run.questionMinutes === undefined ? null : Math.ceil(values.run.questionMinutes * 60_000),
    scenario: options.scenario === undefined ? null : readInput(cwd, options.scenario, Scenario, 'scenario'),
  };
}
