import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Decision } from '#app/workplace/decision.ts';
import { holderName } from '#app/workplace/holder-name.ts';
import type { RunState } from '#crew/state/state.ts';
import type { RunSignal } from '#crew/steer/signals.ts';
import { EngineError, LeaseHeldError } from '#durable/engine-error.ts';
import { describeDecider } from '#schema/decision.ts';
import type { EnginePort } from '#schema/durable-port.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { RunRoom } from './run-room.ts';

const patienceMs = 15_000;
const pollMs = 100;

/** Asks a run for something, by somebody's decision: its log names who. */
export function sendSignal(engine: EnginePort, run: string, signal: RunSignal, decision: Decision): string {
  const id = randomUUID();
  engine.signal(run, { id, ...signal, by: describeDecider(decision) });
  return id;
}

/** Sends a signal and waits until it takes effect: in the process that drives the run, otherwise here. */
export async function deliver(
  { runs, state, workshop }: RunRoom,
  run: string,
  signal: RunSignal,
  decision: Decision,
  hasTakenEffect: (state: RunState) => boolean,
): Promise<void> {
  const id = sendSignal(runs.engine, run, signal, decision);
  for (const started = Date.now(); Date.now() - started < patienceMs; await wait(pollMs)) {
    if (hasTakenEffect(state(run))) return;
    if (runs.engine.holder(run)?.isAlive) continue;
    await recordSignals({ state, workshop }, run);
  }
  // A signal that was not delivered must not take effect at the next resume.
  const isTakenBack = runs.engine.withdraw(run, id);
  if (hasTakenEffect(state(run)) || !isTakenBack) return;
  throw new EngineError(
    'no-reaction',
    `the process that drives run ${run} does not respond; the request was withdrawn`,
    {
      exitCode: exitCodes.needsPerson,
      hint: `joinery runs shows which process it is`,
      retry: true,
    },
  );
}

/** Writes what waiting signals change into the log of a run that no process drives. Starts no work. */
export async function recordSignals(
  { state, workshop }: Pick<RunRoom, 'state' | 'workshop'>,
  run: string,
): Promise<void> {
  try {
    const { takeOverSignals } = await import('#crew/run-plan.ts');
    await takeOverSignals(await workshop(state(run).settings), run, holderName());
  } catch (error) {
    // Another process has started to drive the run: it handles the signal.
    if (!(error instanceof LeaseHeldError)) throw error;
  }
}
