import { defectHere } from '#app/planning/defect-here.ts';
import type { Run } from '#cli/args/invocation.ts';
import { pageOf } from '#cli/terminal/page.ts';
import { tellerOf } from '#cli/terminal/tell.ts';
import { renderDefect } from '#report/planning/defect.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { defectTable } from './defect.table.ts';

export const run: Run<typeof defectTable> = async (invocation) => {
  const { positionals, options, env, terminal, globals } = invocation;
  const [report = ''] = positionals;
  const defect = await defectHere(invocation, {
    ...options,
    tell: tellerOf(invocation),
    report,
    isApproved: options.yes === true,
    isAgain: options.again === true,
  });
  terminal.settle();
  if (globals.json) terminal.printJson(defect);
  else terminal.print(renderDefect(defect, pageOf(terminal, env)));
  return defect.status === 'fixed' ? exitCodes.ok : exitCodes.needsPerson;
};
