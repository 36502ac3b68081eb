import { initHere } from '#app/setup/init-here.ts';
import type { Run } from '#cli/args/invocation.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { initTable } from './init.table.ts';

export const run: Run<typeof initTable> = async (invocation) => {
  const { options, globals, terminal } = invocation;
  const report = await initHere(invocation, {
    isDryRun: options['dry-run'] === true,
    isForced: options.force === true,
  });
  if (globals.json) terminal.printJson(report);
  else terminal.print(report.written ? `Wrote ${report.file}\nNext: joinery check` : report.content);
  return exitCodes.ok;
};
