import { validateTriageHere } from '#app/review/triage-here.ts';
import type { Run } from '#cli/args/invocation.ts';
import { pageOf } from '#cli/terminal/page.ts';
import { renderTriageTerminal } from '#report/proof/terminal.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { triageTable } from './triage.table.ts';

const exits = {
  valid: exitCodes.ok,
  invalid: exitCodes.findings,
  'needs-person': exitCodes.needsPerson,
} as const;

export const run: Run<typeof triageTable> = async (invocation) => {
  const { positionals, terminal, globals, env } = invocation;
  const [, file = ''] = positionals;
  const report = validateTriageHere(invocation, file);
  if (globals.json) terminal.printJson(report);
  else terminal.print(renderTriageTerminal(report, pageOf(terminal, env)));
  return exits[report.status];
};
