import type { ReadMember } from '#check/members/member.ts';
import { pathInUnion, type SeamProblem } from '#check/members/union-problems.ts';
import type { CodePair } from '#check/rules/rule.ts';
import type { Definition, Use } from '#code/facts/facts.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import type { CodeTree } from '#code/link/code-tree.ts';
import type { DefinitionEntity } from '#code/link/members.ts';
import { type Entity, unknown } from '#code/link/module-graph.ts';
import { place } from '#code/link/problem.ts';
import { remembered } from '#lib/remembered.ts';
import { symbolId } from '#schema/identity.ts';
import { significant } from './diagnosis-parts.ts';

/**
 * New uses of a member that the other branch removes from a type with an unknown base or with members set at run time
 * (`setattr(self, …)`), or that is read through a cast. The linker reports nothing there, since the type may have the member anyway; but
 * the branch removed it, so the use is likely to fail.
 */
export function lostMembers({ a, b, union }: CodePair): SeamProblem[] {
  return [...lostBetween(a, b, union), ...lostBetween(b, a, union)];
}

function* lostBetween(consumer: ReadMember, provider: ReadMember, union: CodeTree): Generator<SeamProblem> {
  // Computed on demand: most files have no member in doubt.
  let gone: Map<string, TakenAway> | null = null;
  for (const path of consumer.suspects) {
    const file = pathInUnion(path, union, consumer, provider);
    for (const { use, path: read, member, type, definition, isGone } of membersInDoubt(union, file)) {
      gone ??= takenAway(provider);
      const id = gone.size === 0 ? undefined : lostId(union, type, member, gone);
      const change = id === undefined ? undefined : gone.get(id);
      if (id === undefined || !change || !isNewTo(provider, file, use.root, read)) continue;
      // A class may have removed an override of what its base still has: only a rename counts.
      if (definition.kind === 'class' && !change.renamed && !isGone) continue;
      yield {
        problem: problemOf(file, use, id, `${symbolPath(definition)} has no ${member}`),
        consumer,
        provider,
      };
    }
  }
}

interface MemberInDoubt {
  readonly use: Use;
  /** Up to the member. */
  readonly path: readonly string[];
  readonly member: string;
  /** The type that should have the member. */
  readonly type: DefinitionEntity;
  readonly definition: Definition;
  /** No base has it either. */
  readonly isGone: boolean;
}

/** Uses of members that their type does not list, but that an unknown base may have, or that a cast hides from the linker. */
function* membersInDoubt(union: CodeTree, file: string): Generator<MemberInDoubt> {
  const types = new Map<string, Entity>();
  for (const use of union.facts(file)?.uses ?? []) {
    if (use.guarded || use.path.length === 0) continue;
    let type = remembered(types, use.root, () => union.typeNamed(file, use.root));
    for (const [at, member] of use.path.entries()) {
      const [definition] = type.is === 'definition' ? type.definitions : [];
      if (type.is !== 'definition' || !definition || !listsMembers(definition, use)) break;
      const found = union.memberNamed(type, member);
      const isGone = found.is === 'missing-name';
      if (found.is === 'unknown' && answersAll(union, type)) break;
      if (found.is === 'unknown' || (isGone && use.rootIs === 'cast')) {
        yield { use, path: use.path.slice(0, at + 1), member, type, definition, isGone };
        break;
      }
      const key = [use.root, ...use.path.slice(0, at + 1)].join('.');
      type = remembered(types, key, () => heldBy(union, found));
    }
  }
}

/** The type of an annotated field: `order.customer` in `order.customer.email`. */
function heldBy(union: CodeTree, found: Entity): Entity {
  const [field, ...others] = found.is === 'definition' ? found.definitions : [];
  if (found.is !== 'definition' || field?.kind !== 'field' || field.type === null || others.length > 0)
    return unknown;
  return union.typeNamed(found.path, field.type);
}

/** `__getattr__` may still give what the class no longer defines. */
function answersAll(union: CodeTree, type: DefinitionEntity): boolean {
  return ['__getattr__', '__getattribute__'].some(
    (name) => union.memberNamed(type, name).is === 'definition',
  );
}

const maxBases = 20;

/** The id under which a type, or a base of it in this project, has lost the member. */
function lostId(
  union: CodeTree,
  type: DefinitionEntity,
  member: string,
  gone: ReadonlyMap<string, TakenAway>,
): string | undefined {
  const pending = [type];
  for (let at = 0; at < Math.min(pending.length, maxBases); at++) {
    const { path, definitions } = pending[at] ?? type;
    for (const definition of definitions) {
      const id = symbolId(path, `${symbolPath(definition)}.${member}`);
      if (gone.get(id)?.name === member) return id;
      for (const name of definition.bases) {
        const base = union.typeNamed(path, name);
        if (base.is === 'definition') pending.push(base);
      }
    }
  }
  return undefined;
}

interface TakenAway {
  readonly name: string;
  readonly renamed: boolean;
}

/** By id, the members that a branch has renamed, or fields that it has removed, and added nowhere else. */
function takenAway({ delta }: ReadMember): Map<string, TakenAway> {
  const gone = new Map<string, TakenAway>();
  const added = new Set<string>();
  for (const [id, changes] of delta) {
    const change = significant(changes);
    if (change?.kind === 'removed' || change?.kind === 'renamed') {
      const { name, kind, container } = change.before.definition;
      const renamed = change.kind === 'renamed';
      if (container !== null && (renamed || kind === 'field')) gone.set(id, { name, renamed });
    }
    for (const each of changes) if (each.kind === 'added') added.add(each.after.definition.name);
  }
  return new Map([...gone].filter(([, { name }]) => !added.has(name)));
}

/** Object types list their own fields; a class is also accessed by its name, and code may set more members of it. */
function listsMembers({ kind, members }: Definition, { rootIs }: Use): boolean {
  if (members === null || (members.open && kind !== 'class')) return false;
  const isValue = rootIs === 'instance' || rootIs === 'cast';
  return kind === 'class' || (isValue && (kind === 'interface' || kind === 'type'));
}

/** A branch that keeps the same use beside its own change expects it to work. */
function isNewTo({ tree }: ReadMember, file: string, root: string, read: readonly string[]): boolean {
  if (tree.git.blob(file) === undefined) return true;
  const uses = tree.facts(file)?.uses;
  const isIt = (use: Use) => use.root === root && read.every((name, at) => use.path[at] === name);
  return uses !== undefined && !uses.some(isIt);
}

function problemOf(file: string, use: Use, provider: string, statement: string): SeamProblem['problem'] {
  const consumer = symbolId(file, use.scope);
  return {
    kind: 'member-missing',
    key: JSON.stringify(['member-missing', consumer, provider, '']),
    consumer,
    provider,
    file,
    sites: [place(file, use, use.scope)],
    definedAt: [],
    proven: false,
    tier: 'R2',
    statement,
    mismatch: null,
    tried: [],
  };
}
