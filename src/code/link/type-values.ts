import type { Definition } from '#code/facts/facts.ts';
import { indexOf, symbolPath } from '#code/facts/facts-index.ts';
import type { CallRules } from '#code/languages/dialect.ts';
import { dialectOf } from '#code/languages/index.ts';
import {
  awaitedKeys,
  awaitedResult,
  elementOf,
  elementType,
  fixtureValue,
  givenKeys,
  heldValue,
  isKeys,
  isResult,
  isUnwrapped,
  plainResult,
  readGivenParameter,
  readResultPart,
  readTakenArgument,
  testedValue,
  unwrappedAwaited,
} from '#code/languages/shared/results.ts';
import type { TypeText } from '#code/languages/shared/type-text.ts';
import { noTokens } from '#code/lex/text-shape.ts';
import { stepInto } from './container-steps.ts';
import { fixtureNamed } from './fixtures.ts';
import { ancestryOf, asUsed, type DefinitionEntity, inSpace, memberOf } from './members.ts';
import { type Declared, type Entity, type ModuleGraph, unknown } from './module-graph.ts';
import type { Trace } from './trace.ts';

/** Real code needs a handful; a chain of thousands of functions that return each other's results must not take minutes. */
const mostTypesOnTheWay = 40;
const mostVariants = 20;

/** Where types are looked up, and those that are being looked up. */
interface Way {
  readonly graph: ModuleGraph;
  readonly trace: Trace;
  readonly types: ReadonlySet<string>;
}

type Value = Entity | Declared;

/** The class or type that a dotted name, or a written type, means in a file. */
export function typeEntity(
  graph: ModuleGraph,
  path: string,
  typeName: string,
  trace: Trace,
  types: ReadonlySet<string> = new Set(),
): Entity {
  const key = `${path} ${typeName}`;
  if (types.has(key) || types.size >= mostTypesOnTheWay) return unknown;
  const way: Way = { graph, trace, types: new Set(types).add(key) };
  const [root = '', ...rest] = segments(typeName);
  let value = rootOf(way, path, root, rest[0]);
  for (let at = 0; at < rest.length; at++) {
    const name = rest[at] as string;
    const table = tableIn(way, value);
    if (table && name === elementOf) {
      value = table;
      continue;
    }
    value = table ? asList(value) : asDeclared(value);
    if (value.is === 'declared') {
      const inside = stepInto(value, name, rest[at + 1], (declared) => unfolded(way, declared));
      if (inside) {
        value = inside.value;
        at += inside.taken - 1;
        continue;
      }
      value = typeOf(way, value);
    }
    if (value.is === 'module') value = graph.exported(value.path, name, trace);
    else if (value.is !== 'definition') return value;
    else if (name === testedValue) continue;
    else if (name === elementOf) value = elementIn(way, value);
    else if (isKeys(name)) value = keysIn(way, value, name);
    else if (name === heldValue) value = heldIn(way, value);
    else if (name === fixtureValue) value = valueOfFixture(value);
    else if (isResult(name)) value = resultOf(way, value, name);
    else if (readResultPart(name)) value = partOfResult(way, value, name);
    else if (readTakenArgument(name) !== null) value = takenBy(way, value, name);
    else if (readGivenParameter(name)) value = givenTo(way, value, name);
    else {
      // A method is called on an instance: `Repo.find.()`.
      const access = /^[([]/.test(rest[at + 1] ?? '') ? 'instance' : 'static';
      value = asUsed(memberOf(graph, value, name, access, trace, way.types), isResult(rest[at + 1] ?? ''));
      // Without a compiler the members of a union's classes may hold anything.
      if (value.is === 'definition' && value.variants && !dialectOf(value.path)?.isTypeChecked)
        return unknown;
    }
  }
  const entity = value.is === 'declared' ? typeOf(way, value) : value;
  return entity.is === 'definition' ? inSpace(entity, 'type') : entity;
}

/** A written type is one segment: `Record<string,models.User>.[]`. */
function segments(typeName: string): string[] {
  if (!/[<|{ ]/.test(typeName)) return typeName.split('.');
  const found: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < typeName.length; at++) {
    const character = typeName[at] as string;
    if ('<{('.includes(character)) depth++;
    else if ('>})'.includes(character) && !(character === '>' && typeName[at - 1] === '=')) depth--;
    else if (character === '.' && depth === 0) {
      found.push(typeName.slice(from, at));
      from = at + 1;
    }
  }
  return [...found, typeName.slice(from)];
}

function rootOf({ graph, trace }: Way, path: string, root: string, next: string | undefined): Value {
  if (next === fixtureValue) return fixtureNamed(graph, path, root, trace) ?? unknown;
  if (/[<|{[ ]/.test(root)) return { is: 'declared', path, text: root, owner: null, exact: true };
  return graph.local(path, root, trace) ?? unknown;
}

/** A variable of a module that has a written type. */
function asDeclared(value: Value): Value {
  const [only, ...others] = value.is === 'definition' ? value.definitions : [];
  if (value.is !== 'definition' || others.length > 0 || only?.kind !== 'variable' || only.type === null)
    return value;
  return isPlain(only.type) ? value : declared(value, only, only.type);
}

/** The values of a constant table without a written type: `Formats.[]`. */
function tableIn({ graph, trace, types }: Way, value: Value): DefinitionEntity | null {
  const [only, ...others] = value.is === 'definition' ? value.definitions : [];
  if (value.is !== 'definition' || only?.kind !== 'variable' || only.type !== null || others.length > 0)
    return null;
  const table = memberOf(graph, value, elementOf, 'static', trace, types);
  return table.is === 'definition' ? table : null;
}

/** A table that is a list has the methods of lists; the keys of an object are its members. */
function asList(value: Value): Value {
  const [only] = value.is === 'definition' ? value.definitions : [];
  if (value.is !== 'definition' || !only || only.members !== null) return value;
  return declared(value, only, `${symbolPath(only)}.${elementOf}${elementOf}`);
}

function isPlain(type: string): boolean {
  return /^[\w$.@]+$/.test(type) || type.includes('.(') || type.includes('.[');
}

function declared({ path, arguments: given }: DefinitionEntity, owner: Definition, text: string): Declared {
  return { is: 'declared', path, text, owner, arguments: given, exact: true };
}

function read({ graph, trace }: Pick<Way, 'graph' | 'trace'>, path: string, text: string): TypeText {
  const own = dialectOf(path)?.readType;
  if (own && !text.includes('.(') && !text.includes('.['))
    return own(text, (name) => graph.local(path, name, trace) !== null);
  const element = elementType(text);
  return element === null ? { is: 'name', name: text, arguments: [] } : { is: 'list', of: element };
}

/** A written type whose type parameters and aliases are replaced by what they mean. */
function unfolded(way: Way, from: Declared): { declared: Declared; type: TypeText } {
  let current = from;
  for (let steps = 0; steps < 5; steps++) {
    const type = read(way, current.path, current.text);
    if (type.is !== 'name') return { declared: current, type };
    const next = current.arguments?.get(type.name) ?? aliasText(way, current, type);
    if (!next) return { declared: current, type };
    current = next;
  }
  return { declared: current, type: { is: 'other' } };
}

function aliasText(way: Way, from: Declared, type: Extract<TypeText, { is: 'name' }>): Declared | null {
  const entity = named(way, from, type);
  if (entity.is !== 'definition' || !isAlias(entity)) return null;
  const [alias] = entity.definitions;
  return alias?.type ? { ...declared(entity, alias, alias.type), exact: from.exact && entity.exact } : null;
}

/** `type Draft = Omit<User, 'id'>`: a type that only names others. */
export function isAlias({ definitions: [only, ...others] }: DefinitionEntity): boolean {
  return only?.kind === 'type' && only.members === null && only.type !== null && others.length === 0;
}

/** What an alias means. */
export function aliased(
  graph: ModuleGraph,
  entity: DefinitionEntity,
  trace: Trace,
  types: ReadonlySet<string>,
): Entity {
  const [alias] = entity.definitions;
  if (!alias?.type) return unknown;
  return typeOf({ graph, trace, types }, { ...declared(entity, alias, alias.type), exact: entity.exact });
}

/** A base, with the type arguments it gets: `extends Store<User>`. */
export function baseOf(
  graph: ModuleGraph,
  entity: DefinitionEntity,
  base: string,
  trace: Trace,
  types: ReadonlySet<string>,
): Entity {
  const owner = entity.definitions.find(({ type, bases }) => type !== null && bases.includes(base));
  const written = owner?.type?.split('&').find((text) => text.startsWith(`${base}<`));
  const type = owner && written !== undefined ? dialectOf(entity.path)?.readType?.(written) : undefined;
  const target = typeEntity(graph, entity.path, base, trace, types);
  if (!owner || type?.is !== 'name' || target.is !== 'definition') return target;
  return withArguments(target, type.arguments, declared(entity, owner, base));
}

/** The class or type that a written type names; of a union the first variant, with the others. */
function typeOf(way: Way, from: Declared): Entity {
  const type = read(way, from.path, from.text);
  if (type.is === 'union') return unionOf(way, from, type.of);
  if (type.is !== 'name') return unknown;
  const meant = from.arguments?.get(type.name);
  if (meant) return typeOf(way, meant);
  const entity = named(way, from, type);
  if (entity.is !== 'definition' || !entity.definitions.every(isInstantiable)) return unknown;
  return { ...entity, exact: entity.exact && from.exact };
}

function unionOf(way: Way, from: Declared, parts: readonly string[]): Entity {
  if (parts.length > mostVariants) return unknown;
  const found = parts.map((text) => typeOf(way, { ...from, text }));
  const variants = found.flatMap((each) => (each.is === 'definition' ? [each] : []));
  const [first, ...others] = variants;
  return first && variants.length === parts.length ? { ...first, variants: others } : unknown;
}

function named(way: Way, from: Declared, type: Extract<TypeText, { is: 'name' }>): Entity {
  if (from.owner !== null && isTypeParameter(way.graph, from.path, from.owner, type.name)) return unknown;
  const entity = typeEntity(way.graph, from.path, type.name, way.trace, way.types);
  return entity.is === 'definition' ? withArguments(entity, type.arguments, from) : entity;
}

function withArguments(entity: DefinitionEntity, given: readonly string[], from: Declared): Entity {
  const names = entity.definitions[0]?.typeParameters?.names ?? [];
  if (given.length === 0 || names.length === 0) return entity;
  const pairs = given.flatMap((text, at): [string, Declared][] => {
    const name = names[at];
    return name === undefined ? [] : [[name, { ...from, text }]];
  });
  return { ...entity, arguments: new Map(pairs) };
}

/** A name of values: an enum lists other values. */
function isInstantiable({ kind }: Definition): boolean {
  return kind === 'class' || kind === 'interface' || kind === 'type';
}

/** The result of a call: the declared return type, or the returned object literal. */
function resultOf(way: Way, entity: DefinitionEntity, result: string): Value {
  const [definition, ...others] = entity.definitions;
  const rules = dialectOf(entity.path)?.calls;
  if (!definition || definition.conditional || !rules) return unknown;
  way.trace.add(entity.path, symbolPath(definition).split('.')[0] ?? '');
  if (others.length > 0 || definition.overload) return sameResult(way, entity, result, rules);
  const isAwaited = result === awaitedResult || result === unwrappedAwaited;
  const type = rules.resultType(definition, isAwaited, isUnwrapped(result));
  if (type !== null) return typedValue(way, entity, definition, type);
  return definition.async === isAwaited
    ? memberOf(way.graph, entity, plainResult, 'static', way.trace, way.types)
    : unknown;
}

/** What all overloads of a function give; their type arguments may differ. */
function sameResult(way: Way, entity: DefinitionEntity, result: string, rules: CallRules): Value {
  const { path, definitions } = entity;
  if (!dialectOf(path)?.isTypeChecked || isUnwrapped(result)) return unknown;
  const names = definitions.map((each) => {
    const type = each.overload ? rules.resultType(each, result === awaitedResult, false) : null;
    const own = type === null ? null : (/^([A-Za-z_$][\w$.]*)(?:<[^|&]*>)?$/.exec(type)?.[1] ?? null);
    return own === null || isTypeParameter(way.graph, path, each, own) ? null : own;
  });
  const [first = null, ...others] = names;
  return first === null || others.some((name) => name !== first)
    ? unknown
    : typeEntity(way.graph, path, first, way.trace, way.types);
}

/** A value of a type that a definition names. */
function typedValue(way: Way, entity: DefinitionEntity, owner: Definition, type: string): Value {
  if (!isPlain(type) || entity.arguments?.has(type)) return declared(entity, owner, type);
  return isTypeParameter(way.graph, entity.path, owner, type)
    ? unknown
    : typeEntity(way.graph, entity.path, type, way.trace, way.types);
}

/** One of the values that a call gives, or an element of it. */
function partOfResult(
  way: Way,
  { path, definitions: [definition, ...others] }: DefinitionEntity,
  part: string,
): Entity {
  const { at = 0, isElement = false } = readResultPart(part) ?? {};
  if (!definition || others.length > 0 || definition.overload || definition.conditional) return unknown;
  way.trace.add(path, symbolPath(definition).split('.')[0] ?? '');
  const held = dialectOf(path)?.calls.resultParts(definition)?.[at] ?? null;
  const type = isElement ? elementType(held) : held;
  if (type === null || isTypeParameter(way.graph, path, definition, type)) return unknown;
  return typeEntity(way.graph, path, type, way.trace, way.types);
}

/** The keys of a dictionary: of a class that describes them, or of what a function or property returns. */
function keysIn(way: Way, entity: DefinitionEntity, keys: string): Entity {
  const { graph, trace, types } = way;
  const [definition, ...others] = entity.definitions;
  const dialect = dialectOf(entity.path);
  if (!definition || others.length > 0 || definition.overload || definition.conditional || !dialect)
    return unknown;
  if (definition.kind === 'class') {
    const { names, isWhole } = ancestryOf(graph, entity, trace);
    const isDescribed = isWhole && names.has(dialect.classes.describesKeys ?? '');
    return isDescribed ? { ...entity, exact: false } : unknown;
  }
  const isAwaited = keys === awaitedKeys;
  const written = memberOf(graph, entity, givenKeys, 'static', trace, types);
  if (written.is === 'definition') return definition.async === isAwaited ? written : unknown;
  const type =
    definition.kind === 'field' ? definition.type : dialect.calls.resultType(definition, isAwaited, false);
  const held = type === null ? unknown : typeEntity(graph, entity.path, type, trace, types);
  const isClass =
    held.is === 'definition' && !held.variants && held.definitions.every(({ kind }) => kind === 'class');
  return isClass ? keysIn(way, held, givenKeys) : unknown;
}

/** The element type of a field's list, the values of its record, or the elements that a function or property returns. */
function elementIn(way: Way, entity: DefinitionEntity): Value {
  const { trace } = way;
  const { path } = entity;
  const [field, ...others] = entity.definitions;
  if (!field || others.length > 0) return unknown;
  const dialect = dialectOf(path);
  const returned = field.signature ? (dialect?.calls.resultElement?.(field) ?? null) : null;
  if (returned !== null) trace.add(path, symbolPath(field).split('.')[0] ?? '');
  if (field.kind === 'field' && field.type === null) return elementInPlace(way, entity);
  const type = returned ?? elementText(way, path, field.type);
  // Without a compiler a list may hold other values than declared.
  return type === null
    ? unknown
    : { ...declared(entity, field, type), exact: dialect?.isTypeChecked === true };
}

/** `items: { name: string }[]` */
function elementInPlace({ graph, trace, types }: Way, list: DefinitionEntity): Entity {
  const element = memberOf(graph, list, elementOf, 'static', trace, types);
  return element.is === 'definition' ? element : unknown;
}

function elementText(way: Way, path: string, written: string | null): string | null {
  const type = written === null ? null : read(way, path, written);
  return type?.is === 'list' || type?.is === 'record' ? type.of : null;
}

/** The declared type of a field or accessor that a pattern takes out of a value. */
function heldIn(way: Way, entity: DefinitionEntity): Value {
  const { path, exact } = entity;
  const [member, ...others] = entity.definitions;
  const isValue = member?.kind === 'field' || member?.kind === 'accessor';
  if (isInPlace(entity)) return entity;
  if (!isValue || member.type === null || others.length > 0) return unknown;
  // In `Base & { user: User }` the base may say more about the user; without an annotation it may be assigned again.
  const isAnnotated = member.kind === 'accessor' || member.signatureHash !== noTokens;
  const isSure = exact && isAnnotated && !isIntersected(way.graph, path, member);
  return { ...declared(entity, member, member.type), exact: isSure };
}

function isIntersected(graph: ModuleGraph, path: string, { container }: Definition): boolean {
  const facts = graph.facts(path);
  const owners = facts && container !== null ? indexOf(facts).definitions(null, container) : [];
  return owners.some(({ kind, bases }) => kind === 'type' && bases.length > 0);
}

/** A field whose object type is written in place: `animation: { duration: number }`. */
export function isInPlace({ definitions: [only, ...others] }: DefinitionEntity): boolean {
  return only?.kind === 'field' && only.members !== null && others.length === 0;
}

/** The type of a field or variable, with the type arguments of its owner. */
export function typeOfValue(
  graph: ModuleGraph,
  entity: DefinitionEntity,
  owner: Definition,
  type: string,
  trace: Trace,
): Entity {
  const way: Way = { graph, trace, types: new Set() };
  const value = typedValue(way, entity, owner, type);
  return value.is === 'declared' ? typeOf(way, value) : value;
}

function valueOfFixture(entity: DefinitionEntity): Value {
  const [fixture] = entity.definitions;
  return fixture?.type ? declared(entity, fixture, fixture.type) : unknown;
}

/** The one named type that a parameter declares. */
function takenBy(way: Way, entity: DefinitionEntity, place: string): Entity {
  const { path, exact } = entity;
  const [definition, ...others] = entity.definitions;
  if (!definition?.signature || others.length > 0 || definition.overload || definition.conditional)
    return unknown;
  way.trace.add(path, symbolPath(definition).split('.')[0] ?? '');
  const parameter = definition.signature.parameters[readTakenArgument(place) ?? 0];
  const isOne = parameter?.kind === 'positional' || parameter?.kind === 'positional-only';
  const type = isOne ? parameter.typeName : null;
  if (type === null || isTypeParameter(way.graph, path, definition, type)) return unknown;
  const taken = typeEntity(way.graph, path, type, way.trace, way.types);
  return taken.is === 'definition' ? { ...taken, exact: exact && taken.exact } : taken;
}

/** What a callback receives: the type at that position of the callee's parameter. */
function givenTo(way: Way, entity: DefinitionEntity, place: string): Entity {
  const { graph, trace, types } = way;
  const [definition, ...others] = entity.definitions;
  const { argument = 0, parameter = 0 } = readGivenParameter(place) ?? {};
  if (!definition?.signature || others.length > 0 || definition.overload || definition.conditional)
    return unknown;
  trace.add(entity.path, symbolPath(definition).split('.')[0] ?? '');
  const asked = definition.signature.parameters[argument];
  if (!asked?.type || asked.kind === 'rest') return unknown;
  if (asked.typeName === null) {
    // The text does not tell a type parameter from a type of the module.
    if (definition.signature.typeParameters.max > 0) return unknown;
    const type = parameterType(asked.type, parameter);
    return type === null || isTypeParameter(graph, entity.path, definition, type)
      ? unknown
      : typeEntity(graph, entity.path, type, trace, types);
  }
  const alias = typeEntity(graph, entity.path, asked.typeName, trace, types);
  const [named, ...more] = alias.is === 'definition' ? alias.definitions : [];
  if (alias.is !== 'definition' || named?.kind !== 'type' || more.length > 0) return unknown;
  const taken = named.signature?.parameters[parameter];
  const type = taken?.kind === 'positional' ? taken.typeName : null;
  return type === null || type === undefined || named.typeParameters?.names.includes(type)
    ? unknown
    : typeEntity(graph, alias.path, type, trace, types);
}

/** `Context` for `(c:Context,next:Next)=>void` at 0; null for anything but a plain name. */
function parameterType(text: string, at: number): string | null {
  const [, list] = /^\(([^(){}[\]<>]*)\)\s*=>/.exec(text) ?? [];
  const [, type] = /^\s*\w+\??\s*:\s*([A-Za-z_$][\w$.]*)\s*$/.exec(list?.split(',')[at] ?? '') ?? [];
  return type ?? null;
}

/** `class Box<T> { each(use: (value: T) => void) }`, also a type of the namespace around it: neither is a type of the module. */
export function isTypeParameter(
  graph: ModuleGraph,
  path: string,
  { container, typeParameters }: Definition,
  type: string,
): boolean {
  const facts = graph.facts(path);
  if (typeParameters?.names.includes(type)) return true;
  if (container === null || !facts) return false;
  const index = indexOf(facts);
  const [root = type] = type.split('.', 1);
  for (let owner: string | null = container; owner !== null; ) {
    const dot: number = owner.lastIndexOf('.');
    const above: string | null = dot < 0 ? null : owner.slice(0, dot);
    const owners = index.definitions(above, owner.slice(dot + 1));
    if (owners.some(({ typeParameters }) => typeParameters?.names.includes(type))) return true;
    if (owners.some(({ kind }) => kind === 'namespace') && index.definitions(owner, root).length > 0)
      return true;
    owner = above;
  }
  return false;
}
