import type { RunIntegrationWishes } from '#app/runs/integrate-run.ts';
import { readInput } from '#app/workplace/input-file.ts';
import { acceptancesOf } from '#cli/args/acceptances.ts';
import { decisionOf, type Invocation, type Run } from '#cli/args/invocation.ts';
import { askerOf } from '#cli/terminal/confirm.ts';
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
  // Several names are branches: nothing of runs is loaded.
  const ofRun =
    options.into === undefined && positionals.length < 2 ? await integrateNamedRun(invocation, wishes) : null;
  const report = ofRun ?? (await integrateBranches(invocation, wishes));
  terminal.settle();
  if (globals.json) terminal.printJson(report);
  else terminal.print(renderIntegration(report, pageOf(terminal, env)));
  return exitCodeOf(report, lands);
};

type IntegrateInvocation = Invocation<typeof integrateTable>;

/** Null when no run is meant. */
async function integrateNamedRun(
  invocation: IntegrateInvocation,
  wishes: RunIntegrationWishes,
): Promise<IntegrationReport | null> {
  const { options, positionals } = invocation;
  const { withRuns } = await import('#app/runs/run-room.ts');
  const { namedRun } = await import('#app/runs/named-run.ts');
  return withRuns(invocation, async (room) => {
    const id = await namedRun(room, positionals);
    if (id === null) return null;
    if (options.contract !== undefined) {
      throw new UsageError({
        code: 'contract-of-the-plan',
        message: 'a run has the contract of its plan',
        hint: 'leave --contract out, or name branches instead of a run',
      });
    }
    const { integrateRun } = await import('#app/runs/integrate-run.ts');
    const { drive } = await import('#cli/terminal/drive.ts');
    const workshop = await room.workshop(room.state(id).settings);
    return integrateRun(invocation, room, id, wishes, () =>
      drive(invocation, { room, workshop, run: id, isSure: options.yes === true }),
    );
  });
}

async function integrateBranches(
  invocation: IntegrateInvocation,
  wishes: RunIntegrationWishes,
): Promise<IntegrationReport> {
  const { options, positionals, globals, terminal } = invocation;
  const { integrateHere } = await import('#app/runs/integrate-here.ts');
  return integrateHere(invocation, {
    ...wishes,
    branches: positionals,
    into: options.into,
    contract: options.contract,
    ask: options.yes === true || globals.json ? null : askerOf(terminal),
    ...integratorOf(invocation),
  });
}

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
