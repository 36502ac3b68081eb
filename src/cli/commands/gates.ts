import { gatesHere } from '#app/proof/gates-here.ts';
import type { Invocation, Run } from '#cli/args/invocation.ts';
import { pageOf } from '#cli/terminal/page.ts';
import { createPaint, wantsColour } from '#cli/terminal/paint.ts';
import { gatesVerdict, renderGates, renderGatesJunit } from '#report/gates/gates.ts';
import { paintWith } from '#report/text/paint.ts';
import { UsageError } from '#schema/errors.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { GatesReport } from '#schema/gates.ts';
import type { gatesTable } from './gates.table.ts';

const codes = { pass: exitCodes.ok, fail: exitCodes.findings, inconclusive: exitCodes.needsPerson };

export const run: Run<typeof gatesTable> = async (invocation) => {
  const { options, terminal } = invocation;
  if (options.fast && options.full) {
    throw new UsageError({
      code: 'two-modes',
      message: '--fast and --full exclude each other',
      hint: 'joinery gates --full',
    });
  }
  const report = await gatesHere(invocation, options, options.full ? 'full' : 'fast');
  terminal.settle();
  print(report, invocation);
  return codes[report.status];
};

function print(
  report: GatesReport,
  { options, globals, terminal, env }: Invocation<typeof gatesTable>,
): void {
  if (globals.json || options.format === 'json') terminal.printJson(report);
  else if (options.format === 'junit') terminal.print(renderGatesJunit(report));
  else {
    const refused = globals['no-color'] === true;
    const paint = paintWith(createPaint(wantsColour({ env, isTTY: process.stderr.isTTY, refused })));
    const page = pageOf(terminal, env);
    // Agents read this too: wrap lines only for a person.
    const width = process.stderr.isTTY || env.COLUMNS ? page.width : Number.POSITIVE_INFINITY;
    process.stderr.write(`${renderGates(report, { ...page, width, paint })}\n`);
    terminal.print(
      gatesVerdict(
        report,
        paintWith(createPaint(wantsColour({ env, isTTY: process.stdout.isTTY, refused }))),
      ),
    );
  }
}
