import { verifyHere } from '#app/planning/planning-here.ts';
import type { Run } from '#cli/args/invocation.ts';
import { chooserOf } from '#cli/terminal/confirm.ts';
import { pageOf } from '#cli/terminal/page.ts';
import { tellerOf } from '#cli/terminal/tell.ts';
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
  const { positionals, options, env, terminal, globals } = invocation;
  const [plan = ''] = positionals;
  const report = await verifyHere(invocation, {
    ...options,
    tell: tellerOf(invocation),
    choose: options.yes || globals.json ? null : chooserOf(terminal),
    plan,
    mayFix: options['no-fix'] !== true,
  });
  terminal.settle();
  if (globals.json) terminal.printJson(report);
  else terminal.print(renderVerify(report, pageOf(terminal, env)));
  return exits[report.status];
};
