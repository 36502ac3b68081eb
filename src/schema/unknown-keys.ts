import { nearest } from '#lib/nearest.ts';

/** The part of JSON Schema that defines the allowed keys. */
export interface KeyShape {
  readonly properties?: Readonly<Record<string, KeyShape>>;
  readonly items?: KeyShape;
  /** Shape of all other keys; `{}` or undefined: none are allowed. */
  readonly additionalProperties?: KeyShape | boolean;
}

type Path = readonly (string | number)[];

export interface UnknownKey {
  readonly path: Path;
  readonly meant: string | null;
}

/** Keys that the schema does not have, each with the nearest known key: most are misspelt. */
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
