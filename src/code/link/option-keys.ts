import type { Definition, Parameter } from '#code/facts/facts.ts';
import { indexOf, symbolPath } from '#code/facts/facts-index.ts';
import { dialectOf } from '#code/languages/index.ts';
import type { DefinitionEntity } from './members.ts';
import { type ModuleGraph, unknown } from './module-graph.ts';
import type { Trace } from './trace.ts';
import { aliased, isAlias, isTypeParameter, typeEntity } from './type-values.ts';

/** A key that an options object may have. */
interface ExpectedKey {
  readonly name: string;
  readonly required: boolean;
}

/** With the member of the type it comes from. */
interface TypedKey extends ExpectedKey {
  readonly from: { readonly path: string; readonly definition: Definition };
}

/** The keys of a parameter, inline or of its named type; null when not all are known. */
export function expectedKeys(
  graph: ModuleGraph,
  path: string,
  parameter: Parameter,
  callable: Definition,
  trace: Trace,
): readonly ExpectedKey[] | null {
  if (parameter.kind === 'rest') return null;
  if (parameter.shape && !parameter.shape.open) return parameter.shape.keys;
  const parts = intersectedParts(path, parameter.type);
  if (parts !== null) return keysOfAll(graph, path, parts, parameter, callable, trace);
  if (parameter.shape || parameter.typeName === null) return null;
  const type = typeEntity(graph, path, parameter.typeName, trace);
  const keys = type.is === 'definition' ? keysOf(graph, type, trace) : null;
  return requiresLess(parameter.type ?? '')
    ? (keys?.map(({ name }) => ({ name, required: false })) ?? null)
    : keys;
}

/** A longer annotation is cut. */
const longestType = 200;

/** `Omit<Toast, 'id'>` and `{ id?: string }` for the intersection of both; null for other types. */
function intersectedParts(path: string, type: string | null): readonly string[] | null {
  if (!type?.includes('&') || type.length >= longestType) return null;
  const read = dialectOf(path)?.readType?.(type);
  return read?.is === 'intersection' ? read.of : null;
}

/** Null when a part is not known, or has an index signature. */
function keysOfAll(
  graph: ModuleGraph,
  path: string,
  parts: readonly string[],
  { shape }: Parameter,
  callable: Definition,
  trace: Trace,
): readonly ExpectedKey[] | null {
  // The text does not tell a type parameter from a type of the module.
  if ((callable.signature?.typeParameters.max ?? 0) > 0) return null;
  const keys: ExpectedKey[] = [...(shape?.keys ?? [])];
  for (const part of parts) {
    if (part.startsWith('{') && !part.includes('[')) continue;
    const type = dialectOf(path)?.readType?.(part, (name) => graph.local(path, name, trace) !== null);
    const isNamed = type?.is === 'name' && !isTypeParameter(graph, path, callable, type.name);
    const target = isNamed ? typeEntity(graph, path, type.name, trace) : unknown;
    const own = target.is === 'definition' ? keysOf(graph, target, trace) : null;
    if (own === null) return null;
    keys.push(...own.map(({ name }) => ({ name, required: false })));
  }
  return keys;
}

/** The keys of an object type, inherited and intersected ones included; null when a part is unknown. */
export function keysOf(
  graph: ModuleGraph,
  type: DefinitionEntity,
  trace: Trace,
  seen = new Set<string>(),
): TypedKey[] | null {
  const [definition] = type.definitions;
  const facts = graph.facts(type.path);
  if (!definition || !facts || type.definitions.length !== 1) return null;
  if (definition.kind !== 'interface' && definition.kind !== 'type') return null;
  const owner = symbolPath(definition);
  const { members } = definition;
  if (isAlias(type)) return keysOfAlias(graph, type, trace, seen);
  if (!members || members.open || members.keyed || seen.has(`${type.path}#${owner}`)) return null;
  seen.add(`${type.path}#${owner}`);
  const keys = new Map<string, TypedKey>();
  const add = ({ name, required, from }: TypedKey) =>
    keys.set(name, { name, required: required || (keys.get(name)?.required ?? false), from });
  for (const base of definition.bases) {
    const target = typeEntity(graph, type.path, base, trace);
    const inherited = target.is === 'definition' ? keysOf(graph, target, trace, seen) : null;
    if (!inherited) return null;
    for (const key of inherited) add(key);
  }
  for (const [name, own] of indexOf(facts).members(owner)) {
    const [member = definition] = own;
    const required = own.some(({ optional }) => !optional);
    add({ name, required, from: { path: type.path, definition: member } });
  }
  return [...keys.values()];
}

/** `type Draft = Omit<User, 'id'>` has no other keys than `User`, and requires not all of them. */
function keysOfAlias(
  graph: ModuleGraph,
  alias: DefinitionEntity,
  trace: Trace,
  seen: Set<string>,
): TypedKey[] | null {
  const written = alias.definitions[0]?.type ?? '';
  const target = aliased(graph, alias, trace, new Set());
  if (target.is !== 'definition' || target.variants || seen.size > 40) return null;
  const keys = keysOf(graph, target, trace, seen);
  return (requiresLess(written) ? keys?.map((key) => ({ ...key, required: false })) : keys) ?? null;
}

/** `Partial<Options>` has the same keys but requires none of them, `Omit<Options, 'a'>` not all of them. */
function requiresLess(type: string): boolean {
  return /\b(?:Partial|Omit|Pick)\b/.test(type);
}
