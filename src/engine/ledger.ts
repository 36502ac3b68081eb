import type { Usage } from '../model/run.ts';
import { type Budget, noSpending, roundUsd, type Spending } from '../model/spending.ts';
import type { AttemptState, RunState } from './state.ts';

export function sumOf(attempts: readonly Pick<AttemptState, 'usage'>[]): Spending {
  const total = noSpending();
  for (const { usage } of attempts) {
    for (const part of Object.keys(total) as (keyof Spending)[]) total[part] += usage[part];
  }
  return total;
}

/** What the agent itself reported: estimates of its cost are ours and not part of it. */
export function reportedUsage({ usage, estimated }: AttemptState): Usage {
  const guessed = [...estimated.values()].reduce((sum, { usd }) => sum + usd, 0);
  const { in: input, out, cached, written, reasoning, turns } = usage;
  return { in: input, out, cached, written, reasoning, turns, usd: Math.max(0, usage.usd - guessed) };
}

/** How much of the budget is gone, by whichever limit is nearer; null without a budget. */
export function spentShare(spending: Spending, { usd, tokens }: Budget): number | null {
  const shares = [
    ...(usd === null ? [] : [spending.usd / usd]),
    ...(tokens === null ? [] : [spending.tokens / tokens]),
  ];
  return shares.length === 0 ? null : Math.max(...shares);
}

/** As much again as the run began with, as often as it takes to be above what is spent already. */
export function raisedBudget({
  budget,
  settings,
  usage,
}: Pick<RunState, 'budget' | 'settings' | 'usage'>): Budget {
  const raise = (limit: number | null, step: number | null, spent: number) => {
    if (limit === null) return null;
    const by = step ?? limit;
    return limit + by * Math.max(1, Math.floor((spent - limit) / by) + 1);
  };
  const usd = raise(budget.usd, settings.budget.usd, usage.usd);
  return {
    usd: usd === null ? null : roundUsd(usd),
    tokens: raise(budget.tokens, settings.budget.tokens, usage.tokens),
  };
}

export function formatBudget({ usd, tokens }: Budget): string {
  const parts = [
    ...(usd === null ? [] : [`$${usd.toFixed(2)}`]),
    ...(tokens === null ? [] : [`${tokens} tokens`]),
  ];
  return parts.join(' and ');
}

export function formatSpent({ usd, tokens }: Pick<Spending, 'usd' | 'tokens'>): string {
  return usd > 0 ? `$${usd.toFixed(2)} and ${tokens} tokens` : `${tokens} tokens`;
}
