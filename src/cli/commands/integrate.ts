import { integrateHere } from '#app/runs/integrate-here.ts';
import type { Run } from '#cli/args/invocation.ts';
import { pageOf } from '#cli/terminal/page.ts';
import { renderIntegration } from '#report/run/integration.ts';
import { type ExitCode, exitCodes } from '#schema/exit-codes.ts';
import type { IntegrationReport } from '#schema/integration.ts';
import type { integrateTable } from './integrate.table.ts';

export const run: Run<typeof integrateTable> = async (invocation) => {
  const { options, positionals, globals, terminal, env } = invocation;
  const lands = options.land === true;
  const report = await integrateHere(invocation, {
    branches: positionals,
    into: options.into,
    isPartial: options.partial === true,
    lands,
    mayUpdateCheckout: options['update-checkout'] === true,
  });
  terminal.settle();
  if (globals.json) terminal.printJson(report);
  else terminal.print(renderIntegration(report, pageOf(terminal, env)));
  return exitCodeOf(report, lands);
};

function exitCodeOf({ status }: IntegrationReport, lands: boolean): ExitCode {
  switch (status) {
    case 'landed':
    case 'nothing':
      return exitCodes.ok;
    case 'ready':
      return lands ? exitCodes.needsPerson : exitCodes.ok;
    case 'blocked':
    case 'lost':
      return exitCodes.findings;
    case 'conflict':
      return exitCodes.mergeConflict;
    case 'inconclusive':
      return exitCodes.needsPerson;
  }
}
