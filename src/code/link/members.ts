import type { Definition, Facts } from '#code/facts/facts.ts';
import { indexOf, symbolPath } from '#code/facts/facts-index.ts';
import type { ClassRules } from '#code/languages/dialect.ts';
import { dialectOf, packageOf } from '#code/languages/index.ts';
import { isResult } from '#code/languages/shared/results.ts';
import { symbolId } from '#schema/identity.ts';
import { absent, isClosed } from './absence.ts';
import { type Entity, isHiddenFrom, type ModuleGraph, unknown } from './module-graph.ts';
import type { Trace } from './trace.ts';
import { aliased, baseOf, isAlias, typeEntity } from './type-values.ts';

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
  const found = findMember({ graph, name, access, trace, types, seen: new Map() }, entity);
  if (found.is !== 'missing-name') return found;
  const standIn = dialectOf(entity.path)?.classes.standIn(name) ?? null;
  if (standIn === null) return found;
  const other = findMember({ graph, name: standIn, access, trace, types, seen: new Map() }, entity);
  return other.is === 'definition' ? other : found;
}

interface Search {
  readonly graph: ModuleGraph;
  readonly name: string;
  readonly access: Access;
  readonly trace: Trace;
  /** What each class gave, null while it is searched: two bases may have the same base. */
  readonly seen: Map<string, Entity | null>;
  /** Types that are being looked up: `const Node: Node.Kind` leads back to itself. */
  readonly types: ReadonlySet<string>;
}

function findMember(search: Search, found: DefinitionEntity): Entity {
  const { variants, ...entity } = found;
  if (variants) return memberOfVariants(search, [entity, ...variants]);
  const [first] = entity.definitions;
  const facts = search.graph.facts(entity.path);
  const rules = dialectOf(entity.path)?.classes;
  if (!first || !facts || !rules) return unknown;
  const owner = symbolPath(first);
  const key = `${entity.path}#${owner}`;
  const known = search.seen.get(key);
  if (known !== undefined) return known ?? unknown;
  search.seen.set(key, null);
  const member = findIn(search, entity, first, facts, rules);
  search.seen.set(key, member);
  return member;
}

function findIn(
  search: Search,
  entity: DefinitionEntity,
  first: Definition,
  facts: Facts,
  rules: ClassRules,
): Entity {
  const owner = symbolPath(first);
  search.trace.add(entity.path, owner.split('.')[0] ?? owner);
  if (first.kind === 'variable' && first.type !== null) return memberOfTyped(search, entity.path, first.type);
  if (isAlias(entity)) return memberOfAlias(search, entity);
  const own = indexOf(facts)
    .definitions(owner, search.name)
    .filter((member) => rules.sharesMembers || isReachable(member, first, search.access));
  if (own.length > 0) {
    const member = { ...entity, definitions: own } as const;
    // Without a compiler private often only means: not through another object. Traits and mixins share private members.
    const isShared = search.seen.size > 1 && dialectOf(entity.path)?.isTypeChecked !== true;
    return !isShared && isHiddenFrom(member, search.trace.own)
      ? hiddenMember(entity, member, owner, search.name)
      : member;
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
    return { ...missing, absence: absent('named by constants'), keyed: true };
  const isLent =
    changing.length > 0 ||
    inherited.lent ||
    rules.mayBeReplaced(facts) ||
    (rules.areExtensible && search.access === 'instance' && search.name !== nobodysName) ||
    entity.definitions.some(({ members }) => members?.lent);
  return isLent
    ? { ...missing, absence: absent('members set elsewhere'), lent: true }
    : { ...missing, absence: absent(!(entity.exact && inherited.certain) && 'assumption') };
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
  const absence = absent(!exact && 'assumption', isLent && 'members set elsewhere');
  return { is: 'missing-name', path, name: `${owner}.${name}`, absence };
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

/** The members of what an alias means: `type Draft = Omit<User, 'id'>`, `type Event = Opened | Closed`. */
function memberOfAlias(search: Search, entity: DefinitionEntity): Entity {
  const target = aliased(search.graph, entity, search.trace, search.types);
  return target.is === 'definition' ? findMember({ ...search, access: 'instance' }, target) : unknown;
}

/** A value may be of any variant: a member is missing if all of them lack it. */
function memberOfVariants(search: Search, variants: readonly DefinitionEntity[]): Entity {
  const found = variants.map((variant) => findMember({ ...search, seen: new Map(search.seen) }, variant));
  const missing = found.flatMap((each) => (each.is === 'missing-name' && !each.keyed ? [each] : []));
  const [first] = missing;
  if (first && missing.length === found.length)
    return { ...first, absence: absent(...missing.flatMap(({ absence }) => absence.openings)) };
  const [member, ...others] = found.flatMap((each) => (each.is === 'definition' ? [each] : []));
  return member && others.length + 1 === found.length ? { ...member, variants: others } : unknown;
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
    const target = baseOf(search.graph, entity, base, search.trace, search.types);
    if (target.is !== 'definition') return unknown;
    const found = findMember(search, target);
    if (found.is !== 'missing-name') return found;
    if (found.keyed) keyed = true;
    // A base in another package, found by reading `lib/` as `src/`, lists its members too.
    else if (!target.exact && dialectOf(entity.path)?.isTypeChecked) certain = false;
    else if (!target.exact) return unknown;
    else if (!isClosed(found.absence)) lent = true;
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
