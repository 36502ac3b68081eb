import { z } from 'zod';
import { nearest } from '#lib/nearest.ts';
import { Config } from './settings.ts';

/** The part of JSON Schema that the config uses. */
interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly description?: string;
  readonly default?: unknown;
  readonly type?: string;
  readonly enum?: readonly string[];
}

type Path = readonly (string | number)[];

export interface UnknownKey {
  readonly path: Path;
  readonly meant: string | null;
}

let known: Shape | undefined;

/** Made when it is first asked for: most commands are done before that. */
function configShape(): Shape {
  known ??= z.toJSONSchema(Config, { io: 'input' }) as Shape;
  return known;
}

/** Every setting by its dotted path, with what the schema says about it. */
export function configSettings(): readonly { readonly key: string; readonly shape: Shape }[] {
  return settingsOf(configShape(), '');
}

function settingsOf({ properties = {} }: Shape, prefix: string): { key: string; shape: Shape }[] {
  return Object.entries(properties).flatMap(([name, inner]) =>
    inner.properties ? settingsOf(inner, `${prefix}${name}.`) : [{ key: prefix + name, shape: inner }],
  );
}

/** Keys that no setting has; they are most often misspelt, so the nearest known key comes with each. */
export function findUnknownKeys(value: unknown, shape: Shape = configShape(), path: Path = []): UnknownKey[] {
  if (Array.isArray(value)) {
    const { items } = shape;
    return items ? value.flatMap((item, index) => findUnknownKeys(item, items, [...path, index])) : [];
  }
  const { properties } = shape;
  if (!properties || typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const innerShape = Object.hasOwn(properties, key) ? properties[key] : undefined;
    return innerShape
      ? findUnknownKeys(inner, innerShape, [...path, key])
      : [{ path: [...path, key], meant: nearest(key, Object.keys(properties)) }];
  });
}
