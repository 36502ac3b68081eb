import { makePlan } from '#app/make-plan.ts';
import { createPlan } from '#app/plan-file.ts';
import { chooseAgent, withPlanRoom } from '#app/plan-room.ts';
import type { Invocation, Run } from '#cli/args/invocation.ts';
import { consulting } from '#cli/terminal/consulting.ts';
import { pageOf } from '#cli/terminal/page.ts';
import { renderPlan } from '#report/planning/plan.ts';
import { UsageError } from '#schema/errors.ts';
import { type ExitCode, exitCodes } from '#schema/exit-codes.ts';
import type { PlanInitReport, PlanReport } from '#schema/planning.ts';
import type { planTable } from './plan.table.ts';

const exits: Readonly<Record<PlanReport['status'], 0 | 1 | 2>> = {
  planned: exitCodes.ok,
  refused: exitCodes.findings,
  needs_human: exitCodes.needsPerson,
  inconclusive: exitCodes.needsPerson,
};

/** A plan to fill in by hand; one that is there already stays as it is. */
async function init(
  { cwd, globals, terminal }: Invocation<typeof planTable>,
  file: string,
): Promise<ExitCode> {
  createPlan(cwd, file);
  if (globals.json) terminal.printJson({ schema: 'joinery/plan-init@1', file } satisfies PlanInitReport);
  else terminal.print(`${file}\nFill it in, then: joinery run --plan ${file} --dry-run`);
  return exitCodes.ok;
}

export const run: Run<typeof planTable> = async (invocation) => {
  const { positionals, options, cwd, env, terminal, globals } = invocation;
  const [spec = '', file] = positionals;
  if (spec === 'init') return init(invocation, file ?? 'plan.json');
  if (file !== undefined)
    throw new UsageError({
      code: 'unexpected-argument',
      message: `plan takes one spec, not ${file} as well`,
      hint: `write elsewhere: --out ${file}`,
    });
  return withPlanRoom({ cwd, env, base: options.base, warn: terminal.warn }, async (room) => {
    const agent = await chooseAgent(options.agent, room.config, env, room.root);
    const report = await consulting(invocation, agent, (wish) =>
      makePlan(room, {
        ...wish,
        cwd,
        spec,
        out: options.out,
        force: options.force === true,
        order: options.order,
        vision: options.vision,
        skipAudit: options['skip-audit'] === true,
        skipGuardian: options['skip-guardian'] === true,
      }),
    );
    if (globals.json) terminal.printJson(report);
    else terminal.print(renderPlan(report, pageOf(terminal, env)));
    return exits[report.status];
  });
};
