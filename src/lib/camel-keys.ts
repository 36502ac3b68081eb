/** No answer of an agent is nested deeper; a deeper value becomes null. */
const deepest = 200;

/** Converts `snake_case` keys to `camelCase`: agents and imported plans use both. */
export function camelKeys(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === deepest) return null;
  if (Array.isArray(value)) return value.map((inner) => camelKeys(inner, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [camel(key), camelKeys(inner, depth + 1)]),
  );
}

function camel(key: string): string {
  return key.replace(/(?<=[a-z\d])_+([a-z\d])/g, (_, letter: string) => letter.toUpperCase());
}
