import { describe, expect, test } from 'vitest';
import { usagesIn, withoutEarlier } from './exported-usage.ts';
import { Meter, readChunkMeta, readQuota, readUsage, withCost } from './usage.ts';

describe('tokens as agents count them', () => {
  const plain = { inputTokens: 1000, outputTokens: 50 };

  test.each([
    [
      'cached ones within',
      { ...plain, totalTokens: 1050, cachedReadTokens: 200 },
      { in: 1000, out: 50, cached: 200 },
    ],
    [
      'cached ones beside',
      { ...plain, totalTokens: 1350, cachedReadTokens: 200, cachedWriteTokens: 100 },
      { in: 1300, out: 50, cached: 200, written: 100 },
    ],
    [
      'thought ones beside',
      { ...plain, totalTokens: 1080, thoughtTokens: 30 },
      { in: 1000, out: 80, reasoning: 30 },
    ],
    [
      'thought ones within',
      { ...plain, totalTokens: 1050, thoughtTokens: 30 },
      { in: 1000, out: 50, reasoning: 30 },
    ],
    [
      'both beside',
      { ...plain, totalTokens: 1280, cachedReadTokens: 200, thoughtTokens: 30 },
      { in: 1200, out: 80, cached: 200, reasoning: 30 },
    ],
    ['no total', plain, { in: 1000, out: 50 }],
    [
      'a total that fits nothing',
      { ...plain, totalTokens: 5, cachedReadTokens: 7 },
      { in: 1000, out: 50, cached: 7 },
    ],
  ])('%s', (_, usage, expected) => {
    expect(readUsage(usage)).toEqual({ usd: 0, ...expected });
  });

  test('beside the answer or the text, and nothing if nothing is reported', () => {
    expect(readQuota({ quota: { token_count: { input_tokens: 3, output_tokens: 4 } } })).toEqual([
      { in: 3, out: 4, usd: 0 },
    ]);
    expect(readQuota({ quota: 'plenty' })).toEqual([]);
    expect(readQuota({ quota: { token_count: { input_tokens: -3, output_tokens: 4 } } })).toEqual([
      { in: 0, out: 4, usd: 0 },
    ]);
    expect(readChunkMeta({ usage: plain })).toMatchObject({ in: 1000 });
    expect(readChunkMeta({ usage: { inputTokens: -1, outputTokens: 2 } })).toBeNull();
    expect(readChunkMeta(undefined)).toBeNull();
  });
});

describe('a session that opencode exports', () => {
  const answer = (input: number, read: number) => ({
    info: {
      role: 'assistant',
      modelID: 'm',
      cost: 0.001,
      tokens: { input, output: 50, reasoning: 5, cache: { read, write: 0 } },
    },
  });
  const text = `Exporting session: s\n${JSON.stringify({
    info: {},
    messages: [{ info: { role: 'user' } }, answer(800, 200), answer(1200, 0)],
  })}\n`;

  test('contains every answer', () => {
    expect(usagesIn(text)).toEqual([
      { in: 1000, out: 55, usd: 0.001, cached: 200, reasoning: 5, model: 'm' },
      { in: 1200, out: 55, usd: 0.001, reasoning: 5, model: 'm' },
    ]);
    expect(usagesIn(text.replace('"input":1200', '"input":-1200').replaceAll('0.001', '-1'))).toMatchObject([
      { in: 1000, usd: 0 },
      { in: 0, out: 55, usd: 0 },
    ]);
    expect(usagesIn('no session')).toEqual([]);
    expect(usagesIn('{"messages": 7}')).toEqual([]);
  });

  test('that was resumed counts only the new answers', () => {
    const [first, second] = usagesIn(text);
    expect(withoutEarlier(usagesIn(text), { in: 1000, out: 55, usd: 0 })).toEqual([second]);
    expect(withoutEarlier(usagesIn(text), { in: 0, out: 0, usd: 0 })).toEqual([first, second]);
  });
});

test('a growing figure becomes its increments, and one that shrinks starts again from zero', () => {
  const meter = new Meter(2);
  expect([3, 3, 7, 1].map((total) => meter.add(total))).toEqual([1, 0, 4, 1]);
});

test('a cost for several models is divided by their tokens, and without a cost nothing is invented', () => {
  const usages = [
    { in: 10, out: 5, usd: 0, model: 'x' },
    { in: 40, out: 5, usd: 0, model: 'y' },
  ];
  expect(withCost(usages, 2).map(({ usd }) => usd)).toEqual([0.5, 1.5]);
  expect(withCost(usages, 0)).toEqual(usages);
  expect(withCost([], 2)).toEqual([]);
});
