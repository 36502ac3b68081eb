/** Full numbers when asked for, else a sample; the seed is printed, so that a failure can be repeated. */
export const isSoak = process.env.JOINERY_SOAK === '1';

export function seededRandom(): {
  readonly seed: number;
  next(): number;
  pick<T>(from: readonly T[], count: number): T[];
} {
  const seed = Number(process.env.JOINERY_SEED ?? Date.now() % 1_000_000);
  let state = seed >>> 0;
  // mulberry32: small, and good enough to choose where to crash.
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
  const pick = <T>(from: readonly T[], count: number): T[] =>
    from
      .map((item) => ({ item, key: next() }))
      .sort((a, b) => a.key - b.key)
      .slice(0, count)
      .map(({ item }) => item);
  return { seed, next, pick };
}
