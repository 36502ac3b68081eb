import { makePlan } from '#app/make-plan.ts';
import { chooseAgent, withPlanRoom } from '#app/plan-room.ts';
import type { Run } from '#cli/args/invocation.ts';
import { consulting } from '#cli/terminal/consulting.ts';
import { pageOf } from '#cli/terminal/page.ts';
import { renderPlan } from '#report/planning/plan.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { PlanReport } from '#schema/planning.ts';
import type { planTable } from './plan.table.ts';

const exits: Readonly<Record<PlanReport['status'], 0 | 1 | 2>> = {
  planned: exitCodes.ok,
  refused: exitCodes.findings,
  needs_human: exitCodes.needsPerson,
  inconclusive: exitCodes.needsPerson,
};

export const run: Run<typeof planTable> = async (invocation) => {
  const { positionals, options, cwd, env, terminal, globals } = invocation;
  const [spec = ''] = positionals;
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
      }),
    );
    if (globals.json) terminal.printJson(report);
    else terminal.print(renderPlan(report, pageOf(terminal, env)));
    return exits[report.status];
  });
};
