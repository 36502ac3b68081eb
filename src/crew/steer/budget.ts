import { raisedBudget, spentShare, unpricedModels } from '#crew/state/ledger.ts';
import { hasEnded, type RunState } from '#crew/state/state.ts';
import type { EventDraft } from '#schema/event.ts';
import { roundUsd } from '#schema/spending.ts';
import { budgetQuestion } from './questions.ts';

/** At this share of the budget a person is warned, once. */
const warningShare = 0.8;

/** Pending budget events: a warning, an exhausted budget, a model without a price. Each is emitted once. */
export function budgetEvents(state: RunState, now: number): EventDraft[] {
  if (hasEnded(state)) return [];
  return [...unpricedEvents(state), ...limitEvents(state, now)];
}

function limitEvents(state: RunState, now: number): EventDraft[] {
  const share = spentShare(state.usage, state.budget);
  if (share === null || state.isOverspent) return [];
  const figures = { usd: roundUsd(state.usage.usd), tokens: state.usage.tokens, budget: state.budget };
  if (share >= 1) {
    return [
      { type: 'run.overspent', data: figures },
      { type: 'question.asked', data: budgetQuestion(state, raisedBudget(state), now) },
    ];
  }
  return share >= warningShare && !state.isWarned ? [{ type: 'run.warned', data: figures }] : [];
}

/**
 * Tokens without a price cannot count towards a limit in dollars, and that must be reported. But until an attempt has been
 * played, its agent may still report their cost.
 */
function unpricedEvents({ budget, settings, steps, usage, degraded }: RunState): EventDraft[] {
  const hasLimit = budget.usd !== null || (settings.limits?.usd ?? null) !== null;
  if (!hasLimit || usage.unpriced === 0) return [];
  return unpricedModels({ steps })
    .map(unpricedText)
    .filter((what) => !degraded.includes(what))
    .map((what) => ({ type: 'run.degraded', data: { what } }));
}

function unpricedText(model: string): string {
  const which = model === '' ? 'a model without a name' : model;
  return `the price of ${which} is unknown: its tokens do not count towards a limit in dollars (set "prices" in joinery.json)`;
}
