import { createContext, Script } from 'node:vm';
import { expect, test } from 'vitest';
import { attacksOn } from '#test/support/expression-attacks.ts';
import { productExpressions } from '#test/support/product-expressions.ts';

/** CPU time so far, in milliseconds: on a busy machine, wall time is mostly that of others. */
function cpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const around: { pattern?: RegExp; texts?: string[] } = createContext({ cpu });
/** One script for many texts: each script with a time limit starts a thread. */
const search = new Script(`texts.map((text) => {
  pattern.lastIndex = 0;
  const began = cpu();
  if (pattern.global) text.replace(pattern, ''); else pattern.test(text);
  return cpu() - began;
})`);

/** Milliseconds for each text; null if it does not end, because the time doubles with each letter. */
function costs(pattern: RegExp, texts: string[]): number[] | null {
  Object.assign(around, { pattern, texts });
  try {
    return search.runInContext(around, { timeout: 1500 }) as number[];
  } catch {
    return null;
  }
}

type Attack = readonly [start: string, unit: string];

function textOf([start, unit]: Attack, length: number): string {
  return `${start}${unit.repeat(Math.ceil(length / unit.length))}\u0001`;
}

/** The cheapest of several searches; infinite if one does not end. */
function cost(pattern: RegExp, attack: Attack, length: number, times: number): number {
  const found = costs(pattern, Array(times).fill(textOf(attack, length)));
  return found === null ? Number.POSITIVE_INFINITY : Math.min(...found);
}

/** Eight times the text: 8 times the time if it is linear, 64 times if it is quadratic. */
function growsTooFast(pattern: RegExp, attack: Attack): boolean {
  const grows = (times: number) => {
    const small = cost(pattern, attack, 5000, times);
    if (small < 0.1 || small === Number.POSITIVE_INFINITY) return small > 0.1;
    const large = cost(pattern, attack, 40_000, times);
    return large > 5 && large > 22 * small;
  };
  // Most that look slow once do not look slow again.
  return grows(1) && grows(3);
}

/** A text of 1,000 letters that takes this long is examined closely; reading it once takes a tenth of that. */
const suspectMs = 0.05;
const mostSuspects = 12;

/** The first attack that makes it take more than linear time. */
function attackThatWorks(pattern: RegExp, attacks: readonly Attack[]): Attack | undefined {
  const texts = attacks.map((attack) => textOf(attack, 1000));
  const all = costs(pattern, texts);
  const took = (at: number) => all?.[at] ?? 0;
  const suspects = [...attacks.keys()]
    .filter((at) => all === null || took(at) > suspectMs)
    .sort((a, b) => took(b) - took(a))
    .slice(0, all === null ? attacks.length : mostSuspects);
  return suspects.map((at) => attacks[at] as Attack).find((attack) => growsTooFast(pattern, attack));
}

test.each([
  /\s+$/,
  /^(a+)+$/,
  /^import\s+(?:\w+\s*,?\s*)*from/,
  /(?:ab)*(?:abab)*c/,
  /x[^"]*"[^']*y/,
  /\w+\d+:/,
])('%s takes more than linear time, and is found', (pattern) => {
  expect(attackThatWorks(pattern, attacksOn(pattern))).toBeDefined();
});

test.each([/(?<!\s)\s+$/, /^import\s+\w+/, /^[a-z]+:[^\n]*$/])('%s does not, and is not', (pattern) => {
  expect(attackThatWorks(pattern, attacksOn(pattern))).toBeUndefined();
});

test('no regular expression takes more than linear time', { timeout: 1_200_000 }, async () => {
  const all = await productExpressions();
  expect(all.length).toBeGreaterThan(1000);
  const slow = all.flatMap(({ where, pattern }) => {
    const attack = attackThatWorks(pattern, attacksOn(pattern));
    return attack ? [`${where} ${pattern} on ${JSON.stringify(attack)}`] : [];
  });
  expect(slow).toEqual([]);
});
