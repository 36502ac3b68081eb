import type { LiveRun, LiveTask } from '#schema/live-run.ts';
import { finalReportOf } from './final-report.ts';
import { sumOf } from './ledger.ts';
import {
  countedAttempts,
  isAccepted,
  isSettled,
  openAttempt,
  type RunState,
  type StepState,
} from './state.ts';

/** The live view of a run; a pure function of its log. */
export function liveOf(run: string, state: RunState): LiveRun {
  return {
    run,
    createdAt: state.createdAt,
    isHalted: state.isHalted,
    tokens: state.usage.tokens,
    usd: state.usage.usd,
    phases: phasesOf(state),
    seams: seamsOf(run, state),
    tasks: [...state.steps.values()].map((step) => liveTask(step, state)),
  };
}

/** Each phase once, with its current status; the tasks and the start of an integration have no event. */
function phasesOf({ phases, steps, integrations, status: run }: RunState): LiveRun['phases'] {
  const known = new Map(phases.map(({ phase, status }) => [phase, status]));
  const all = [...steps.values()];
  if (all.some(({ attempts }) => attempts.length > 0)) {
    const isOver = all.every(isSettled) || integrations.length > 0;
    const isGood = all.every((step) => isAccepted({ steps }, step));
    known.set('tasks', isOver ? (isGood ? 'done' : 'failed') : 'begun');
    if (isOver && isGood && run === 'running' && !known.has('integrate')) known.set('integrate', 'begun');
  }
  const order = ['plan', 'challenge', 'verify', 'tasks', 'integrate', 'land'] as const;
  return order.flatMap((phase) => {
    const status = known.get(phase);
    return status === undefined ? [] : [{ phase, status }];
  });
}

function seamsOf(run: string, state: RunState): LiveRun['seams'] {
  const { findings } = finalReportOf(run, state);
  const open = findings.filter(({ isFixed }) => !isFixed);
  return {
    open: open.map(({ rule, tasks, message }) => `${rule} ${tasks.join(' × ')}: ${message}`),
    fixed: findings.length - open.length,
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
    waitsFor: waitsFor(step, steps),
  };
}

function waitsFor(step: StepState, steps: RunState['steps']): string[] {
  if (isSettled(step)) return [];
  const open = step.task.dependsOn.filter((id) => steps.get(id)?.status !== 'accepted');
  return step.parkedFor !== null ? [...open, step.parkedFor] : open;
}
