import type { DataOf, RunEvent } from '#schema/event.ts';
import type { Consultation } from '#schema/planning.ts';
import type { Usage } from '#schema/run.ts';
import { type Budget, noSpending, roundUsd, type Spending } from '#schema/spending.ts';
import type { AttemptState, RunState } from './state.ts';

export function sumOf(attempts: readonly Pick<AttemptState, 'usage'>[]): Spending {
  const total = noSpending();
  for (const { usage } of attempts) {
    for (const part of Object.keys(total) as (keyof Spending)[]) total[part] += usage[part];
  }
  return total;
}

/** The usage that the agent itself reported, without our estimates of its cost. */
export function reportedUsage({ usage, estimated }: AttemptState): Usage {
  const guessed = [...estimated.values()].reduce((sum, { usd }) => sum + usd, 0);
  const { in: input, out, cached, written, reasoning, turns } = usage;
  return { in: input, out, cached, written, reasoning, turns, usd: Math.max(0, usage.usd - guessed) };
}

/** The used share of the budget, by whichever limit is nearer; null without a budget. */
export function spentShare(spending: Spending, { usd, tokens }: Budget): number | null {
  const shares = [
    ...(usd === null ? [] : [spending.usd / usd]),
    ...(tokens === null ? [] : [spending.tokens / tokens]),
  ];
  return shares.length === 0 ? null : Math.max(...shares);
}

/** Adds the initial budget as often as needed to exceed what is already spent. */
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

/** One report counts once each for the attempt, for its model and for the run. */
export function spend(state: RunState, attempt: AttemptState, event: RunEvent<'attempt.spent'>): void {
  const { model, basis, usd } = event.data;
  if (model !== undefined) attempt.model = model;
  const name = attempt.model ?? '';
  state.models.set(name, state.models.get(name) ?? noSpending());
  const totalsOf = (each: string) => [state.usage, attempt.usage, state.models.get(each) ?? noSpending()];
  if (basis === 'table' || basis === 'unknown') {
    const before = attempt.estimated.get(name) ?? { usd: 0, unpriced: 0 };
    attempt.estimated.set(name, {
      usd: before.usd + usd,
      unpriced: before.unpriced + unpricedIn(event.data),
    });
  } else if (usd > 0) {
    // A cost reported by the agent replaces our estimates, and the unpriced tokens, up to here.
    for (const [each, estimate] of attempt.estimated) {
      for (const total of totalsOf(each)) {
        total.usd = Math.max(0, total.usd - estimate.usd);
        total.unpriced = Math.max(0, total.unpriced - estimate.unpriced);
      }
    }
    attempt.estimated.clear();
  }
  for (const total of totalsOf(name)) addSpent(total, event.data);
  attempt.seenAt = event.at;
}

/** Spending before there were tasks counts for the run and its model. */
export function spendOnPlanning(
  { usage, models }: Pick<RunState, 'usage' | 'models'>,
  { model, in: input, out, usd }: Consultation,
): void {
  const name = model ?? '';
  const ofModel = models.get(name) ?? noSpending();
  models.set(name, ofModel);
  for (const total of [usage, ofModel]) addSpent(total, { in: input, out, usd });
}

function addSpent(total: Spending, more: DataOf<'attempt.spent'>): void {
  total.in += more.in;
  total.cached += more.cached ?? 0;
  total.written += more.written ?? 0;
  total.out += more.out;
  total.reasoning += more.reasoning ?? 0;
  total.tokens += more.in + more.out;
  total.turns += more.turns ?? 0;
  total.usd += more.usd;
  total.unpriced += unpricedIn(more);
}

function unpricedIn({ basis, in: input, out }: DataOf<'attempt.spent'>): number {
  return basis === 'unknown' ? input + out : 0;
}

/** Models without a price, in attempts that were played: until then an agent may still report the cost. */
export function unpricedModels({ steps }: Pick<RunState, 'steps'>): string[] {
  const models = [...steps.values()]
    .flatMap(({ attempts }) => attempts.filter(({ played }) => played !== null))
    .flatMap(({ estimated }) => [...estimated].filter(([, { unpriced }]) => unpriced > 0))
    .map(([model]) => model);
  return [...new Set(models)];
}
