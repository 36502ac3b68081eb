import { completionScript } from '#app/setup/completion-script.ts';
import type { Run } from '#cli/args/invocation.ts';
import { CompletionReport } from '#schema/command-reports.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { completionTable } from './completion.table.ts';

export const run: Run<typeof completionTable> = async ({ positionals, globals, terminal }) => {
  const shell = CompletionReport.shape.shell.parse(positionals[0]);
  const script = completionScript(shell);
  const report: CompletionReport = { schema: 'joinery/completion@1', shell, script };
  if (globals.json) terminal.printJson(report);
  else terminal.print(script);
  return exitCodes.ok;
};
