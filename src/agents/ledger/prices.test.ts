import { describe, expect, test } from 'vitest';
import { costOf, pricedUsage, priceOf } from './prices.ts';

describe('the price of a model', () => {
  test('is found for dated, latest and provider-qualified names', () => {
    const sonnet = priceOf('claude-sonnet-4-5');
    expect(sonnet).toMatchObject({ in: 3, out: 15 });
    expect(priceOf('claude-sonnet-4-5-20250929')).toBe(sonnet);
    expect(priceOf('claude-sonnet-4-5@20250929')).toBe(sonnet);
    expect(priceOf('anthropic/claude-sonnet-4-5')).toBe(sonnet);
    expect(priceOf('gpt-5-2025-08-07')).toBe(priceOf('gpt-5'));
    expect(priceOf('gemini-3-pro-preview')).toBe(priceOf('gemini-3-pro'));
  });

  test('is not guessed from a similar name', () => {
    for (const name of ['gpt-5.9', 'gpt-5-pro', 'o3-pro', 'claude-opus-4-9', 'claude', '', 'toString']) {
      expect(priceOf(name), name).toBeNull();
    }
  });

  test("is the project's price if there is one", () => {
    const own = { 'gpt-5': { in: 1, out: 2 }, local: { in: 0, out: 0 } };
    expect(priceOf('gpt-5', own)).toEqual({ in: 1, out: 2 });
    expect(priceOf('local', own)).toEqual({ in: 0, out: 0 });
  });
});

describe('the cost of tokens', () => {
  test('counts cached ones at their own price, once', () => {
    const price = { in: 10, out: 50, cached: 1, written: 12.5 };
    const usage = { in: 1_000_000, cached: 600_000, written: 200_000, out: 100_000, usd: 0 };
    expect(costOf(usage, price)).toBeCloseTo(2 + 0.6 + 2.5 + 5, 9);
    expect(costOf({ in: 1000, cached: 500, out: 0, usd: 0 }, { in: 2, out: 8 })).toBeCloseTo(0.002, 9);
  });

  test("is the agent's own figure, else computed from the table, else unknown", () => {
    const usage = { in: 1_000_000, out: 0, usd: 0 };
    expect(pricedUsage({ ...usage, usd: 7 }, 'gpt-5')).toMatchObject({ usd: 7, basis: 'reported' });
    expect(pricedUsage(usage, 'gpt-5')).toMatchObject({ usd: 1.25, basis: 'table', model: 'gpt-5' });
    expect(pricedUsage({ ...usage, model: 'gpt-5-mini' }, 'gpt-5')).toMatchObject({ usd: 0.25 });
    expect(pricedUsage(usage, 'my-model')).toMatchObject({ usd: 0, basis: 'unknown', model: 'my-model' });
    expect(pricedUsage(usage, null)).toEqual({ ...usage, basis: 'unknown' });
  });
});
