import type { Definition, Facts } from '#code/facts/facts.ts';
import { indexOf, symbolPath } from '#code/facts/facts-index.ts';
import type { CallMismatch } from '#code/languages/dialect.ts';
import { dialectOf } from '#code/languages/index.ts';
import { type Absence, absent } from './absence.ts';
import { memberOf } from './members.ts';
import type { ModuleGraph } from './module-graph.ts';
import type { Trace } from './trace.ts';
import { typeEntity } from './type-values.ts';

/** A method and the method of a base or interface that it overrides. */
export interface Override {
  readonly member: Definition;
  readonly path: string;
  readonly base: Definition;
  readonly exact: boolean;
  /** The class must have the method: an interface asks for it. */
  readonly isPromised: boolean;
}

/** The methods of a class that override one further up, and those that only claim to. */
export function overridesOf(
  graph: ModuleGraph,
  path: string,
  facts: Facts,
  definition: Definition,
  trace: Trace,
): { readonly overrides: Override[]; readonly unfounded: { member: Definition; absence: Absence }[] } {
  const overrides: Override[] = [];
  const unfounded: { member: Definition; absence: Absence }[] = [];
  const bases = dialectOf(path)?.classes.replacesInherited ? definition.bases : [];
  for (const [name, members] of indexOf(facts).members(symbolPath(definition))) {
    const [member] = members;
    if (!member || members.length > 1 || member.kind === 'constructor' || member.static) continue;
    const above = bases.map((base) => inherited(graph, path, base, name, trace));
    const promised = definition.implements.map((base) => inherited(graph, path, base, name, trace));
    for (const found of [...above, ...promised]) {
      if (found.is !== 'definition') continue;
      const [base, ...others] = found.definitions;
      // For an overloaded method its first signature counts.
      const isKnown = overrides.some((each) => each.member === member && each.base === base);
      if (base && !isKnown && (others.length === 0 || base.overload))
        overrides.push({
          member,
          path: found.path,
          base,
          exact: found.exact,
          isPromised: promised.includes(found) && !definition.abstract && !base.optional,
        });
    }
    if (
      member.overrides &&
      above.length > 0 &&
      above.every((found) => found.is === 'missing-name' && !found.keyed)
    )
      unfounded.push({
        member,
        absence: absent(
          ...above.flatMap((found) => (found.is === 'missing-name' ? found.absence.openings : [])),
        ),
      });
  }
  return { overrides, unfounded };
}

function inherited(graph: ModuleGraph, path: string, base: string, name: string, trace: Trace) {
  const target = typeEntity(graph, path, base, trace);
  return target.is === 'definition' ? memberOf(graph, target, name, 'instance', trace) : target;
}

/** Why callers of the base method cannot call the override; null when they can. */
export function overrideMismatch({ member, base, path, isPromised }: Override): CallMismatch | null {
  const calls = dialectOf(path)?.calls;
  if (calls?.overloads && !member.overrides && !isPromised) return null;
  if (!isPlainMethod(member) || !isPlainMethod(base) || !member.signature || !base.signature) return null;
  return calls?.overrideMismatch(member.signature, base.signature) ?? null;
}

function isPlainMethod({ kind, overload, conditional, decorators }: Definition): boolean {
  return (
    kind === 'method' && !overload && !conditional && decorators.every((name) => keepsParameters.test(name))
  );
}

/** Decorators whose methods are called with the parameters they list. */
const keepsParameters = /(?:^|\.)(?:abstractmethod|override|(?:async)?contextmanager|lru_cache|cache)$/;
