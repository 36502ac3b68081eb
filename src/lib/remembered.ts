/** The cached value of a key; computed on the first call. */
export function remembered<K, V extends NonNullable<unknown> | null>(
  known: Map<K, V>,
  key: K,
  compute: (key: K) => V,
): V {
  const kept = known.get(key);
  if (kept !== undefined) return kept;
  const value = compute(key);
  known.set(key, value);
  return value;
}
