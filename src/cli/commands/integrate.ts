import { integrateHere } from '#app/runs/integrate-here.ts';
import { integrateRun, namedRun } from '#app/runs/integrate-run.ts';
import { withRuns } from '#app/runs/run-room.ts';
import { readInput } from '#app/workplace/input-file.ts';
import { acceptancesOf } from '#cli/args/acceptances.ts';
import { decisionOf, type Invocation, type Run } from '#cli/args/invocation.ts';
import { askerOf } from '#cli/terminal/confirm.ts';
import { drive } from '#cli/terminal/drive.ts';
import { pageOf } from '#cli/terminal/page.ts';
import { renderIntegration } from '#report/run/integration.ts';
import { describeDecider } from '#schema/decision.ts';
import { UsageError } from '#schema/errors.ts';
import { type ExitCode, exitCodes } from '#schema/exit-codes.ts';
import { Decisions, type IntegrationReport } from '#schema/integration.ts';
import { Scenario } from '#schema/scenario.ts';
import type { integrateTable } from './integrate.table.ts';

export const run: Run<typeof integrateTable> = async (invocation) => {
  const { options, positionals, globals, terminal, env, cwd } = invocation;
  const lands = options.land === true;
  const wishes = {
    isPartial: options.partial === true,
    lands,
    decision: invocation.decision,
    mayUpdateCheckout: options['update-checkout'] === true,
    accept: acceptancesOf(options.accept),
    unproven: options.unproven === true ? describeDecider(decisionOf(invocation)) : undefined,
    decisions:
      options.decisions === undefined
        ? []
        : readInput(cwd, options.decisions, Decisions, 'decisions').decisions,
  };
  const isSure = options.yes === true;
  const report = await withRuns(invocation, async (room) => {
    const id = options.into === undefined ? await namedRun(room, positionals) : null;
    if (id === null)
      return integrateHere(invocation, {
        ...wishes,
        branches: positionals,
        into: options.into,
        contract: options.contract,
        ask: isSure || globals.json ? null : askerOf(terminal),
        ...integratorOf(invocation),
      });
    if (options.contract !== undefined) {
      throw new UsageError({
        code: 'contract-of-the-plan',
        message: 'a run has the contract of its plan',
        hint: 'leave --contract out, or name branches instead of a run',
      });
    }
    const workshop = room.workshop(room.state(id).settings);
    return integrateRun(invocation, room, id, wishes, () =>
      drive(invocation, { room, workshop, run: id, isSure }),
    );
  });
  terminal.settle();
  if (globals.json) terminal.printJson(report);
  else terminal.print(renderIntegration(report, pageOf(terminal, env)));
  return exitCodeOf(report, lands);
};

function integratorOf({ options: { agent, scenario }, cwd }: Invocation<typeof integrateTable>) {
  if (agent === undefined) return {};
  return {
    integrator: {
      agent,
      scenario: scenario === undefined ? null : readInput(cwd, scenario, Scenario, 'scenario'),
    },
  };
}

function exitCodeOf({ status, unproven }: IntegrationReport, lands: boolean): ExitCode {
  switch (status) {
    case 'landed':
    case 'nothing':
      return exitCodes.ok;
    case 'ready':
      return lands || unproven?.by === null ? exitCodes.needsPerson : exitCodes.ok;
    case 'blocked':
    case 'lost':
      return exitCodes.findings;
    case 'conflict':
      return exitCodes.mergeConflict;
    case 'undecided':
      return exitCodes.needsPerson;
  }
}
