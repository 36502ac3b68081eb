import { contractOfPlan } from '#app/contracts/contract-step.ts';
import type { Decision } from '#app/workplace/decision.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { isSettled, type RunState } from '#crew/state/state.ts';
import { readRef } from '#git/merges/branches.ts';
import { JoineryError, UsageError } from '#schema/errors.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { AcceptedLoss, IntegrationReport } from '#schema/integration.ts';
import type { Acceptance } from '#schema/verdict.ts';
import { proveIntegration, withIntegrationRoom } from './integration-room.ts';
import { tasksOfBranch, tipsOf } from './land-phase.ts';
import { stateNow } from './report-run.ts';
import type { RunRoom } from './run-room.ts';
import { sendSignal } from './send-signal.ts';

export interface RunIntegrationWishes {
  readonly isPartial: boolean;
  readonly lands: boolean;
  /** Null for one who only asks: then it must not land. */
  readonly decision: Decision | null;
  readonly mayUpdateCheckout: boolean;
  /** Losses that the person accepts. */
  readonly decisions: readonly AcceptedLoss[];
  /** Findings that the person accepts. */
  readonly accept: readonly Acceptance[];
  /** Who decided that it may land although nothing was run on it. */
  readonly unproven?: string | undefined;
}

/** Checks whether the work of a run would land. With `lands`, `drive` continues the run until it has landed or waits. */
export async function integrateRun(
  here: Pick<Surroundings, 'env' | 'terminal' | 'onInterrupt'>,
  room: RunRoom,
  run: string,
  wishes: RunIntegrationWishes,
  drive: () => Promise<unknown>,
): Promise<IntegrationReport> {
  const state = await stateNow(room, run);
  demandFinished(run, state, wishes.isPartial);
  if (state.landed === null && !wishes.lands) return proveOnly(here, room, run, state, wishes);
  // The target may have been moved by hand: the run must record that.
  const isKnown = state.landed !== null && room.state(run).landed !== null;
  if (!isKnown && wishes.lands && wishes.decision !== null) {
    const { mayUpdateCheckout, isPartial, decisions, accept, unproven, decision } = wishes;
    const gone = room.state(run).landed;
    if (state.landed === null && gone !== null)
      sendSignal(room.runs.engine, run, { name: 'undone', payload: { landed: gone.after } }, decision);
    const payload = {
      mayUpdateCheckout,
      isPartial,
      decisions: [...decisions],
      accept: [...accept],
      unproven,
    };
    sendSignal(room.runs.engine, run, { name: 'land', payload }, decision);
    await drive();
  }
  return reportOfRun(run, await stateNow(room, run));
}

function demandFinished(run: string, { steps }: RunState, isPartial: boolean): void {
  const all = [...steps.values()];
  const open = all.filter((step) => !isSettled(step)).map(({ task }) => task.id);
  if (all.length === 0 || open.length > 0) {
    throw new JoineryError({
      code: 'run-unfinished',
      message: `run ${run} is not finished: ${open.join(', ') || 'it has no plan yet'}`,
      hint: `joinery resume ${run}`,
      exitCode: exitCodes.needsPerson,
    });
  }
  const bad = all.filter(({ status }) => status !== 'accepted').map(({ task }) => task.id);
  if (bad.length > 0 && !isPartial) {
    throw new JoineryError({
      code: 'not-accepted',
      message: `run ${run} has tasks that were not accepted: ${bad.join(', ')}`,
      hint: `try them again: joinery retry ${run} --task ${bad[0]}; or land the rest: --partial`,
      exitCode: exitCodes.findings,
    });
  }
}

/** Writes nothing: no commit, no receipt, no branch. */
async function proveOnly(
  here: Pick<Surroundings, 'env' | 'terminal' | 'onInterrupt'>,
  { repository, config }: RunRoom,
  run: string,
  state: RunState,
  { isPartial, decisions, accept, unproven }: RunIntegrationWishes,
): Promise<IntegrationReport> {
  const name = state.target;
  const commit = name === null ? null : await readRef(repository.git, `refs/heads/${name}`);
  if (name === null || commit === null) {
    throw new UsageError({
      code: 'no-target',
      message: `run ${run} has no branch to land on`,
      hint: `name one and integrate its branch: joinery integrate joinery/${run}/integration --into <branch>`,
    });
  }
  return withIntegrationRoom(here, repository, config, (room) =>
    proveIntegration(room, here, {
      id: run,
      target: { ref: name, commit },
      branches: tipsOf(state),
      isPartial,
      decisions: [...state.decisions, ...decisions],
      accept: [...state.accepted, ...accept],
      unproven: unproven ?? state.unproven ?? undefined,
      at: state.at,
      next: `joinery integrate ${run} --land --update-checkout`,
      contract: contractOfPlan(state.plan),
      tasksOf: tasksOfBranch(state),
      isDryRun: true,
    }),
  );
}

/** The result of the last integration of a run, with its landing. */
function reportOfRun(run: string, state: RunState): IntegrationReport {
  const last = state.integrations.at(-1)?.report;
  if (!last) {
    throw new JoineryError({
      code: 'not-integrated',
      message: `run ${run} was not integrated: it is ${state.status}`,
      hint: `joinery status ${run}`,
      exitCode: exitCodes.needsPerson,
    });
  }
  if (state.landed) {
    const { after, ref } = state.landed;
    const step = { name: 'land', status: 'pass', detail: `${ref} moved` } as const;
    return {
      ...last,
      status: 'landed',
      target: { ...last.target, after },
      steps: [...last.steps, step],
      next: null,
    };
  }
  const asked = [...state.questions.values()].findLast(({ question }) => question.kind === 'land');
  if (last.status !== 'ready' || !asked) return last;
  const { reason = 'it waits for an answer', next = last.next } = asked.question;
  const step = { name: 'land', status: 'warn', detail: reason } as const;
  return { ...last, steps: [...last.steps, step], next };
}
