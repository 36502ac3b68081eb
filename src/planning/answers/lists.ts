import { isObject } from '#agents/stream/find-json.ts';

/** The objects of a list, converted; everything else as it is. */
export function each(value: unknown, convert: (item: Record<string, unknown>) => object): unknown {
  return listOf(value, (item) => (isObject(item) ? convert(item) : item));
}

export function listOf(value: unknown, convert: (item: unknown) => unknown): unknown {
  return Array.isArray(value) ? value.map(convert) : value;
}

/** Ids that others write as numbers. */
export function asText(value: unknown): unknown {
  return typeof value === 'number' ? String(value) : value;
}
