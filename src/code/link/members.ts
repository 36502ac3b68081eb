import type { Definition, Facts } from '#code/facts/facts.ts';
import { indexOf, symbolPath } from '#code/facts/facts-index.ts';
import type { ClassRules } from '#code/languages/dialect.ts';
import { dialectOf, packageOf } from '#code/languages/index.ts';
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
import { noTokens } from '#code/lex/text-shape.ts';
import { symbolId } from '#schema/identity.ts';
import { fixtureNamed } from './fixtures.ts';
import { type Entity, isHiddenFrom, type ModuleGraph, unknown } from './module-graph.ts';
import type { Trace } from './trace.ts';

export type Access = 'static' | 'instance';

export type DefinitionEntity = Extract<Entity, { is: 'definition' }>;

/** Kinds that belong to the instances of a class unless they are static; a merged namespace adds others. */
const classMembers = new Set<Definition['kind']>(['method', 'field', 'accessor']);
/** A name that no class has: looking it up tells whether all members of a class are known. */
export const nobodysName = ' ';

/** A member of a class, interface, enum, namespace or object, inherited ones included. */
export function memberOf(
  graph: ModuleGraph,
  entity: DefinitionEntity,
  name: string,
  access: Access,
  trace: Trace,
  types: ReadonlySet<string> = new Set(),
): Entity {
  const found = findMember({ graph, name, access, trace, types, seen: new Set() }, entity);
  if (found.is !== 'missing-name') return found;
  const standIn = dialectOf(entity.path)?.classes.standIn(name) ?? null;
  if (standIn === null) return found;
  const other = findMember({ graph, name: standIn, access, trace, types, seen: new Set() }, entity);
  return other.is === 'definition' ? other : found;
}

interface Search {
  readonly graph: ModuleGraph;
  readonly name: string;
  readonly access: Access;
  readonly trace: Trace;
  readonly seen: Set<string>;
  /** Types that are being looked up: `const Node: Node.Kind` leads back to itself. */
  readonly types: ReadonlySet<string>;
}

function findMember(search: Search, entity: DefinitionEntity): Entity {
  const [first] = entity.definitions;
  const facts = search.graph.facts(entity.path);
  const rules = dialectOf(entity.path)?.classes;
  if (!first || !facts || !rules) return unknown;
  const owner = symbolPath(first);
  const key = `${entity.path}#${owner}`;
  if (search.seen.has(key)) return unknown;
  search.seen.add(key);
  search.trace.add(entity.path, owner.split('.')[0] ?? owner);
  if (first.kind === 'variable' && first.type !== null) return memberOfTyped(search, entity.path, first.type);
  const own = indexOf(facts)
    .definitions(owner, search.name)
    .filter((member) => rules.sharesMembers || isReachable(member, first, search.access));
  if (own.length > 0) {
    const found = { is: 'definition', path: entity.path, definitions: own, exact: entity.exact } as const;
    // Without a compiler private often only means: not through another object. Traits and mixins share private members.
    const isShared = search.seen.size > 1 && dialectOf(entity.path)?.isTypeChecked !== true;
    return !isShared && isHiddenFrom(found, search.trace.own)
      ? hiddenMember(entity, found, owner, search.name)
      : found;
  }
  const beside = besideInPackage(search, entity, owner);
  if (beside) return beside;
  const inherited = inheritedMember(search, entity, facts, rules);
  if (inherited.is !== 'missing') return inherited;
  if (!entity.definitions.every(({ members }) => members && !members.open)) return unknown;
  if (rules.isGiven(search.name, search.access)) return unknown;
  const changing = entity.definitions
    .flatMap(({ decorators }) => decorators)
    .filter((decorator) => !rules.keepsMembers(facts, decorator));
  if (!changing.every((decorator) => returnsItsClass(search, entity.path, decorator, rules))) return unknown;
  // A store has more members than its set-up function returns: `$patch`, `$reset`.
  if (isResult(first.name) && search.name.startsWith('$')) return unknown;
  const missing = { is: 'missing-name', path: entity.path, name: `${owner}.${search.name}` } as const;
  if (inherited.keyed || entity.definitions.some(({ members }) => members?.keyed))
    return { ...missing, certain: false, keyed: true };
  const isLent =
    changing.length > 0 ||
    inherited.lent ||
    rules.mayBeReplaced(facts) ||
    (rules.areExtensible && search.access === 'instance' && search.name !== nobodysName) ||
    entity.definitions.some(({ members }) => members?.lent);
  return isLent
    ? { ...missing, certain: false, lent: true }
    : { ...missing, certain: entity.exact && inherited.certain };
}

/** A decorator of this project that only adds members, by what it declares. */
function returnsItsClass(
  { graph, trace, types }: Search,
  path: string,
  decorator: string,
  rules: ClassRules,
): boolean {
  const target = typeEntity(graph, path, decorator, trace, types);
  const [only, ...others] = target.is === 'definition' ? target.definitions : [];
  return only !== undefined && others.length === 0 && !only.conditional && rules.returnsItsClass(only);
}

/** A private member that another file uses: missing, unless more members of this name may exist. */
function hiddenMember(
  { path, definitions, exact }: DefinitionEntity,
  found: DefinitionEntity,
  owner: string,
  name: string,
): Entity {
  if (definitions.some(({ members }) => members?.open !== false)) return found;
  const isLent = definitions.some(({ members }) => members?.lent);
  return { is: 'missing-name', path, name: `${owner}.${name}`, certain: exact && !isLent };
}

/** A member that another file of the package adds to a type: methods in Go. */
function besideInPackage(search: Search, entity: DefinitionEntity, owner: string): Entity | null {
  const folder = packageOf(entity.path);
  if (folder === null) return null;
  // A test sees what other tests of the package add to its types.
  const { own } = search.trace;
  const from = own !== null && packageOf(own) === folder ? own : entity.path;
  const found = search.graph.inPackage(folder, owner, search.name, from, search.trace);
  if (found === null) return unknown;
  const [only, ...others] = found;
  if (!only) return null;
  return others.length > 0 ? unknown : { is: 'definition', ...only, exact: entity.exact };
}

function memberOfTyped(search: Search, path: string, type: string): Entity {
  const target = typeEntity(search.graph, path, type, search.trace, search.types);
  if (target.is !== 'definition') return unknown;
  const exact = target.exact && isCertain(type, dialectOf(path)?.isTypeChecked === true);
  return findMember({ ...search, access: 'instance' }, { ...target, exact });
}

/** A member of a base; unknown when a base cannot be followed; missing when all bases are known and lack it. */
function inheritedMember(
  search: Search,
  entity: DefinitionEntity,
  facts: Facts,
  rules: ClassRules,
):
  | Entity
  | { readonly is: 'missing'; readonly keyed: boolean; readonly lent: boolean; readonly certain: boolean } {
  let keyed = false;
  let lent = false;
  let certain = true;
  for (const base of entity.definitions.flatMap((definition) => definition.bases)) {
    const outside = rules.outside(facts, base);
    if (outside) {
      if (outside.members.has(search.name) || search.name.startsWith('_')) return unknown;
      if (!outside.isFixed) lent = true;
      continue;
    }
    const target = typeEntity(search.graph, entity.path, base, search.trace, search.types);
    if (target.is !== 'definition') return unknown;
    const found = findMember(search, target);
    if (found.is !== 'missing-name') return found;
    if (found.keyed) keyed = true;
    // A base in another package, found by reading `lib/` as `src/`, lists its members too.
    else if (!target.exact && dialectOf(entity.path)?.isTypeChecked) certain = false;
    else if (!target.exact) return unknown;
    else if (!found.certain) lent = true;
  }
  return { is: 'missing', keyed, lent, certain };
}

/** `const Status = { … } as const; type Status = …`: the definitions that count where a value, or a type, is written. */
export function inSpace(entity: DefinitionEntity, space: 'value' | 'type'): DefinitionEntity {
  if (entity.definitions.length < 2) return entity;
  const isWanted = ({ kind }: Definition) =>
    space === 'value' ? kind !== 'type' && kind !== 'interface' : kind !== 'variable' && kind !== 'function';
  const wanted = entity.definitions.filter(isWanted);
  return wanted.length === 0 ? entity : { ...entity, definitions: wanted };
}

/** A field and a method of the same name, where a language allows both: the one that a call, or a read, means. */
export function asUsed(entity: Entity, isCalled: boolean): Entity {
  if (entity.is !== 'definition' || entity.definitions.length < 2) return entity;
  if (!dialectOf(entity.path)?.classes.fieldsBesideMethods) return entity;
  const meant = entity.definitions.filter(({ kind }) => (kind === 'method') === isCalled);
  return meant.length === 0 ? entity : { ...entity, definitions: meant };
}

/** Without a compiler a function may return more than it declares. */
export function isCertain(type: string, isTypeChecked: boolean): boolean {
  return isTypeChecked || !/[)}]$/.test(type);
}

/** Real code needs a handful; a chain of thousands of functions that return each other's results must not take minutes. */
const mostTypesOnTheWay = 40;

/** The class or type that a dotted name means in a file. */
export function typeEntity(
  graph: ModuleGraph,
  path: string,
  typeName: string,
  trace: Trace,
  types: ReadonlySet<string> = new Set(),
): Entity {
  const key = `${path} ${typeName}`;
  if (types.has(key) || types.size >= mostTypesOnTheWay) return unknown;
  const open = new Set(types).add(key);
  const [root = '', ...rest] = typeName.split('.');
  let entity: Entity = unknown;
  if (rest[0] === fixtureValue) entity = fixtureNamed(graph, path, root, trace) ?? unknown;
  else entity = graph.local(path, root, trace) ?? unknown;
  for (const [at, name] of rest.entries()) {
    if (entity.is === 'module') entity = graph.exported(entity.path, name, trace);
    else if (entity.is !== 'definition') return entity;
    else if (name === testedValue) continue;
    else if (name === elementOf) entity = elementIn(graph, entity, trace, open);
    else if (isKeys(name)) entity = keysIn(graph, entity, name, trace, open);
    else if (name === heldValue) entity = heldIn(graph, entity, trace, open);
    else if (name === fixtureValue) entity = valueOfFixture(graph, entity, trace, open);
    else if (isResult(name)) entity = resultOf(graph, entity, name, trace, open);
    else if (readResultPart(name)) entity = partOfResult(graph, entity, name, trace, open);
    else if (readTakenArgument(name) !== null) entity = takenBy(graph, entity, name, trace, open);
    else if (readGivenParameter(name)) entity = givenTo(graph, entity, name, trace, open);
    else {
      // A method is called on an instance: `Repo.find.()`.
      const access = /^[([]/.test(rest[at + 1] ?? '') ? 'instance' : 'static';
      entity = asUsed(memberOf(graph, entity, name, access, trace, open), isResult(rest[at + 1] ?? ''));
    }
  }
  return entity.is === 'definition' ? inSpace(entity, 'type') : entity;
}

/** The result of a call: the declared return type, or the returned object literal. */
function resultOf(
  graph: ModuleGraph,
  entity: DefinitionEntity,
  result: string,
  trace: Trace,
  types: ReadonlySet<string>,
): Entity {
  const [definition, ...others] = entity.definitions;
  const rules = dialectOf(entity.path)?.calls;
  if (!definition || others.length > 0 || definition.overload || definition.conditional || !rules)
    return unknown;
  trace.add(entity.path, symbolPath(definition).split('.')[0] ?? '');
  const isAwaited = result === awaitedResult || result === unwrappedAwaited;
  const type = rules.resultType(definition, isAwaited, isUnwrapped(result));
  if (type !== null)
    return isTypeParameter(graph, entity.path, definition, type)
      ? unknown
      : typeEntity(graph, entity.path, type, trace, types);
  return definition.async === isAwaited
    ? memberOf(graph, entity, plainResult, 'static', trace, types)
    : unknown;
}

/** The keys of a dictionary: of a class that describes them, or of what a function or property returns. */
function keysIn(
  graph: ModuleGraph,
  entity: DefinitionEntity,
  keys: string,
  trace: Trace,
  types: ReadonlySet<string>,
): Entity {
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
  const isClass = held.is === 'definition' && held.definitions.every(({ kind }) => kind === 'class');
  return isClass ? keysIn(graph, held, givenKeys, trace, types) : unknown;
}

/** One of the values that a call gives, or an element of it. */
function partOfResult(
  graph: ModuleGraph,
  { path, definitions: [definition, ...others] }: DefinitionEntity,
  part: string,
  trace: Trace,
  types: ReadonlySet<string>,
): Entity {
  const { at = 0, isElement = false } = readResultPart(part) ?? {};
  if (!definition || others.length > 0 || definition.overload || definition.conditional) return unknown;
  trace.add(path, symbolPath(definition).split('.')[0] ?? '');
  const held = dialectOf(path)?.calls.resultParts(definition)?.[at] ?? null;
  const type = isElement ? elementType(held) : held;
  if (type === null || isTypeParameter(graph, path, definition, type)) return unknown;
  return typeEntity(graph, path, type, trace, types);
}

/** The element type of a field's list, or of the list that a function or property returns; a type parameter of the owner is not a type of the file. */
function elementIn(
  graph: ModuleGraph,
  { path, definitions: [field, ...others] }: DefinitionEntity,
  trace: Trace,
  types: ReadonlySet<string>,
): Entity {
  if (!field || others.length > 0) return unknown;
  const returned = field.signature ? (dialectOf(path)?.calls.resultElement?.(field) ?? null) : null;
  const type = returned ?? elementType(field.type);
  if (type === null || isTypeParameter(graph, path, field, type)) return unknown;
  if (returned !== null) trace.add(path, symbolPath(field).split('.')[0] ?? '');
  const element = typeEntity(graph, path, type, trace, types);
  // Without a compiler a list may hold other values than declared.
  const isChecked = dialectOf(path)?.isTypeChecked === true;
  return element.is === 'definition' && !isChecked ? { ...element, exact: false } : element;
}

/** The declared type of a field or accessor that a pattern takes out of a value. */
function heldIn(
  graph: ModuleGraph,
  { path, definitions: [member, ...others], exact }: DefinitionEntity,
  trace: Trace,
  types: ReadonlySet<string>,
): Entity {
  const isValue = member?.kind === 'field' || member?.kind === 'accessor';
  if (!isValue || member.type === null || others.length > 0) return unknown;
  if (isTypeParameter(graph, path, member, member.type)) return unknown;
  const held = typeEntity(graph, path, member.type, trace, types);
  if (held.is !== 'definition' || !held.definitions.every(isInstantiable)) return unknown;
  // In `Base & { user: User }` the base may say more about the user; without an annotation it may be assigned again.
  const isAnnotated = member.kind === 'accessor' || member.signatureHash !== noTokens;
  return { ...held, exact: exact && held.exact && isAnnotated && !isIntersected(graph, path, member) };
}

/** A name of values: an alias of a union has no members of its own. */
function isInstantiable({ kind, members }: Definition): boolean {
  return kind === 'class' || kind === 'interface' || (kind === 'type' && members !== null);
}

function isIntersected(graph: ModuleGraph, path: string, { container }: Definition): boolean {
  const facts = graph.facts(path);
  const owners = facts && container !== null ? indexOf(facts).definitions(null, container) : [];
  return owners.some(({ kind, bases }) => kind === 'type' && bases.length > 0);
}

function valueOfFixture(
  graph: ModuleGraph,
  { path, definitions: [fixture] }: DefinitionEntity,
  trace: Trace,
  types: ReadonlySet<string>,
): Entity {
  return fixture?.type ? typeEntity(graph, path, fixture.type, trace, types) : unknown;
}

/** The one named type that a parameter declares. */
function takenBy(
  graph: ModuleGraph,
  { path, definitions: [definition, ...others], exact }: DefinitionEntity,
  place: string,
  trace: Trace,
  types: ReadonlySet<string>,
): Entity {
  if (!definition?.signature || others.length > 0 || definition.overload || definition.conditional)
    return unknown;
  trace.add(path, symbolPath(definition).split('.')[0] ?? '');
  const parameter = definition.signature.parameters[readTakenArgument(place) ?? 0];
  const isOne = parameter?.kind === 'positional' || parameter?.kind === 'positional-only';
  const type = isOne ? parameter.typeName : null;
  if (type === null || isTypeParameter(graph, path, definition, type)) return unknown;
  const taken = typeEntity(graph, path, type, trace, types);
  return taken.is === 'definition' ? { ...taken, exact: exact && taken.exact } : taken;
}

/** What a callback receives: the type at that position of the callee's parameter. */
function givenTo(
  graph: ModuleGraph,
  entity: DefinitionEntity,
  place: string,
  trace: Trace,
  types: ReadonlySet<string>,
): Entity {
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
  { container }: Definition,
  type: string,
): boolean {
  const facts = graph.facts(path);
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

/** The bases of a class. */
export interface Ancestry {
  /** Ids of first-party classes, itself included, and names of those from outside. */
  readonly names: ReadonlySet<string>;
  /** Every base could be followed. */
  readonly isWhole: boolean;
}

export function ancestryOf(graph: ModuleGraph, entity: DefinitionEntity, trace: Trace): Ancestry {
  const names = new Set<string>();
  let isWhole = true;
  const open = [entity];
  for (let next = open.pop(); next; next = open.pop()) {
    const facts = graph.facts(next.path);
    for (const definition of next.definitions) {
      const id = symbolId(next.path, symbolPath(definition));
      if (names.has(id) || !facts) continue;
      names.add(id);
      trace.add(next.path, symbolPath(definition).split('.')[0] ?? '');
      if (definition.kind !== 'class' || definition.members?.open !== false) isWhole = false;
      for (const base of definition.bases) {
        const target = typeEntity(graph, next.path, base, trace);
        const outside = dialectOf(next.path)?.classes.outside(facts, base);
        if (target.is === 'definition') open.push(target);
        else if (outside) for (const name of outside.names) names.add(name);
        else isWhole = false;
      }
    }
  }
  return { names, isWhole };
}

/** Whether one of some files, or a file that one of them imports, augments a module: `declare module './user'`. */
export function isAugmented(
  graph: ModuleGraph,
  path: string,
  files: readonly string[],
  trace: Trace,
): boolean {
  const leadsTo = (specifier: string, from: string) => {
    const resolution = graph.resolve(specifier, from);
    return resolution.status === 'found' ? [resolution.path] : [];
  };
  const imported = files.flatMap((file) =>
    (graph.facts(file)?.imports ?? []).flatMap(({ from }) => leadsTo(from, file)),
  );
  const augmenting = [...new Set([...files, ...imported])].filter((file) =>
    graph.facts(file)?.augments?.some((specifier) => leadsTo(specifier, file).includes(path)),
  );
  for (const file of augmenting) trace.add(file, '**');
  return augmenting.length > 0;
}

function isReachable(member: Definition, owner: Definition, access: Access): boolean {
  const isOfInstances = owner.kind === 'class' && classMembers.has(member.kind) && !member.static;
  return access === 'static' ? !isOfInstances : !member.static;
}
