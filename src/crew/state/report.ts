import { type ExitCode, exitCodes } from '#schema/exit-codes.ts';
import type { RunReport } from '#schema/run.ts';
import { rounded } from '#schema/spending.ts';
import { checkedOf } from './checked.ts';
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
    checked: checkedOf(state),
    questions: openQuestions(state),
    ...(state.spec === null ? {} : { spec: state.spec.path }),
    target: state.target,
    phases: state.phases
      .filter(({ status }) => status !== 'begun')
      .map(({ phase, status, detail }) => ({
        phase,
        status: status === 'done' ? ('pass' as const) : ('fail' as const),
        detail,
      })),
    landed: state.landed && { ...state.landed },
    degraded: [...state.degraded],
    ...(state.containment === null ? {} : { containment: state.containment }),
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
function exitCodeOf(state: RunState): ExitCode {
  if (state.status === 'done') return exitCodes.ok;
  if (!hasEnded(state))
    return state.pausedBy === 'interrupted' ? exitCodes.interrupted : exitCodes.needsPerson;
  const steps = [...state.steps.values()];
  if (state.status === 'cancelled' || steps.some((step) => step.status === 'failed'))
    return exitCodes.findings;
  if (steps.some((step) => step.status === 'escalated' && step.conflict)) return exitCodes.mergeConflict;
  const integration = state.integrations.at(-1)?.report.status;
  if (integration === 'conflict') return exitCodes.mergeConflict;
  if (integration === 'blocked' || integration === 'lost') return exitCodes.findings;
  // Without tasks, the spec or its plan was refused.
  return steps.length === 0 ? exitCodes.findings : exitCodes.needsPerson;
}
