import { z } from 'zod';

/** Money and tokens spent, summed up from reports. */
export const Spending = z.object({
  in: z.number().nonnegative().describe('Input tokens, cached ones included.'),
  cached: z.number().nonnegative().describe('Part of `in` that was read from a cache.'),
  written: z.number().nonnegative().describe('Part of `in` that was written to a cache.'),
  out: z.number().nonnegative().describe('Output tokens.'),
  reasoning: z.number().nonnegative().describe('Part of `out` that was thought, not said.'),
  tokens: z.number().nonnegative().describe('`in` and `out`: what a token budget counts.'),
  turns: z.number().nonnegative().describe('Answers of the model, if the agent reports them.'),
  usd: z.number().nonnegative(),
  unpriced: z
    .number()
    .nonnegative()
    .describe('Tokens whose cost is unknown: their model is in no price table. They are not in `usd`.'),
});
export type Spending = z.infer<typeof Spending>;

export const Budget = z.object({
  usd: z.number().positive().nullable(),
  tokens: z.int().positive().nullable(),
});
export type Budget = z.infer<typeof Budget>;

export const noBudget: Budget = { usd: null, tokens: null };

/** Dollars per million tokens. */
export const Price = z.object({
  in: z.number().nonnegative(),
  out: z.number().nonnegative(),
  cached: z.number().nonnegative().optional().describe('Read from a cache; default: as any input.'),
  written: z.number().nonnegative().optional().describe('Written to a cache; default: as any input.'),
});
export type Price = z.infer<typeof Price>;

export function noSpending(): Spending {
  return { in: 0, cached: 0, written: 0, out: 0, reasoning: 0, tokens: 0, turns: 0, usd: 0, unpriced: 0 };
}

/** Sums of floating-point prices end in noise; a millionth of a dollar is precise enough. */
export function roundUsd(usd: number): number {
  return Math.round(usd * 1e6) / 1e6;
}

export function rounded(spending: Spending): Spending {
  return { ...spending, usd: roundUsd(spending.usd) };
}

/** '$5.00 and 100000 tokens' */
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
