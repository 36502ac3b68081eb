import type { Usage } from '#schema/run.ts';
import type { Price } from '#schema/spending.ts';

/** The day on which the table below was compared with its source, the open price list `genai-prices` 0.1.8. */
export const pricesDate = '2026-09-23';

/**
 * Standard rates of the providers' own APIs, in dollars per million tokens. Surcharges for long prompts, batch and
 * regional prices are left out: if an agent reports its cost itself, that figure is used instead.
 */
const table: Readonly<Record<string, Price>> = {
  'claude-fable-5-1': { in: 10, out: 50, cached: 0.25, written: 12.5 },
  'claude-fable-5': { in: 10, out: 50, cached: 1, written: 12.5 },
  'claude-opus-5-5': { in: 4, out: 20, cached: 0.2, written: 5 },
  'claude-opus-5': { in: 5, out: 25, cached: 0.5, written: 6.25 },
  'claude-opus-4-8': { in: 5, out: 25, cached: 0.5, written: 6.25 },
  'claude-opus-4-7': { in: 5, out: 25, cached: 0.5, written: 6.25 },
  'claude-opus-4-6': { in: 5, out: 25, cached: 0.5, written: 6.25 },
  'claude-opus-4-5': { in: 5, out: 25, cached: 0.5, written: 6.25 },
  'claude-opus-4-1': { in: 15, out: 75, cached: 1.5, written: 18.75 },
  'claude-opus-4': { in: 15, out: 75, cached: 1.5, written: 18.75 },
  'claude-sonnet-5': { in: 2, out: 10, cached: 0.2, written: 2.5 },
  'claude-sonnet-4-6': { in: 3, out: 15, cached: 0.3, written: 3.75 },
  'claude-sonnet-4-5': { in: 3, out: 15, cached: 0.3, written: 3.75 },
  'claude-sonnet-4': { in: 3, out: 15, cached: 0.3, written: 3.75 },
  'claude-haiku-4-5': { in: 1, out: 5, cached: 0.1, written: 1.25 },
  'claude-3-5-haiku': { in: 0.8, out: 4, cached: 0.08, written: 1 },

  'gpt-5.6-sol': { in: 4, out: 20, cached: 0.4, written: 5 },
  'gpt-5.6-terra': { in: 2, out: 12, cached: 0.2, written: 2.5 },
  'gpt-5.6-luna': { in: 0.2, out: 1.2, cached: 0.02, written: 0.25 },
  'gpt-5.6': { in: 4, out: 20, cached: 0.4, written: 5 },
  'gpt-5.5': { in: 5, out: 30, cached: 0.5 },
  'gpt-5.4-mini': { in: 0.75, out: 4.5, cached: 0.075 },
  'gpt-5.4-nano': { in: 0.2, out: 1.25, cached: 0.02 },
  'gpt-5.4': { in: 2.5, out: 15, cached: 0.25 },
  'gpt-5.3-codex': { in: 1.75, out: 14, cached: 0.175 },
  'gpt-5.3': { in: 1.75, out: 14, cached: 0.175 },
  'gpt-5.2-codex': { in: 1.75, out: 14, cached: 0.175 },
  'gpt-5.2': { in: 1.75, out: 14, cached: 0.175 },
  'gpt-5.1-codex-max': { in: 1.25, out: 10, cached: 0.125 },
  'gpt-5.1-codex': { in: 1.25, out: 10, cached: 0.125 },
  'gpt-5.1-codex-mini': { in: 0.25, out: 2, cached: 0.025 },
  'gpt-5.1': { in: 1.25, out: 10, cached: 0.125 },
  'gpt-5-codex': { in: 1.25, out: 10, cached: 0.125 },
  'gpt-5-mini': { in: 0.25, out: 2, cached: 0.025 },
  'gpt-5-nano': { in: 0.05, out: 0.4, cached: 0.005 },
  'gpt-5': { in: 1.25, out: 10, cached: 0.125 },
  'gpt-4.1-mini': { in: 0.4, out: 1.6, cached: 0.1 },
  'gpt-4.1-nano': { in: 0.1, out: 0.4, cached: 0.025 },
  'gpt-4.1': { in: 2, out: 8, cached: 0.5 },
  'o4-mini': { in: 1.1, out: 4.4, cached: 0.275 },
  o3: { in: 2, out: 8, cached: 0.5 },

  'gemini-3.8-flash': { in: 0.75, out: 3.75, cached: 0.075 },
  'gemini-3.7-flash': { in: 0.75, out: 3.75, cached: 0.075 },
  'gemini-3.6-flash': { in: 0.75, out: 3.75, cached: 0.075 },
  'gemini-3.5-flash-lite': { in: 0.3, out: 2.5, cached: 0.03 },
  'gemini-3.5-flash': { in: 1.5, out: 9, cached: 0.15 },
  'gemini-3.1-pro': { in: 2, out: 12, cached: 0.2 },
  'gemini-3.1-flash-lite': { in: 0.25, out: 1.5, cached: 0.025 },
  'gemini-3-pro': { in: 2, out: 12, cached: 0.2 },
  'gemini-3-flash': { in: 0.5, out: 3, cached: 0.05 },
  'gemini-2.5-pro': { in: 1.25, out: 10, cached: 0.125 },
  'gemini-2.5-flash-lite': { in: 0.1, out: 0.4, cached: 0.01 },
  'gemini-2.5-flash': { in: 0.3, out: 2.5, cached: 0.03 },
};

/** A project's own prices, by the exact name of the model. */
export type PriceOverrides = Readonly<Record<string, Price>>;

/** Suffix of a dated, latest or preview version of a model. */
const version = /([-@]\d{8}|-\d{4}-\d\d-\d\d|-latest|-preview(-[\d-]+)?)$/;

/** The project's price, else the table's; null if neither has the model. Similar names are not guessed. */
export function priceOf(model: string, overrides: PriceOverrides = {}): Price | null {
  const own = Object.hasOwn(overrides, model) ? overrides[model] : undefined;
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
  return own ?? table[name] ?? table[name.replace(version, '')] ?? null;
}

/** Dollars for that many tokens. */
export function costOf({ in: all, out, cached = 0, written = 0 }: Usage, price: Price): number {
  const fresh = Math.max(0, all - cached - written);
  const millionths =
    fresh * price.in +
    cached * (price.cached ?? price.in) +
    written * (price.written ?? price.in) +
    out * price.out;
  return millionths / 1e6;
}

export type PricedUsage = Usage & { readonly basis: 'reported' | 'table' | 'unknown' };

/** Uses the agent's own figure, else the price of its model, else marks the cost as unknown. */
export function pricedUsage(usage: Usage, model: string | null, overrides: PriceOverrides = {}): PricedUsage {
  const named = usage.model ?? model ?? undefined;
  const known = named === undefined ? usage : { ...usage, model: named };
  if (usage.usd > 0 || usage.in + usage.out === 0) return { ...known, basis: 'reported' };
  const price = named === undefined ? null : priceOf(named, overrides);
  return price ? { ...known, usd: costOf(usage, price), basis: 'table' } : { ...known, basis: 'unknown' };
}
