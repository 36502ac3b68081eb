import type { ReadMember } from '#check/members/member.ts';
import { pathInUnion, type SeamProblem } from '#check/members/union-problems.ts';
import type { CodePair } from '#check/rules/rule.ts';
import type { Definition, Use } from '#code/facts/facts.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import { dialectOf } from '#code/languages/index.ts';
import { absent } from '#code/link/absence.ts';
import type { CodeTree } from '#code/link/code-tree.ts';
import type { DefinitionEntity } from '#code/link/members.ts';
import { type Entity, unknown } from '#code/link/module-graph.ts';
import { place } from '#code/link/problem.ts';
import { remembered } from '#lib/remembered.ts';
import { symbolId } from '#schema/identity.ts';
import { significant } from './diagnosis-parts.ts';

/**
 * New uses of a member that the other branch removes from a type with an unknown base or with members set at run time
 * (`setattr(self, …)`), that is read through a cast, or that is given as a key. The linker reports nothing there, since the type may have
 * the member anyway; but the branch removed it, so the use is likely to fail.
 */
export function lostMembers({ a, b, union }: CodePair): SeamProblem[] {
  return [...lostBetween(a, b, union), ...lostBetween(b, a, union)];
}

function* lostBetween(consumer: ReadMember, provider: ReadMember, union: CodeTree): Generator<SeamProblem> {
  // Most branches take no member away.
  const gone = takenAway(provider);
  if (gone.size === 0) return;
  const names = new Set([...gone.values()].map(({ name }) => name));
  for (const path of consumer.suspects) {
    const file = pathInUnion(path, union, consumer, provider);
    for (const { use, path: read, member, type, definition, isGone } of inDoubt(union, file, names)) {
      const id = lostId(union, type, member, gone);
      const change = id === undefined ? undefined : gone.get(id);
      if (id === undefined || !change || !isNewTo(provider, file, use, read)) continue;
      // A class may have removed an override of what its base still has: only a rename counts.
      if (definition.kind === 'class' && !change.renamed && !isGone) continue;
      if (isGivenToDecorator(union, id, member)) continue;
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

function* inDoubt(union: CodeTree, file: string, names: ReadonlySet<string>): Generator<MemberInDoubt> {
  const isTypeChecked = dialectOf(file)?.isTypeChecked === true;
  for (const found of membersInDoubt(union, file, names))
    if (found.isGone || !isTypeChecked || !mayHave(found)) yield found;
  if (!isTypeChecked) return;
  for (const found of keysInDoubt(union, file, names)) if (!mayHave(found)) yield found;
}

/** Props that React's types of elements list: a component may drop its own line for one. */
const elementProps =
  /^(?:alt|checked|children|className|defaultValue|dir|disabled|form|height|hidden|href|id|key|label|max|min|name|pattern|placeholder|readOnly|ref|rel|required|role|rows|size|slot|src|style|tabIndex|target|title|type|value|width|on(?:Blur|Change|Click|Copy|DoubleClick|Drop|Error|Focus|Input|Key(?:Down|Press|Up)|Load|Mouse(?:Down|Enter|Leave|Move|Out|Over|Up)|Paste|Pointer(?:Down|Enter|Leave|Move|Up)|Scroll|Select|Submit|Toggle|Wheel))$/;

/** A base that stands for any type, `T` in `T & { name: string }` or a `Record`, or the type of an element. */
function mayHave({ definition: { kind, bases, typeParameters }, member }: MemberInDoubt): boolean {
  if (kind === 'class') return false;
  const standsForAny = (base: string) => base === 'Record' || typeParameters?.names.includes(base);
  return bases.some(standsForAny) || (bases.length > 0 && elementProps.test(member));
}

/** Keys of objects, and attributes of elements, that their parameter does not list, but that an unknown base may have. */
function* keysInDoubt(union: CodeTree, file: string, names: ReadonlySet<string>): Generator<MemberInDoubt> {
  for (const use of union.facts(file)?.uses ?? []) {
    if (use.guarded || !use.call || use.kind === 'type') continue;
    if (!use.call.objects.some(({ keys }) => keys.some((key) => names.has(key)))) continue;
    const callee = union.typeNamed(file, [use.root, ...use.path].join('.'));
    const [callable, ...others] = callee.is === 'definition' ? callee.definitions : [];
    if (callee.is !== 'definition' || !callable?.signature || others.length > 0 || callable.overload)
      continue;
    for (const { index, keys } of use.call.objects) {
      const typeName = callable.signature.parameters[index]?.typeName ?? null;
      const type = typeName === null ? null : union.typeNamed(callee.path, typeName);
      const [definition] = type?.is === 'definition' ? type.definitions : [];
      if (type?.is !== 'definition' || !definition || !listsKeys(definition)) continue;
      for (const member of keys) {
        if (!names.has(member) || union.memberNamed(type, member).is !== 'unknown') continue;
        yield { use, path: [member], member, type, definition, isGone: false };
      }
    }
  }
}

/** An object type that lists all its own keys, below a base that is not known. */
function listsKeys({ kind, members, bases }: Definition): boolean {
  return (kind === 'interface' || kind === 'type') && members?.open === false && bases.length > 0;
}

/** Uses of members that their type does not list, but that an unknown base may have, or that a cast hides from the linker. */
function* membersInDoubt(
  union: CodeTree,
  file: string,
  names: ReadonlySet<string>,
): Generator<MemberInDoubt> {
  const types = new Map<string, Entity>();
  for (const use of union.facts(file)?.uses ?? []) {
    if (use.guarded || !use.path.some((name) => names.has(name))) continue;
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

/** `__getattr__` of the class or its metaclass may still give what the class no longer defines. */
function answersAll(union: CodeTree, type: DefinitionEntity): boolean {
  const metaclasses = type.definitions
    .flatMap(({ decorators }) => decorators)
    .filter((name) => name.startsWith('metaclass='))
    .map((name) => union.typeNamed(type.path, name.slice('metaclass='.length)));
  return [type, ...metaclasses].some(
    (each) =>
      each.is === 'definition' &&
      ['__getattr__', '__getattribute__'].some((name) => union.memberNamed(each, name).is === 'definition'),
  );
}

/** `@aliases(timeout='timeout_s')`: a decorator of the class is given the name. */
function isGivenToDecorator(union: CodeTree, id: string, member: string): boolean {
  const [path = '', name = ''] = id.split('#');
  const owner = name.slice(0, name.lastIndexOf('.'));
  const uses = union.facts(path)?.uses ?? [];
  return uses.some(
    ({ kind, scope, call }) => kind === 'decorator' && scope === owner && call?.keywords.includes(member),
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
function isNewTo({ tree }: ReadMember, file: string, { root }: Use, read: readonly string[]): boolean {
  if (tree.git.blob(file) === undefined) return true;
  const member = read.at(-1) ?? '';
  const isIt = ({ path, call }: Use) =>
    read.every((name, at) => path[at] === name) || call?.objects.some(({ keys }) => keys.includes(member));
  const uses = tree.facts(file)?.uses;
  return uses !== undefined && !uses.some((use) => use.root === root && isIt(use));
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
    absence: absent('class from outside'),
    tier: 'R2',
    statement,
    mismatch: null,
    tried: [],
  };
}
