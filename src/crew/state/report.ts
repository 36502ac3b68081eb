import type { RunReport } from '#schema/run.ts';
import { rounded } from '#schema/spending.ts';
import { claimsOf } from './claims.ts';
import { hasEnded, openQuestions, type RunState, type StepState } from './state.ts';

/** The answer of every command about a run; a pure function of its log. */
export function reportOf(run: string, state: RunState): RunReport {
  return {
    schema: 'joinery/run@1',
    run,
    status: state.status,
    ...(state.reason === '' ? {} : { reason: state.reason }),
    base: state.base,
    integration: { ...state.integration },
    tasks: [...state.steps.values()].map((step) => ({
      id: step.task.id,
      status: step.status,
      branch: step.branch,
      commit: step.commit,
      attempts: step.attempts.length,
      claims: [...(step.attempts.at(-1)?.claims ?? [])],
      ...(step.reason === '' ? {} : { reason: step.reason }),
      ...incidentsOf(step),
    })),
    claims: [...state.steps.values()].flatMap(claimsOf),
    questions: openQuestions(state),
    degraded: [...state.degraded],
    cost: rounded(state.usage),
    budget: { ...state.budget },
    exitCode: exitCodeOf(state),
  };
}

function incidentsOf(step: StepState): { incidents?: string[] } {
  const incidents = step.attempts.flatMap(({ n, incidents: all }) =>
    all.map(({ detail }) => `attempt ${n}: ${detail}`),
  );
  return incidents.length === 0 ? {} : { incidents };
}

/** Work that is blocked, unfinished or waiting for a person is never 0. */
function exitCodeOf(state: RunState): number {
  if (state.status === 'done') return 0;
  if (!hasEnded(state)) return state.pausedBy === 'interrupted' ? 130 : 2;
  const steps = [...state.steps.values()];
  if (state.status === 'cancelled' || steps.some((step) => step.status === 'failed')) return 1;
  if (steps.some((step) => step.status === 'escalated' && step.conflict)) return 4;
  return 2;
}
