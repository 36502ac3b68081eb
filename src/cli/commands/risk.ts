import { riskHere } from '#app/review/risk-here.ts';
import { ownVersion } from '#app/workplace/version.ts';
import { flagsOf } from '#cli/args/flags.ts';
import type { Run } from '#cli/args/invocation.ts';
import { pageOf } from '#cli/terminal/page.ts';
import { renderRiskSarif } from '#report/proof/sarif.ts';
import { renderRiskTerminal } from '#report/proof/terminal.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import { riskTable } from './risk.table.ts';

export const run: Run<typeof riskTable> = async (invocation) => {
  const { options, positionals, terminal, globals, env } = invocation;
  const report = await riskHere(invocation, {
    branch: positionals[0],
    flags: flagsOf(riskTable, options),
  });
  terminal.settle();
  if (globals.json || options.format === 'json') terminal.printJson(report);
  else if (options.format === 'sarif') terminal.print(renderRiskSarif(report, { version: ownVersion() }));
  else terminal.print(renderRiskTerminal(report, pageOf(terminal, env)));
  return report.inconclusive.length > 0 ? exitCodes.needsPerson : exitCodes.ok;
};
