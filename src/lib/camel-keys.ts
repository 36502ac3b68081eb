/** Converts `snake_case` keys to `camelCase`: agents and imported plans use both. */
export function camelKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [camel(key), camelKeys(inner)]));
}

function camel(key: string): string {
  return key.replace(/(?<=[a-z\d])_+([a-z\d])/g, (_, letter: string) => letter.toUpperCase());
}
