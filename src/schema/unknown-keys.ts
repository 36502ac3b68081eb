import { nearest } from '#lib/nearest.ts';

/** The part of JSON Schema that says which keys there are. */
export interface KeyShape {
  readonly properties?: Readonly<Record<string, KeyShape>>;
  readonly items?: KeyShape;
  /** Shape of every other key; `{}` or nothing: there are no others. */
  readonly additionalProperties?: KeyShape | boolean;
}

type Path = readonly (string | number)[];

export interface UnknownKey {
  readonly path: Path;
  readonly meant: string | null;
}

/** Keys that the schema does not have; they are most often misspelt, so the nearest known key comes with each. */
export function unknownKeys(value: unknown, shape: KeyShape, path: Path = []): UnknownKey[] {
  if (Array.isArray(value)) {
    const { items } = shape;
    return items ? value.flatMap((item, index) => unknownKeys(item, items, [...path, index])) : [];
  }
  const { properties } = shape;
  if (!properties || typeof value !== 'object' || value === null) return [];
  const others = typeof shape.additionalProperties === 'object' ? shape.additionalProperties : undefined;
  return Object.entries(value).flatMap(([key, inner]) => {
    const innerShape = Object.hasOwn(properties, key) ? properties[key] : others;
    return innerShape
      ? unknownKeys(inner, innerShape, [...path, key])
      : [{ path: [...path, key], meant: nearest(key, Object.keys(properties)) }];
  });
}
