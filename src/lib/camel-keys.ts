/** The same value with `snake_case` keys as `camelCase`: agents write both, and so do plans of others. */
export function camelKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [camel(key), camelKeys(inner)]));
}

function camel(key: string): string {
  return key.replace(/(?<=[a-z\d])_+([a-z\d])/g, (_, letter: string) => letter.toUpperCase());
}
