import type { RunAnswer } from '#app/runs/report-run.ts';
import type { Invocation } from '#cli/args/invocation.ts';
import { renderRun } from '#report/run/run.ts';
import type { ExitCode } from '#schema/exit-codes.ts';
import { pageOf } from './page.ts';

export function printRun(
  { globals, terminal, env }: Pick<Invocation, 'globals' | 'terminal' | 'env'>,
  { report, next }: RunAnswer,
): ExitCode {
  if (globals.json) terminal.printJson(report);
  else terminal.print(renderRun(report, next, pageOf(terminal, env)));
  return report.exitCode as ExitCode;
}
