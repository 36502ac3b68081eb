import { receiptHere } from '#app/runs/receipts-here.ts';
import type { Run } from '#cli/args/invocation.ts';
import { pageOf } from '#cli/terminal/page.ts';
import { renderReceipt } from '#report/run/integration.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { receiptTable } from './receipt.table.ts';

export const run: Run<typeof receiptTable> = async (invocation) => {
  const { positionals, globals, terminal, env } = invocation;
  const [action, id] = positionals;
  const report = await receiptHere(invocation, id, action === 'verify');
  if (globals.json) terminal.printJson(report);
  else terminal.print(renderReceipt(report, pageOf(terminal, env)));
  return report.status === 'pass' ? exitCodes.ok : exitCodes.findings;
};
