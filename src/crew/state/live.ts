import type { LiveRun, LiveTask } from '#schema/live-run.ts';
import { sumOf } from './ledger.ts';
import { countedAttempts, isSettled, openAttempt, type RunState, type StepState } from './state.ts';

/** A run as people watch it; a pure function of its log. */
export function liveOf(run: string, state: RunState): LiveRun {
  return {
    run,
    createdAt: state.createdAt,
    isHalted: state.isHalted,
    tokens: state.usage.tokens,
    usd: state.usage.usd,
    tasks: [...state.steps.values()].map((step) => liveTask(step, state)),
  };
}

function liveTask(step: StepState, { steps }: RunState): LiveTask {
  const open = openAttempt(step);
  const { tokens, usd } = sumOf(step.attempts);
  return {
    id: step.task.id,
    status: step.status,
    attempt: open && countedAttempts(step).length > 1 ? open.n : null,
    doing: open ? [open.driver, open.tool].filter(Boolean).join(' ') : step.reason,
    tokens,
    usd,
    startedAt: open?.startedAt ?? null,
    waitsFor: isSettled(step) ? [] : step.task.dependsOn.filter((id) => steps.get(id)?.status !== 'accepted'),
  };
}
