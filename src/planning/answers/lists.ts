import { isObject } from '#agents/stream/find-json.ts';

/** Converts the objects of a list; other elements stay unchanged. */
export function each(value: unknown, convert: (item: Record<string, unknown>) => object): unknown {
  return listOf(value, (item) => (isObject(item) ? convert(item) : item));
}

export function listOf(value: unknown, convert: (item: unknown) => unknown): unknown {
  return Array.isArray(value) ? value.map(convert) : value;
}

/** Converts ids that other tools write as numbers. */
export function asText(value: unknown): unknown {
  return typeof value === 'number' ? String(value) : value;
}
