import { type Sizes, sample } from './sampling.ts';

/** Random choices from the seed of the test run: `next` is between 0 and 1, `pick` takes some in random order. */
export interface Chance {
  readonly count: number;
  readonly seed: number;
  next(): number;
  pick<T>(from: readonly T[]): T[];
}

export function chance(guarantee: string, sizes: Sizes): Chance {
  const { seed, numRuns: count } = sample(guarantee, sizes);
  let state = seed >>> 0;
  // mulberry32: small, and good enough to choose where to crash.
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
  const pick = <T>(from: readonly T[]): T[] =>
    from
      .map((item) => ({ item, key: next() }))
      .sort((a, b) => a.key - b.key)
      .slice(0, count)
      .map(({ item }) => item);
  return { count, seed, next, pick };
}
