import { gapsHere, integrityHere } from '#app/review/tests-here.ts';
import { ownVersion } from '#app/workplace/version.ts';
import { flagsOf } from '#cli/args/flags.ts';
import type { Run } from '#cli/args/invocation.ts';
import { pageOf } from '#cli/terminal/page.ts';
import { renderProofSarif } from '#report/proof/sarif.ts';
import { renderGapsTerminal, renderIntegrityTerminal } from '#report/proof/terminal.ts';
import { UsageError } from '#schema/errors.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import { testsTable } from './tests.table.ts';

const exits = { pass: exitCodes.ok, fail: exitCodes.findings, inconclusive: exitCodes.needsPerson } as const;

export const run: Run<typeof testsTable> = async (invocation) => {
  const { options, positionals, terminal, globals, env } = invocation;
  const [action, branch] = positionals;
  const wish = { branch, flags: flagsOf(testsTable, options) };
  const threshold = thresholdOf(options.threshold);
  const report =
    action === 'gaps'
      ? await gapsHere(invocation, { ...wish, threshold })
      : await integrityHere(invocation, wish);
  terminal.settle();
  const page = pageOf(terminal, env);
  if (globals.json || options.format === 'json') terminal.printJson(report);
  else if (options.format === 'sarif') terminal.print(renderProofSarif(report, { version: ownVersion() }));
  else if (report.schema === 'joinery/tests-gaps@1') terminal.print(renderGapsTerminal(report, page));
  else terminal.print(renderIntegrityTerminal(report, page));
  return exits[report.status];
};

function thresholdOf(typed: string | undefined): number | null {
  if (typed === undefined) return null;
  if (/^\d{1,6}$/.test(typed)) return Number(typed);
  throw new UsageError({
    code: 'bad-threshold',
    message: `--threshold ${JSON.stringify(typed)} is not a number`,
    hint: 'joinery tests gaps --threshold 0',
  });
}
