import { guidesHere } from '#app/review/guides-here.ts';
import type { Run } from '#cli/args/invocation.ts';
import { renderGuidesTerminal } from '#report/proof/terminal.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { guidesTable } from './guides.table.ts';

export const run: Run<typeof guidesTable> = async (invocation) => {
  const { positionals, terminal, globals } = invocation;
  const report = await guidesHere(invocation, positionals);
  if (globals.json) terminal.printJson(report);
  else terminal.print(renderGuidesTerminal(report));
  return exitCodes.ok;
};
