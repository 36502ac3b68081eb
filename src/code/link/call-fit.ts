import type { Definition, Parameter, Signature, Use } from '#code/facts/facts.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import type { CallMismatch } from '#code/languages/dialect.ts';
import { dialectOf } from '#code/languages/index.ts';
import { symbolId } from '#schema/identity.ts';
import { bindCall, bindOptions, describeMismatch } from './bind-call.ts';
import type { LinkContext } from './link-context.ts';
import { type Access, type DefinitionEntity, memberOf } from './members.ts';
import type { Entity } from './module-graph.ts';
import { expectedKeys } from './option-keys.ts';
import { place } from './problem.ts';
import { typeEntity } from './type-values.ts';

/** A call that was followed to the one definition it binds to. */
export interface CallEdge {
  readonly use: Use;
  readonly path: string;
  readonly definition: Definition;
  readonly exact: boolean;
}

/** What a call binds to; a constructor that Python generates from fields has no definition but the class. */
interface Callable {
  readonly definition: Definition;
  readonly signature: Signature;
  readonly exact: boolean;
  /** A decorator may replace the function; most only register or guard it. */
  readonly wrapped?: true;
}

/** Reports a call that does not fit its definition; one that fits is an edge. */
export function checkCall(context: LinkContext, entity: Entity, access: Access, use: Use): CallEdge | null {
  if (entity.is !== 'definition' || !use.call || use.call.positional < 0) return null;
  const [caller, callee] = [context.dialect, dialectOf(entity.path)];
  if (caller?.holds !== 'code' || callee?.holds !== 'code') return null;
  // Without a compiler a value may always be of the class that takes the call.
  if (entity.variants && !callee.isTypeChecked) return null;
  const callable = callableOf(context, entity, access, use);
  if (!callable) return null;
  const { definition, signature, exact, wrapped } = callable;
  // The more lenient of both sides decides.
  const { calls, isTypeChecked } = callee.calls.isEnforced ? caller : callee;
  // A component may ignore attributes; only those it names count.
  const mismatch = use.kind === 'jsx' ? null : bindCall(signature, use.call, calls);
  if (mismatch) {
    reportMismatch(context, entity, definition, use, mismatch, calls.isEnforced && exact, wrapped);
    return null;
  }
  if (wrapped) return null;
  checkPassedOn(context, entity.path, signature, use);
  if (isTypeChecked) checkOptions(context, entity, definition, signature, use);
  return { use, path: entity.path, definition, exact };
}

/** A chain of functions that pass their keywords on. */
const longestChain = 4;

/** Keywords that a function passes on with `**kwargs`: what gets them has to take them. */
function checkPassedOn(
  context: LinkContext,
  path: string,
  signature: Signature,
  use: Use,
  given: readonly string[] = use.call?.keywords ?? [],
  depth = 0,
): void {
  const rest = signature.parameters.find(({ kind }) => kind === 'keyword-rest');
  const known = new Set([
    ...signature.parameters.filter(isNamed).map(({ name }) => name),
    ...(rest?.shape?.keys ?? []).map(({ name }) => name),
  ]);
  const passed = given.filter((keyword) => !known.has(keyword));
  if (!rest?.typeName || passed.length === 0 || depth > longestChain) return;
  const target = typeEntity(context.graph, path, rest.typeName, context.trace);
  const callable = target.is === 'definition' ? callableOf(context, target, 'instance', use) : null;
  if (target.is !== 'definition' || !callable || callable.wrapped) return;
  const { parameters } = callable.signature;
  if (parameters.some(({ kind }) => kind === 'keyword-rest')) {
    checkPassedOn(context, target.path, callable.signature, use, passed, depth + 1);
    return;
  }
  const taken = new Set(parameters.filter(isNamed).map(({ name }) => name));
  const unexpected = passed.filter((keyword) => !taken.has(keyword));
  if (unexpected.length > 0)
    reportMismatch(context, target, callable.definition, use, { missing: [], unexpected, surplus: 0 }, false);
}

function isNamed({ kind }: Parameter): boolean {
  return kind === 'positional' || kind === 'keyword-only';
}

/** How a test expects a mock to be called: most likely as the real function is. */
export function checkExpectation(
  context: LinkContext,
  entity: Entity,
  access: Access,
  use: Use,
): CallEdge | null {
  if (entity.is !== 'definition' || !use.call || !context.dialect) return null;
  const callable = callableOf(context, entity, access, use);
  if (!callable || callable.wrapped) return null;
  const { definition, signature } = callable;
  const mismatch = bindCall(signature, use.call, context.dialect.calls);
  if (!mismatch) return { use, path: entity.path, definition, exact: false };
  reportMismatch(context, entity, definition, use, mismatch, false);
  return null;
}

/** Keywords of a class statement go to the base, unless a metaclass above takes them. */
export function checkSubclass(context: LinkContext, entity: DefinitionEntity, use: Use): void {
  const [base, ...others] = entity.definitions;
  const calls = context.dialect?.calls;
  if (!use.call || !calls || base?.kind !== 'class' || others.length > 0 || base.decorators.length > 0)
    return;
  const told = memberOf(context.graph, entity, '__init_subclass__', 'static', context.trace);
  const [definition, ...more] = told.is === 'definition' ? told.definitions : [];
  if (told.is !== 'definition' || !definition?.signature || more.length > 0) return;
  const mismatch = bindCall(definition.signature, use.call, calls);
  if (mismatch) reportMismatch(context, told, definition, use, mismatch, false);
}

/** A function may require fewer parameters than the type it is assigned to gives, but not more. */
export function checkGivenFunction(context: LinkContext, entity: DefinitionEntity, use: Use): void {
  const [definition, ...others] = entity.definitions;
  const calls = context.dialect?.calls;
  if (!context.isTypeChecked || !use.call || !calls || definition?.kind !== 'type' || others.length > 0)
    return;
  const mismatch = definition.signature ? bindCall(definition.signature, use.call, calls) : null;
  if (mismatch && mismatch.surplus > 0)
    reportMismatch(context, entity, definition, use, mismatch, entity.exact);
}

/** The one definition a call binds to; null when there are several, decorated ones, or none is known. */
function callableOf(
  context: LinkContext,
  entity: DefinitionEntity,
  access: Access,
  use: Use,
): Callable | null {
  const implementation = dialectOf(entity.path)?.calls.implementation?.(entity.definitions) ?? null;
  const [definition] = implementation === null ? entity.definitions : [implementation];
  const isOne = implementation !== null || (entity.definitions.length === 1 && !definition?.overload);
  if (!isOne || !definition || definition.conditional) return null;
  const rules = dialectOf(entity.path)?.classes;
  if (definition.kind === 'class')
    return rules?.instantiatedBy === 'call' || use.kind === 'new'
      ? constructorOf(context, entity, definition)
      : null;
  // A variant that holds values: `Shape::Circle(1)`.
  if (definition.kind === 'enum-member') return callableAs(definition, entity.exact);
  const wrapped = isWrapped(entity.path, definition) || undefined;
  if (wrapped && !dialectOf(entity.path)?.calls.mayKeepSignature(definition)) return null;
  // A component that `memo` returns.
  const isComponent = use.kind === 'jsx' && definition.kind === 'variable';
  if (use.kind === 'new' || !(isComponent || isFunction(entity.path, definition))) return null;
  const needsSelf =
    rules?.methodsTakeInstance &&
    definition.kind === 'method' &&
    access === 'static' &&
    !definition.static &&
    !definition.decorators.includes('classmethod');
  // What runs is an implementation, which may accept more.
  const exact = entity.exact && !definition.abstract;
  if (!wrapped) return needsSelf ? null : callableAs(definition, exact);
  const isOfClass = definition.kind === 'method' && access === 'static';
  const callable = isOfClass ? null : callableAs(definition, false);
  return callable && { ...callable, wrapped };
}

/** A compiler also knows the function that a field holds: `save = (id: string) => …`, `onSave: (id: string) => void`. */
function isFunction(path: string, { kind }: Definition): boolean {
  if (kind === 'function' || kind === 'method') return true;
  return kind === 'field' && dialectOf(path)?.isTypeChecked === true;
}

function constructorOf(
  context: LinkContext,
  entity: DefinitionEntity,
  definition: Definition,
): Callable | null {
  const rules = dialectOf(entity.path)?.classes;
  if (definition.abstract || !rules) return null;
  const made = rules.madeConstructor(entity, context.lookup);
  if (made === 'unknown') return null;
  if (made) return { definition, ...made };
  if (isWrapped(entity.path, definition)) return null;
  const found = memberOf(context.graph, entity, rules.constructorName, 'instance', context.trace);
  const only = found.is === 'definition' && found.definitions.length === 1 ? found.definitions[0] : undefined;
  return only && only.kind === 'constructor' && !only.overload && !isWrapped(entity.path, only)
    ? callableAs(only, entity.exact)
    : null;
}

/** Object literals passed to a parameter with listed keys. */
function checkOptions(
  context: LinkContext,
  entity: DefinitionEntity,
  callable: Definition,
  signature: Signature,
  use: Use,
): void {
  for (const given of use.call?.objects ?? []) {
    const parameter = signature.parameters[given.index];
    const expected =
      parameter && expectedKeys(context.graph, entity.path, parameter, callable, context.trace);
    const mismatch = expected && bindOptions(expected, given);
    if (!mismatch || (mismatch.missing.length > 0 && hasDefaultProps(context, entity.path, use))) continue;
    if (!isAugmentedType(context, entity.path, parameter))
      reportMismatch(context, entity, callable, use, mismatch, entity.exact);
  }
}

/** `Badge.defaultProps = { size: 1 }` in the file of a component: an element may leave such props out. */
function hasDefaultProps({ graph }: LinkContext, path: string, { kind }: Use): boolean {
  return kind === 'jsx' && graph.facts(path)?.uses.some((use) => use.path[0] === 'defaultProps') === true;
}

function isAugmentedType(context: LinkContext, path: string, { typeName }: Parameter): boolean {
  const type = typeName === null ? null : typeEntity(context.graph, path, typeName, context.trace);
  return type?.is === 'definition' && context.isAugmented(type.path);
}

function reportMismatch(
  context: LinkContext,
  entity: DefinitionEntity,
  callable: Definition,
  use: Use,
  mismatch: CallMismatch,
  proven: boolean,
  wrapped?: true,
): void {
  const name = symbolPath(callable);
  // A default export without a name of its own is known by that of its importer.
  const known = name === 'default' ? [use.root, ...use.path].join('.') : name;
  context.report('call-mismatch', use, use.scope, {
    provider: symbolId(entity.path, name),
    proven,
    statement: `${known} ${describeMismatch(mismatch)}`,
    detail: JSON.stringify([mismatch.missing, mismatch.unexpected, mismatch.surplus]),
    mismatch,
    ...(wrapped ? { wrapped } : {}),
    definedAt: [place(entity.path, callable, name)],
    tier: use.rootIs === 'instance' ? 'R2' : 'R1',
  });
}

function callableAs(definition: Definition, exact: boolean): Callable | null {
  return definition.signature ? { definition, signature: definition.signature, exact } : null;
}

/** A decorator may replace the function. A type checker takes what is written. */
function isWrapped(path: string, { decorators }: Definition): boolean {
  if (dialectOf(path)?.isTypeChecked) return false;
  return decorators.some((name) => !plain.test(name));
}

/** They change neither the parameters nor the result. */
const plain =
  /^(?:staticmethod|classmethod|(?:abc\.)?abstractmethod|(?:\w+\.)?(?:override|final)|(?:functools\.)?lru_cache|functools\.cache)$/;
