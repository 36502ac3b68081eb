import { guardianHere } from '#app/planning/planning-here.ts';
import type { Run } from '#cli/args/invocation.ts';
import { pageOf } from '#cli/terminal/page.ts';
import { tellerOf } from '#cli/terminal/tell.ts';
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
  const { positionals, options, env, terminal, globals } = invocation;
  const [file = ''] = positionals;
  const report = await guardianHere(invocation, { ...options, tell: tellerOf(invocation), file });
  terminal.settle();
  if (globals.json) terminal.printJson(report);
  else terminal.print(renderGuardian(report, pageOf(terminal, env)).join('\n'));
  return exits[report.status];
};
