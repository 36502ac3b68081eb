import type { Definition } from '#code/facts/facts.ts';
import { indexOf, symbolPath } from '#code/facts/facts-index.ts';
import { dialectOf } from '#code/languages/index.ts';
import { type Absence, absent, type Opening } from './absence.ts';
import { type DefinitionEntity, memberOf, nobodysName } from './members.ts';
import type { Entity, ModuleGraph } from './module-graph.ts';
import type { Trace } from './trace.ts';
import { typeEntity } from './type-values.ts';

/** A member that an interface or abstract class requires and a class lacks. */
export interface UnkeptPromise {
  readonly path: string;
  readonly member: Definition;
  readonly absence: Absence;
}

interface Promise {
  readonly path: string;
  readonly member: Definition;
  /** Required by an abstract base, which declares the member without a body. */
  readonly isAbstract: boolean;
}

/** The members that a class needs to be instantiated and lacks. */
export function unkeptPromises(graph: ModuleGraph, entity: DefinitionEntity, trace: Trace): UnkeptPromise[] {
  const promises = [...promisedByInterfaces(graph, entity, trace), ...promisedByBases(graph, entity, trace)];
  if (promises.length === 0) return [];
  const whole = memberOf(graph, entity, nobodysName, 'instance', trace);
  const isInPlace = dialectOf(entity.path)?.classes.implementsInPlace === true;
  // Some languages list the members of an interface where they say that they implement it.
  const openings = isInPlace && whole.is === 'missing-name' ? [] : openingsOf(whole);
  return promises.flatMap(({ path, member, isAbstract }) => {
    const found = memberOf(graph, entity, member.name, 'instance', trace);
    const isMissing =
      (found.is === 'missing-name' && !found.keyed) ||
      (isAbstract && found.is === 'definition' && found.definitions.every(({ abstract }) => abstract));
    return isMissing
      ? [
          {
            path,
            member,
            absence: absent(
              ...openings,
              !entity.exact && 'assumption',
              member.conditional && 'nobody objects',
            ),
          },
        ]
      : [];
  });
}

/** What may give a class any member, asked by a name that no class has. */
function openingsOf(whole: Entity): readonly Opening[] {
  return whole.is === 'missing-name' ? whole.absence.openings : ['class from outside'];
}

function promisedByInterfaces(graph: ModuleGraph, entity: DefinitionEntity, trace: Trace): Promise[] {
  const names = entity.definitions.flatMap((definition) => definition.implements);
  const promises: Promise[] = [];
  const seen = new Set<string>();
  const open = names.map((name) => ({ from: entity.path, name }));
  for (let next = open.pop(); next; next = open.pop()) {
    const target = typeEntity(graph, next.from, next.name, trace);
    if (target.is !== 'definition') continue;
    for (const definition of target.definitions) {
      if (definition.kind !== 'interface' && definition.kind !== 'type') continue;
      const key = `${target.path}#${symbolPath(definition)}@${definition.line}`;
      if (seen.has(key)) continue;
      seen.add(key);
      for (const name of definition.bases) open.push({ from: target.path, name });
      // In Go `type Handler func()` has methods, and asks for none.
      if (definition.kind === 'type' && definition.members === null) continue;
      for (const member of membersOf(graph, target.path, definition))
        if (!member.optional) promises.push({ path: target.path, member, isAbstract: false });
    }
  }
  return promises;
}

function promisedByBases(graph: ModuleGraph, entity: DefinitionEntity, trace: Trace): Promise[] {
  const promises: Promise[] = [];
  const seen = new Set<string>();
  const open = entity.definitions.flatMap(({ bases }) => bases.map((name) => ({ from: entity.path, name })));
  const needsBase = dialectOf(entity.path)?.classes.abstractNeedsBase === true;
  let isEnforced = !needsBase || entity.definitions.some(({ abstract }) => abstract);
  for (let next = open.pop(); next; next = open.pop()) {
    const target = typeEntity(graph, next.from, next.name, trace);
    if (target.is !== 'definition') continue;
    for (const definition of target.definitions) {
      const key = `${target.path}#${symbolPath(definition)}`;
      if (definition.kind !== 'class' || seen.has(key)) continue;
      seen.add(key);
      if (definition.abstract) isEnforced = true;
      for (const name of definition.bases) open.push({ from: target.path, name });
      for (const member of membersOf(graph, target.path, definition))
        if (member.abstract) promises.push({ path: target.path, member, isAbstract: true });
    }
  }
  return isEnforced ? promises : [];
}

function membersOf(graph: ModuleGraph, path: string, definition: Definition): readonly Definition[] {
  const facts = graph.facts(path);
  if (!facts) return [];
  return [...indexOf(facts).members(symbolPath(definition)).values()].flatMap(([member]) =>
    member && !member.static ? [member] : [],
  );
}
