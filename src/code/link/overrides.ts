import type { CallShape, Definition, Facts, Parameter, Signature } from '#code/facts/facts.ts';
import { indexOf, symbolPath } from '#code/facts/facts-index.ts';
import { familyOf } from '#code/languages/index.ts';
import { bindCall, type CallMismatch } from './bind-call.ts';
import { memberOf, typeEntity } from './members.ts';
import type { ModuleGraph } from './module-graph.ts';
import type { Trace } from './trace.ts';

/** A method and the method of a base or interface whose place it takes. */
export interface Override {
  readonly member: Definition;
  readonly path: string;
  readonly base: Definition;
  readonly exact: boolean;
}

/** The methods of a class that take the place of one further up, and those that only say so. */
export function overridesOf(
  graph: ModuleGraph,
  path: string,
  facts: Facts,
  definition: Definition,
  trace: Trace,
): { readonly overrides: Override[]; readonly unfounded: { member: Definition; certain: boolean }[] } {
  const overrides: Override[] = [];
  const unfounded: { member: Definition; certain: boolean }[] = [];
  for (const [name, members] of indexOf(facts).members(symbolPath(definition))) {
    const [member] = members;
    if (!member || members.length > 1 || member.kind === 'constructor' || member.static) continue;
    const above = definition.bases.map((base) => inherited(graph, path, base, name, trace));
    const promised = definition.implements.map((base) => inherited(graph, path, base, name, trace));
    for (const found of [...above, ...promised]) {
      if (found.is !== 'definition') continue;
      const [base, ...others] = found.definitions;
      // Of an overloaded method its first signature stands for all.
      if (base && (others.length === 0 || base.overload))
        overrides.push({ member, path: found.path, base, exact: found.exact });
    }
    if (
      member.overrides &&
      above.length > 0 &&
      above.every((found) => found.is === 'missing-name' && !found.keyed)
    )
      unfounded.push({
        member,
        certain: above.every((found) => found.is === 'missing-name' && found.certain),
      });
  }
  return { overrides, unfounded };
}

function inherited(graph: ModuleGraph, path: string, base: string, name: string, trace: Trace) {
  const target = typeEntity(graph, path, base, trace);
  return target.is === 'definition' ? memberOf(graph, target, name, 'instance', trace) : target;
}

/** Why callers of the base method cannot call the one that takes its place; null when they can. */
export function overrideMismatch({ member, base, path }: Override): CallMismatch | null {
  if (!isPlainMethod(member) || !isPlainMethod(base) || !member.signature || !base.signature) return null;
  switch (familyOf(path)) {
    case 'typescript':
      return surplusOfRequired(member.signature, base.signature);
    case 'python':
      return (
        bindCall(member.signature, shortestCall(base.signature), 'python') ??
        bindCall(member.signature, longestCall(base.signature), 'python')
      );
    default:
      return null;
  }
}

function isPlainMethod({ kind, overload, conditional, decorators }: Definition): boolean {
  return (
    kind === 'method' &&
    !overload &&
    !conditional &&
    decorators.every((name) => /abstractmethod$|override$/.test(name))
  );
}

/** TypeScript lets an override ignore parameters, but not ask for more than the base is given. */
function surplusOfRequired(own: Signature, base: Signature): CallMismatch | null {
  if (base.parameters.some(({ kind }) => kind === 'rest')) return null;
  const missing = own.parameters
    .slice(base.parameters.length)
    .filter(({ required, type }) => required && type !== 'void');
  if (missing.length === 0) return null;
  return { missing: missing.map(({ name }) => name || 'a parameter'), unexpected: [], surplus: 0 };
}

const isPositional = ({ kind }: Parameter) => kind === 'positional' || kind === 'positional-only';

function shortestCall({ parameters }: Signature): CallShape {
  return callOf(parameters.filter(({ required }) => required));
}

/** With every parameter that has a name; what `*args` takes is left out. */
function longestCall({ parameters }: Signature): CallShape {
  return callOf(parameters);
}

function callOf(parameters: readonly Parameter[]): CallShape {
  return {
    positional: parameters.filter(isPositional).length,
    keywords: parameters.filter(({ kind }) => kind === 'keyword-only').map(({ name }) => name),
    spread: false,
    keywordSpread: false,
    objects: [],
    awaited: false,
    result: 'other',
    unpacked: null,
  };
}
