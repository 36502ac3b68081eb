import type { Definition, Facts } from '#code/facts/facts.ts';
import { indexOf, symbolPath } from '#code/facts/facts-index.ts';
import { symbolId } from '#schema/identity.ts';
import { type Entity, type ModuleGraph, unknown } from './module-graph.ts';
import { outsideClass, outsideNames } from './outside-classes.ts';
import type { Trace } from './trace.ts';

export type Access = 'static' | 'instance';

export type DefinitionEntity = Extract<Entity, { is: 'definition' }>;

/** Python class decorators that leave the set of attributes as written, by where they come from. */
const plainDecorators = new Set([
  'dataclasses.dataclass',
  'pydantic.dataclasses.dataclass',
  'typing.final',
  'typing.runtime_checkable',
  'functools.total_ordering',
  'enum.unique',
  'attrs.define',
  'attrs.frozen',
  'attrs.mutable',
  'attrs.s',
  'attrs.attrs',
]);
/** Reasons why a Python module may have more names, which leave the classes that it defines as they are. */
const namesOnly = new Set(['module __getattr__', '__all__ is computed']);
/** Kinds that belong to the instances of a class unless they are static; a merged namespace adds others. */
const classMembers = new Set<Definition['kind']>(['method', 'field', 'accessor']);
/** Every value has the first, every class or function the second as well. */
const valueMembers = new Set(Object.getOwnPropertyNames(Object.prototype));
const functionMembers = new Set([...Object.getOwnPropertyNames(Function.prototype), 'prototype']);

/** No class has a member of this name: the answer tells whether all that the class has is known. */
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
  // Python walks by index over what has no `__iter__`.
  if (found.is !== 'missing-name' || name !== '__iter__') return found;
  const byIndex = findMember({ graph, name: '__getitem__', access, trace, types, seen: new Set() }, entity);
  return byIndex.is === 'definition' ? byIndex : found;
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
  if (!first || !facts) return unknown;
  const owner = symbolPath(first);
  const key = `${entity.path}#${owner}`;
  if (search.seen.has(key)) return unknown;
  search.seen.add(key);
  search.trace.add(entity.path, owner.split('.')[0] ?? owner);
  if (first.kind === 'variable' && first.type !== null) return memberOfTyped(search, entity.path, first.type);
  const own = indexOf(facts)
    .definitions(owner, search.name)
    .filter((member) => isReachable(member, first, search.access, facts));
  if (own.length > 0) return { is: 'definition', path: entity.path, definitions: own, exact: entity.exact };
  const inherited = inheritedMember(search, entity, facts);
  if (inherited.is !== 'missing') return inherited;
  if (!entity.definitions.every((definition) => isClosed(definition, facts)) || isBuiltIn(search, facts))
    return unknown;
  const missing = { is: 'missing-name', path: entity.path, name: `${owner}.${search.name}` } as const;
  if (inherited.keyed || entity.definitions.some(({ members }) => members?.keyed))
    return { ...missing, certain: false, keyed: true };
  const isLent =
    inherited.lent || mayBeReplaced(facts) || entity.definitions.some(({ members }) => members?.lent);
  return isLent ? { ...missing, certain: false, lent: true } : { ...missing, certain: entity.exact };
}

function memberOfTyped(search: Search, path: string, type: string): Entity {
  const target = typeEntity(search.graph, path, type, search.trace, search.types);
  return target.is === 'definition' ? findMember({ ...search, access: 'instance' }, target) : unknown;
}

/** A member of a base; unknown when a base cannot be followed; missing when all bases are known and lack it. */
function inheritedMember(
  search: Search,
  entity: DefinitionEntity,
  facts: Facts,
): Entity | { readonly is: 'missing'; readonly keyed: boolean; readonly lent: boolean } {
  let keyed = false;
  let lent = false;
  for (const base of entity.definitions.flatMap((definition) => definition.bases)) {
    const outside = facts.module === 'python' ? outsideClass(facts, base) : undefined;
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
    else if (!target.exact) return unknown;
    else if (!found.certain) lent = true;
  }
  return { is: 'missing', keyed, lent };
}

/** The class or type that a dotted name of a file stands for. */
export function typeEntity(
  graph: ModuleGraph,
  path: string,
  typeName: string,
  trace: Trace,
  types: ReadonlySet<string> = new Set(),
): Entity {
  const key = `${path} ${typeName}`;
  if (types.has(key)) return unknown;
  const open = new Set(types).add(key);
  const [root = '', ...rest] = typeName.split('.');
  let entity: Entity = graph.local(path, root, trace) ?? unknown;
  for (const name of rest) {
    if (entity.is === 'module') entity = graph.exported(entity.path, name, trace);
    else if (entity.is === 'definition') entity = memberOf(graph, entity, name, 'static', trace, open);
    else return entity;
  }
  return entity;
}

/** What a class derives from. */
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
        if (target.is === 'definition') open.push(target);
        else if (outsideClass(facts, base)) for (const name of outsideNames(facts, base)) names.add(name);
        else isWhole = false;
      }
    }
  }
  return { names, isWhole };
}

/** Whether a Python class has a metaclass, its own or of a base, that may make instances in its own way. */
export function inheritsMetaclass(
  graph: ModuleGraph,
  entity: DefinitionEntity,
  trace: Trace,
  seen = new Set<string>(),
): boolean {
  return entity.definitions.some((definition) => {
    const key = `${entity.path}#${symbolPath(definition)}`;
    if (seen.has(key)) return false;
    seen.add(key);
    if (definition.decorators.some((name) => name.startsWith('metaclass='))) return true;
    return definition.bases.some((base) => {
      const target = typeEntity(graph, entity.path, base, trace);
      return target.is === 'definition' && inheritsMetaclass(graph, target, trace, seen);
    });
  });
}

/** Whether one of some files, or a file that one of them imports, declares more for a module: `declare module './user'`. */
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

function isReachable(member: Definition, owner: Definition, access: Access, facts: Facts): boolean {
  if (facts.module === 'python') return true;
  const isOfInstances = owner.kind === 'class' && classMembers.has(member.kind) && !member.static;
  return access === 'static' ? !isOfInstances : !member.static;
}

/** Python: a module that writes to its own namespace can put another class in the place of one that it defines. */
function mayBeReplaced({ module, opaque }: Facts): boolean {
  return module === 'python' && opaque.some((reason) => !namesOnly.has(reason));
}

function isClosed(definition: Definition, facts: Facts): boolean {
  if (!definition.members || definition.members.open) return false;
  return definition.decorators.every(
    (decorator) => facts.module === 'python' && isPlainDecorator(facts, decorator),
  );
}

function isPlainDecorator(facts: Facts, decorator: string): boolean {
  const names = outsideNames(facts, decorator);
  return names.length > 0 && names.every((name) => plainDecorators.has(name));
}

function isBuiltIn({ name, access }: Search, facts: Facts): boolean {
  if (facts.module !== 'python')
    return valueMembers.has(name) || (access === 'static' && functionMembers.has(name));
  return /^__.*__$/.test(name) && !/^__(enter|exit|aenter|aexit|iter|aiter|next|anext|call)__$/.test(name);
}
