import type { Definition, Parameter } from '#code/facts/facts.ts';
import { indexOf, symbolPath } from '#code/facts/facts-index.ts';
import type { DefinitionEntity } from './members.ts';
import type { ModuleGraph } from './module-graph.ts';
import type { Trace } from './trace.ts';
import { aliased, isAlias, typeEntity } from './type-values.ts';

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
  trace: Trace,
): readonly ExpectedKey[] | null {
  if (parameter.kind === 'rest') return null;
  if (parameter.shape) return parameter.shape.open ? null : parameter.shape.keys;
  if (parameter.typeName === null) return null;
  const type = typeEntity(graph, path, parameter.typeName, trace);
  const keys = type.is === 'definition' ? keysOf(graph, type, trace) : null;
  return requiresLess(parameter.type ?? '')
    ? (keys?.map(({ name }) => ({ name, required: false })) ?? null)
    : keys;
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
