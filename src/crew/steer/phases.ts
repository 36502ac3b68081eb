import { hasEnded, openQuestions, type RunState } from '#crew/state/state.ts';
import type { LeadAttempt, ReviewWork } from '#crew/task/task.ts';
import type { RunRefs } from '#git/refs/run-refs.ts';
import type { FlowContext } from '#schema/durable-port.ts';
import type { EventDraft } from '#schema/event.ts';
import { answerSignals, RunSignal } from './signals.ts';

/** The context of a phase. */
export interface PhaseFlow {
  readonly context: FlowContext;
  readonly refs: RunRefs;
  /** Kept up to date with the log by the process that drives the run. */
  readonly state: RunState;
  /** Aborted when the run stops: stop the current work and throw. */
  readonly stop: AbortSignal;
}

/** What a run does before and after its tasks. Supplied by the rooms above. */
export interface Phases {
  /** Makes the plan and has it verified: records it, asks a person or ends the run. */
  plan(flow: PhaseFlow): Promise<void>;
  /** Proves that the accepted work fits and lands it. Returns the events that close the run for now. */
  land(flow: PhaseFlow): Promise<EventDraft[]>;
  /** Asks reviewers about the work of one attempt. */
  readonly review?: ReviewWork;
  /** Makes the agent of an attempt follow a workflow. */
  readonly lead?: LeadAttempt;
}

const pollMs = 300;

/** Plans a run that started from a spec. False when the run stops or waits before it has a plan. */
export async function planFirst(phases: Phases, flow: PhaseFlow): Promise<boolean> {
  const { context, state } = flow;
  for (;;) {
    const isCancelled = await answerSignals(context, state);
    if (hasEnded(state)) return false;
    const isStopped = [...state.questions.values()].some(
      ({ question, answer }) => question.kind === 'plan' && answer === 'stop',
    );
    if (isCancelled || isStopped) {
      context.append([
        {
          type: 'run.ended',
          data: isCancelled
            ? { status: 'cancelled', reason: 'cancelled by a person' }
            : { status: 'failed', reason: 'stopped' },
        },
      ]);
      return false;
    }
    if (state.plan.tasks.length > 0) return true;
    if (openQuestions(state).length > 0) {
      context.append([{ type: 'run.paused', data: { reason: 'awaiting_human' } }]);
      return false;
    }
    if (flow.stop.aborted) {
      context.append([{ type: 'run.paused', data: { reason: 'interrupted' } }]);
      return false;
    }
    await planUntilCancelled(phases, flow);
  }
}

/** The main loop handles the request; here the agents are only stopped. */
async function planUntilCancelled(phases: Phases, flow: PhaseFlow): Promise<void> {
  const { context } = flow;
  const cancel = new AbortController();
  const timer = setInterval(() => {
    const wishes = context.signals().map((signal) => RunSignal.safeParse(signal).data?.name);
    if (wishes.includes('cancel')) cancel.abort('cancelled');
  }, pollMs);
  try {
    await phases.plan({ ...flow, stop: AbortSignal.any([flow.stop, cancel.signal, context.lost]) });
  } catch (error) {
    if (context.lost.aborted || !(flow.stop.aborted || cancel.signal.aborted)) throw error;
  } finally {
    clearInterval(timer);
  }
}
