import { chooseAgent, withPlanRoom } from '#app/plan-room.ts';
import { verifyPlanFile } from '#app/verify-plan-file.ts';
import type { Run } from '#cli/args/invocation.ts';
import { consulting } from '#cli/terminal/consulting.ts';
import { pageOf } from '#cli/terminal/page.ts';
import { renderVerify } from '#report/planning/verify.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { VerifyReport } from '#schema/planning.ts';
import type { verifyTable } from './verify.table.ts';

const exits: Readonly<Record<VerifyReport['status'], 0 | 1 | 2>> = {
  pass: exitCodes.ok,
  fail: exitCodes.findings,
  needs_human: exitCodes.needsPerson,
  inconclusive: exitCodes.needsPerson,
};

export const run: Run<typeof verifyTable> = async (invocation) => {
  const { positionals, options, cwd, env, terminal, globals } = invocation;
  const [plan = ''] = positionals;
  return withPlanRoom({ cwd, env, base: options.base, warn: terminal.warn }, async (room) => {
    const agent = await chooseAgent(options.agent, room.config, env, room.root);
    const report = await consulting(invocation, agent, (wish) =>
      verifyPlanFile(room, {
        ...wish,
        cwd,
        plan,
        spec: options.spec,
        mayFix: options['no-fix'] !== true,
        warn: terminal.warn,
      }),
    );
    if (globals.json) terminal.printJson(report);
    else terminal.print(renderVerify(report, pageOf(terminal, env)));
    return exits[report.status];
  });
};
