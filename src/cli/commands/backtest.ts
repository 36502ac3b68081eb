import { backtestHere } from '#app/checks/backtest-here.ts';
import type { Run } from '#cli/args/invocation.ts';
import { pageOf } from '#cli/terminal/page.ts';
import { renderBacktest } from '#report/check/backtest.ts';
import { UsageError } from '#schema/errors.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { backtestTable } from './backtest.table.ts';

export const run: Run<typeof backtestTable> = async (invocation) => {
  const { options, positionals, globals, terminal, env } = invocation;
  const report = await backtestHere(invocation, {
    last: readCount(options.last),
    base: positionals[0] ?? null,
  });
  terminal.settle();
  if (globals.json) terminal.printJson(report);
  else
    terminal.print(renderBacktest(report, { ...pageOf(terminal, env), verbose: globals.verbose === true }));
  return exitCodes.ok;
};

function readCount(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new UsageError({
    code: 'bad-count',
    message: `--last: ${JSON.stringify(text)} is not a number of merges`,
    hint: 'joinery backtest --last 100',
  });
}
