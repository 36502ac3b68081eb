import { z } from 'zod';
import { type UnknownKey, unknownKeys } from '#schema/unknown-keys.ts';
import { Config } from './settings.ts';

/** The part of JSON Schema that the config uses. */
interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly additionalProperties?: Shape | boolean;
  readonly description?: string;
  readonly default?: unknown;
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Shape[];
}

let known: Shape | undefined;

/** Built on first use: most commands never need it. */
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
    inner.properties && typeof inner.additionalProperties !== 'object'
      ? settingsOf(inner, `${prefix}${name}.`)
      : [{ key: prefix + name, shape: inner }],
  );
}

/** Keys that are not settings. */
export function unknownSettings(value: unknown): UnknownKey[] {
  return unknownKeys(value, configShape());
}
