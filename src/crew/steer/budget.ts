import { raisedBudget, spentShare, unpricedModels } from '#crew/state/ledger.ts';
import { hasEnded, type RunState } from '#crew/state/state.ts';
import type { EventDraft } from '#schema/event.ts';
import { roundUsd } from '#schema/spending.ts';
import { budgetQuestion } from './questions.ts';

/** From this share of the budget on a person is warned, once. */
const warningShare = 0.8;

/** What the ledger has to say now: a warning, the end of the money, a model without a price. Said once each. */
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
 * Tokens without a price cannot count towards a limit in dollars. That must not pass in silence; but until an attempt has
 * been played its agent may still say what they cost.
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
