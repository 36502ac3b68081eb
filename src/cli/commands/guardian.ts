import { guardFile } from '#app/guard-document.ts';
import { chooseAgent, withPlanRoom } from '#app/plan-room.ts';
import type { Run } from '#cli/args/invocation.ts';
import { consulting } from '#cli/terminal/consulting.ts';
import { pageOf } from '#cli/terminal/page.ts';
import { renderGuardian } from '#report/planning/guardian.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { GuardianReport } from '#schema/planning.ts';
import type { guardianTable } from './guardian.table.ts';

const exits: Readonly<Record<GuardianReport['status'], 0 | 2>> = {
  aligned: exitCodes.ok,
  flagged: exitCodes.ok,
  rejected: exitCodes.needsPerson,
  inconclusive: exitCodes.needsPerson,
};

export const run: Run<typeof guardianTable> = async (invocation) => {
  const { positionals, options, cwd, env, terminal, globals } = invocation;
  const [file = ''] = positionals;
  return withPlanRoom({ cwd, env, base: options.base, warn: terminal.warn }, async (room) => {
    const agent = await chooseAgent(options.agent, room.config, env, room.root);
    const report = await consulting(invocation, agent, (wish) =>
      guardFile(room, { ...wish, file, vision: options.vision }),
    );
    if (globals.json) terminal.printJson(report);
    else terminal.print(renderGuardian(report, pageOf(terminal, env)).join('\n'));
    return exits[report.status];
  });
};
