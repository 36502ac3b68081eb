import type { CheckAnswer, CheckWishes } from '#app/checks/check-here.ts';
import { watchHere } from '#app/checks/watch-here.ts';
import type { Invocation } from '#cli/args/invocation.ts';
import { isInterrupted } from '#cli/terminal/interrupt.ts';
import { pageOf } from '#cli/terminal/page.ts';
import { visible } from '#lib/visible.ts';
import { renderWatch } from '#report/check/watch.ts';
import { printJsonLine } from '#report/text/json.ts';
import { UsageError } from '#schema/errors.ts';
import { type ExitCode, exitCodes } from '#schema/exit-codes.ts';
import { exitCodeOf } from '#schema/verdict.ts';
import type { checkTable } from './check.table.ts';
import { describeCost } from './check-cost.ts';

/** Options that only make sense for a single check. */
const alone = ['ui', 'against', 'risk', 'sandbox', 'agent', 'agent-prompt', 'agent-report'] as const;

/** Checks until Ctrl-C, which exits with the code of the last state. */
export async function runWatch(
  invocation: Invocation<typeof checkTable>,
  wishes: CheckWishes,
): Promise<ExitCode> {
  const { options, globals, terminal, env, onInterrupt } = invocation;
  const isJson = globals.json === true || options.format === 'json';
  const other = alone.find((name) => options[name] !== undefined);
  if (other !== undefined || (options.format !== 'terminal' && options.format !== 'json'))
    throw new UsageError({
      code: 'watch-alone',
      message: `--watch prints what is new or gone, and takes no ${other === undefined ? `--format ${options.format}` : `--${other}`}`,
      hint: 'joinery check --watch --json',
    });
  let code: ExitCode = exitCodes.interrupted;
  onInterrupt(() => code);
  const keep = ({ report }: CheckAnswer) => {
    code = exitCodeOf(report.status);
    terminal.settle();
  };
  // A file that somebody has just saved must not be executed.
  return watchHere(
    invocation,
    { ...wishes, mayRunCode: false },
    {
      way: (way) =>
        terminal.note(
          `watching (${way === 'events' ? 'system events' : 'polling every second'}); Ctrl-C ends it`,
        ),
      state: keep,
      change(line, answer) {
        keep(answer);
        terminal.print(isJson ? printJsonLine(line) : renderWatch(line, pageOf(terminal, env)));
        if (options.stats)
          terminal.note(`${line.seconds.toFixed(2)} s from the change; ${describeCost(answer)}`);
      },
      failure(error) {
        // An error of the interrupted check only means that its files are being removed.
        if (isInterrupted()) return;
        code = error.exitCode;
        terminal.settle();
        terminal.warn(`the check failed: ${visible(error.message)}; it is tried again at the next change`);
      },
    },
  );
}
