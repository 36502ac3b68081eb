import { chooseAgent } from '#app/planning/plan-room.ts';
import { specHere } from '#app/planning/planning-here.ts';
import { type RunRoom, withRuns } from '#app/runs/run-room.ts';
import { type PreparedRun, prepareRun, settingsOfRun } from '#app/runs/start-run.ts';
import { readInput } from '#app/workplace/input-file.ts';
import { readPlan } from '#app/workplace/read-plan.ts';
import { thisPerson } from '#cli/args/acceptances.ts';
import { flagsOf } from '#cli/args/flags.ts';
import type { Invocation, Run } from '#cli/args/invocation.ts';
import { toNumber } from '#cli/args/to-number.ts';
import { chooserOf } from '#cli/terminal/confirm.ts';
import { driveInForeground } from '#cli/terminal/drive.ts';
import { UsageError } from '#schema/errors.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { RunSettings } from '#schema/run.ts';
import { Scenario } from '#schema/scenario.ts';
import { runTable } from './run.table.ts';

type Typed = Invocation<typeof runTable>;

/** A dry run starts none. */
const noAgent = 'none';

export const run: Run<typeof runTable> = async (invocation) => {
  const { positionals, cwd } = invocation;
  // A spec is Markdown: what ends in .json is a plan whose --plan was forgotten.
  const isPlan = invocation.options.plan === undefined && positionals[0]?.endsWith('.json') === true;
  const options = isPlan ? { ...invocation.options, plan: positionals[0] } : invocation.options;
  const spec = isPlan ? undefined : positionals[0];
  if ((options.plan === undefined) === (spec === undefined)) {
    throw new UsageError({
      code: spec === undefined ? 'no-plan' : 'plan-and-spec',
      message:
        spec === undefined
          ? 'a spec or a plan is missing'
          : 'it is either a spec or a plan that is worked on',
      hint: 'joinery run specs/<name>.md, or: joinery run --plan plan.json',
    });
  }
  const plan = options.plan === undefined ? null : readPlan(cwd, options.plan);
  return withRuns(invocation, async (room) => {
    const asked = spec === undefined ? {} : { spec: specHere(room.repository, cwd, spec) };
    const settings = await settingsFor(invocation, room);
    const isDryRun = options['dry-run'] === true;
    const prepared = await prepareRun(room, { plan, ...asked, settings, base: options.base, isDryRun });
    if (isDryRun) return showOrder(invocation, prepared, settings, spec);
    const { workshop, create } = prepared;
    return driveInForeground(invocation, {
      room,
      workshop,
      run: create(),
      isSure: options.yes === true,
    });
  });
};

async function settingsFor(
  { options, cwd, env, globals, terminal }: Typed,
  room: RunRoom,
): Promise<RunSettings> {
  const choose = options.yes || globals.json ? null : chooserOf(terminal);
  return settingsOfRun(room, env, {
    agent: options['dry-run']
      ? (options.agent ?? room.config.run.agent ?? noAgent)
      : await chooseAgent(options.agent, room.config, env, room.repository.workTree, choose),
    isAutopilot: options.yes === true,
    land: options.land,
    mayUpdateCheckout: options['update-checkout'] === true,
    unproven: options.unproven === true ? thisPerson() : undefined,
    scenario: options.scenario === undefined ? null : readInput(cwd, options.scenario, Scenario, 'scenario'),
    flags: flagsOf(runTable, {
      ...options,
      parallel: toNumber(options.parallel),
      budget: toNumber(options.budget),
      'budget-tokens': toNumber(options['budget-tokens']),
    }),
  });
}

function showOrder(
  { globals, terminal }: Typed,
  { base, baseRef, target, order }: PreparedRun,
  { agent, roles }: RunSettings,
  spec: string | undefined,
) {
  const lines =
    spec === undefined
      ? [`On ${baseRef} (${base.slice(0, 12)}), longest path first:`, ...order.map((id) => `  ${id}`)]
      : [
          `On ${baseRef} (${base.slice(0, 12)}): plan ${spec}, verify the plan, work on its tasks, integrate.`,
        ];
  if (globals.json) terminal.printJson({ schema: 'joinery/run-plan@1', base, target, order });
  else {
    const crew = [
      agent === noAgent ? 'the agent that --agent names or that is installed' : agent,
      ...Object.entries(roles).map(([role, other]) => `${other} as ${role}`),
    ].join(', ');
    terminal.print([...lines, `Done by ${crew}. The result is for ${target ?? 'no branch'}.`].join('\n'));
  }
  return exitCodes.ok;
}
