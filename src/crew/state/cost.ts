import { pricesDate } from '#agents/ledger/prices.ts';
import type { CostReport } from '#schema/cost-report.ts';
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
    tasks,
    prices: pricesDate,
  };
}

function timeOf(attempts: readonly AttemptState[]): number {
  return attempts.reduce((sum, { promptedAt, seenAt }) => {
    return promptedAt && seenAt ? sum + Date.parse(seenAt) - Date.parse(promptedAt) : sum;
  }, 0);
}
