import { pricesDate } from '#agents/ledger/prices.ts';
import type { CostReport } from '#schema/cost-report.ts';
import type { Consultation } from '#schema/planning.ts';
import { rounded } from '#schema/spending.ts';
import { spentShare, sumOf } from './ledger.ts';
import type { AttemptState, RunState } from './state.ts';

/** The ledger of a run; a pure function of its log. */
export function costOfRun(run: string, state: RunState): CostReport {
  const tasks = [...state.steps.values()].map(({ task, status, attempts }) => ({
    id: task.id,
    status,
    ...rounded(sumOf(attempts)),
    ms: timeOf(attempts),
    attempts: attempts.map((attempt) => ({
      n: attempt.n,
      driver: attempt.driver,
      tier: attempt.tier,
      model: attempt.model,
      outcome: attempt.outcome,
      ...rounded(attempt.usage),
      ms: timeOf([attempt]),
    })),
  }));
  const share = spentShare(state.usage, state.budget);
  return {
    schema: 'joinery/cost@1',
    run,
    status: state.status,
    budget: { ...state.budget, share: share === null ? null : Math.round(share * 1e4) / 1e4 },
    total: { ...rounded(state.usage), ms: tasks.reduce((sum, { ms }) => sum + ms, 0) },
    models: [...state.models]
      .map(([model, spending]) => ({ model: model === '' ? null : model, ...rounded(spending) }))
      .toSorted((a, b) => b.usd - a.usd || b.tokens - a.tokens),
    asked: askedIn(state.consultations),
    tasks,
    prices: pricesDate,
  };
}

const phases: Readonly<Record<string, CostReport['asked'][number]['phase']>> = {
  'spec-challenger': 'challenge',
  'plan-challenger': 'challenge',
  verifier: 'verify',
  fixer: 'verify',
  reviewer: 'review',
  assessor: 'review',
  prover: 'review',
  'architecture-auditor': 'review',
  'production-auditor': 'review',
  integrator: 'integrate',
};

/** One row for each phase, role, reviewer and model. */
function askedIn(consultations: readonly Consultation[]): CostReport['asked'] {
  const groups = Map.groupBy(consultations, ({ role, reviewer, model }) =>
    JSON.stringify([phases[role] ?? 'plan', role, reviewer ?? '', model ?? '']),
  );
  return [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, some]) => {
      const sum = (key: 'in' | 'out' | 'usd' | 'ms') => some.reduce((total, each) => total + each[key], 0);
      const { role = '', reviewer = null, model = null } = some[0] ?? {};
      return {
        ...{ phase: phases[role] ?? ('plan' as const), role, reviewer, model, times: some.length },
        ...{
          in: sum('in'),
          out: sum('out'),
          usd: Math.round(sum('usd') * 1e6) / 1e6,
          ms: Math.round(sum('ms')),
        },
      };
    });
}

function timeOf(attempts: readonly AttemptState[]): number {
  return attempts.reduce((sum, { promptedAt, seenAt }) => {
    return promptedAt && seenAt ? sum + Date.parse(seenAt) - Date.parse(promptedAt) : sum;
  }, 0);
}
