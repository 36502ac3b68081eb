import { secretsHere, stagedSecretsHere } from '#app/review/secrets-here.ts';
import { ownVersion } from '#app/workplace/version.ts';
import { flagsOf } from '#cli/args/flags.ts';
import type { Run } from '#cli/args/invocation.ts';
import { pageOf } from '#cli/terminal/page.ts';
import { renderProofSarif } from '#report/proof/sarif.ts';
import { renderSecretsTerminal } from '#report/proof/terminal.ts';
import { UsageError } from '#schema/errors.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import { secretsTable } from './secrets.table.ts';

const exits = { pass: exitCodes.ok, fail: exitCodes.findings, inconclusive: exitCodes.needsPerson } as const;

export const run: Run<typeof secretsTable> = async (invocation) => {
  const { options, positionals, terminal, globals, env } = invocation;
  const [branch] = positionals;
  if (options.staged && (branch !== undefined || options.base !== undefined)) {
    throw new UsageError({
      code: 'staged-or-branch',
      message: '--staged looks at the index, not at a branch',
      hint: 'joinery secrets --staged, or joinery secrets <branch>',
    });
  }
  const report = options.staged
    ? await stagedSecretsHere(invocation)
    : await secretsHere(invocation, { branch, flags: flagsOf(secretsTable, options) });
  terminal.settle();
  if (globals.json || options.format === 'json') terminal.printJson(report);
  else if (options.format === 'sarif') terminal.print(renderProofSarif(report, { version: ownVersion() }));
  else terminal.print(renderSecretsTerminal(report, pageOf(terminal, env)));
  return exits[report.status];
};
