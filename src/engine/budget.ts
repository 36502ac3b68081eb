import type { EventDraft } from '../model/event.ts';
import { roundUsd } from '../model/spending.ts';
import { raisedBudget, spentShare } from './ledger.ts';
import { budgetQuestion } from './questions.ts';
import { hasEnded, type RunState } from './state.ts';

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

/** Tokens without a price cannot count towards a limit in dollars. That must not pass in silence. */
function unpricedEvents(state: RunState): EventDraft[] {
  if (state.budget.usd === null) return [];
  return [...state.models]
    .filter(([, spending]) => spending.unpriced > 0)
    .map(([model]) => unpricedText(model))
    .filter((what) => !state.degraded.includes(what))
    .map((what) => ({ type: 'run.degraded', data: { what } }));
}

function unpricedText(model: string): string {
  const which = model === '' ? 'a model without a name' : model;
  return `the price of ${which} is unknown: its tokens do not count towards the budget in dollars (set "prices" in joinery.json)`;
}
