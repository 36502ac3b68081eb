import type { Definition, Use } from '#code/facts/facts.ts';
import { indexOf, symbolPath } from '#code/facts/facts-index.ts';
import { dialectOf } from '#code/languages/index.ts';
import { noTokens } from '#code/lex/text-shape.ts';
import { remembered } from '#lib/remembered.ts';
import { symbolId } from '#schema/identity.ts';
import { alsoOpen, isClosed } from './absence.ts';
import { fixtureNamed } from './fixtures.ts';
import type { LinkContext } from './link-context.ts';
import {
  type Access,
  asUsed,
  type DefinitionEntity,
  inSpace,
  isCertain,
  memberOf,
  nobodysName,
} from './members.ts';
import { type Entity, unknown } from './module-graph.ts';
import { isInPlace, typeEntity, typeOfValue } from './type-values.ts';

/** The target of a use; null when part of the path is unknown. */
export function targetOf(context: LinkContext, use: Use): { entity: Entity; access: Access } | null {
  const root = rootOf(context, use);
  return root === null || root.is === 'unknown' ? null : walkFrom(context, root, use);
}

export function rootOf(context: LinkContext, use: Use): Entity | null {
  return remembered(context.roots, `${use.rootIs} ${use.root}`, () => findRoot(context, use));
}

function findRoot(context: LinkContext, use: Use): Entity | null {
  const { graph, path, trace } = context;
  if (use.rootIs === 'name') return graph.local(path, use.root, trace);
  if (use.rootIs === 'package') return graph.module(path, use.root, trace);
  if (use.rootIs === 'cast') return unknown;
  if (use.rootIs === 'fixture') return fixtureNamed(graph, path, use.root, trace);
  const type = typeEntity(context.graph, context.path, use.root, context.trace);
  if (type.is !== 'definition' || isCertain(use.root, context.isTypeChecked)) return type;
  return { ...type, exact: false };
}

/** Follows the members of a use; null when the path ends in a problem or in something unknown. */
export function walkFrom(
  context: LinkContext,
  root: Entity,
  use: Use,
): { entity: Entity; access: Access } | null {
  let entity = root;
  let access: Access = use.rootIs === 'instance' ? 'instance' : 'static';
  for (const [at, name] of use.path.entries()) {
    const isLast = at === use.path.length - 1;
    if (entity.is === 'module') {
      entity = context.graph.exported(entity.path, name, context.trace);
      reportMissing(context, entity, 'export-missing', use);
    } else if (entity.is === 'definition') {
      if (access === 'static' && use.kind !== 'type') entity = inSpace(entity, 'value');
      if (access === 'static' && !hasStaticMembers(entity.definitions)) return null;
      const member = memberOf(context.graph, entity, name, access, context.trace);
      const next: Entity = asUsed(member, isLast && use.call !== null);
      reportMissing(context, next, 'member-missing', use);
      if (next.is === 'unknown') noteClass(context, entity, access);
      const nested =
        next.is === 'definition' &&
        next.definitions.some(({ kind }) => kind === 'class' || kind === 'enum' || kind === 'namespace');
      access = nested ? 'static' : isTypedValue(entity.definitions) ? 'instance' : access;
      entity = next;
      if (nested || isLast) continue;
      entity = use.kind === 'type' ? typeOfKey(context, next) : heldBy(context, next);
      if (entity.is === 'unknown') return null;
      access = 'instance';
    } else return null;
  }
  return { entity, access };
}

/** The type of a key whose value is an object literal: `{ address: { street } }`. */
function typeOfKey(context: LinkContext, key: Entity): Entity {
  const [definition, ...others] = key.is === 'definition' ? key.definitions : [];
  if (key.is !== 'definition' || definition?.kind !== 'field' || others.length > 0) return unknown;
  if (isInPlace(key)) return key;
  const { type, container } = definition;
  const facts = context.graph.facts(key.path);
  if (type === null || !facts || !context.isTypeChecked) return unknown;
  // `interface Box<T> { value: T }`
  const owners = indexOf(facts).definitions(null, container ?? '');
  if (owners.length !== 1) return unknown;
  return typeOfValue(context.graph, key, definition, type, context.trace);
}

/** The class of a member's value: `self.store` in `self.store.find()`. Only an annotation holds for all assignments. */
function heldBy(context: LinkContext, member: Entity): Entity {
  const [definition, ...others] = member.is === 'definition' ? member.definitions : [];
  if (member.is !== 'definition' || !definition || others.length > 0) return unknown;
  // Each class of a union may hold something else.
  if (member.variants && !context.isTypeChecked) return unknown;
  // As for other fields: a condition may have narrowed it.
  if (isInPlace(member)) return { ...member, exact: false };
  const type = heldType(definition);
  const keeps = dialectOf(member.path)?.classes.fieldsKeepTheirType ?? 'unknown';
  if (type === null || keeps === 'unknown') return unknown;
  const held = typeOfValue(context.graph, member, definition, type, context.trace);
  if (held.is !== 'definition') return unknown;
  // In C# another file may add members to an interface.
  const isWhole = keeps === 'unless-narrowed' || dialectOf(held.path)?.classes.interfacesAreWhole === true;
  const isFollowed = ({ kind, members }: Definition) =>
    kind === 'class' || (isWhole && (kind === 'interface' || (kind === 'type' && members !== null)));
  if (!held.definitions.every(isFollowed)) return unknown;
  const isAnnotated = definition.kind === 'accessor' || definition.signatureHash !== noTokens;
  return {
    ...held,
    exact: held.exact && member.exact && isAnnotated && keeps === 'always' && !held.variants,
  };
}

/** A member of a class from outside is unknown too, even if all its members are known. */
function noteClass(context: LinkContext, entity: DefinitionEntity, access: Access): void {
  const [definition] = entity.definitions;
  if (definition?.kind !== 'class') return;
  const id = symbolId(entity.path, symbolPath(definition));
  if (context.gaps.classes.has(id)) return;
  if (memberOf(context.graph, entity, nobodysName, access, context.trace).is === 'unknown')
    context.gaps.classes.add(id);
}

function reportMissing(
  context: LinkContext,
  entity: Entity,
  kind: 'export-missing' | 'member-missing',
  use: Use,
): void {
  if (entity.is !== 'missing-name' || use.guarded) return;
  if (kind === 'member-missing' && context.isAugmented(entity.path)) return;
  const owner = kind === 'member-missing' ? entity.name.slice(0, entity.name.lastIndexOf('.')) : entity.path;
  const name = kind === 'member-missing' ? entity.name.slice(owner.length + 1) : entity.name;
  context.report(kind, use, use.scope, {
    provider: symbolId(entity.path, entity.name),
    proven: isClosed(
      alsoOpen(
        entity.absence,
        (use.rootIs === 'package' || !context.objectsTo(entity.path)) && 'nobody objects',
      ),
    ),
    ...(entity.keyed ? { keyed: true as const } : {}),
    ...(entity.lent ? { lent: true as const } : {}),
    statement: `${owner} has no ${name}`,
    tier: use.rootIs === 'instance' ? 'R2' : 'R1',
  });
}

/** A variable whose value is known to be an instance of a class. */
function isTypedValue(definitions: readonly Definition[]): boolean {
  return definitions.every(({ kind, type }) => kind === 'variable' && type !== null);
}

/** Functions and plain values may have any property; classes, enums, namespaces and object literals list theirs. */
function hasStaticMembers(definitions: readonly Definition[]): boolean {
  return definitions.every(
    ({ kind, members, type }) =>
      kind === 'class' ||
      kind === 'enum' ||
      kind === 'namespace' ||
      (kind === 'variable' && (members !== null || type !== null)) ||
      kind === 'interface' ||
      kind === 'type',
  );
}

/** The named type of a field, or the declared return type of a property. */
function heldType({ kind, type, signature, overload, decorators }: Definition): string | null {
  if (kind === 'field' || (kind === 'accessor' && type !== null)) return type;
  const isProperty = kind === 'accessor' && !overload && decorators.length === 1;
  return isProperty ? (/^[A-Za-z_][\w.]*$/.exec(signature?.returns ?? '')?.[0] ?? null) : null;
}
