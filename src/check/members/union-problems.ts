import { posix } from 'node:path';
import type { Facts } from '#code/facts/facts.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import type { CodeTree, LinkedTree } from '#code/link/code-tree.ts';
import type { Problem } from '#code/link/problem.ts';
import { symbolId } from '#schema/identity.ts';
import { sharedBarrels } from './barrels.ts';
import { dependsOn, type Member, type ReadMember } from './member.ts';

/** A problem of a union that no member has alone. */
export interface SeamProblem {
  readonly problem: Problem;
  /** The member whose reference fails. */
  readonly consumer: ReadMember;
  /** The member whose change made it fail. */
  readonly provider: ReadMember;
}

/** What two members break together: only files that depend on something the other one changed are examined. */
export async function problemsBetween(a: ReadMember, b: ReadMember, union: CodeTree): Promise<SeamProblem[]> {
  const paths = [...a.suspects, ...b.suspects, ...sharedBarrels(a, b)].map((path) =>
    pathInUnion(path, union, a, b),
  );
  const problems = await newProblems([...new Set(paths)].sort(), union, [a, b]);
  return problems.flatMap((problem) => {
    const consumer = consumerOf(problem, a, b);
    const provider = consumer === a ? b : a;
    const isInDoubt =
      (problem.keyed && !isRenamed(provider, problem.provider)) ||
      (problem.kind === 'member-missing' && [a, b].some((side) => mayAugment(side, problem.provider))) ||
      (problem.lent && mayBeSetElsewhere(provider, problem.provider)) ||
      (problem.wrapped && mayTakeOthers(problem, consumer, provider));
    return isInDoubt ? [] : [{ problem, consumer, provider }];
  });
}

/**
 * In a class with members named by constants (`[KEY]() {}`), a missing member counts only if the branch renamed it:
 * base had it beside the constants, so none of them can be it.
 */
function isRenamed(side: ReadMember, id: string): boolean {
  return side.delta.get(id)?.some(({ kind }) => kind === 'renamed') ?? false;
}

/** `declare module './user' { … }` counts for every file of the project, even if no file imports it. */
function mayAugment({ changed, tree }: ReadMember, id: string): boolean {
  const [path = ''] = id.split('#', 1);
  const parts = new Set(path.split('/').map((part) => posix.parse(part).name));
  return [...changed.keys()].some((file) =>
    tree.facts(file)?.augments?.some((specifier) => parts.has(posix.parse(specifier).name)),
  );
}

/**
 * If a module starts to create names at run time, it may still bind what it no longer defines. If a branch starts to pass instances to
 * unknown code, that code may set a field that the class no longer sets; it sets no method, and no field that the class has renamed.
 */
function mayBeSetElsewhere(side: ReadMember, id: string): boolean {
  const [path = '', member = ''] = id.split('#');
  const owner = member.slice(0, member.lastIndexOf('.'));
  if (isAddedByOtherFile(side, path, owner, member)) return true;
  const [before, after] = [side.factsBefore(path), side.tree.facts(path)];
  const isOpaque = (facts: Facts | undefined) => facts !== undefined && facts.opaque.length > 0;
  if (isOpaque(after) && !isOpaque(before)) return true;
  const lends = (facts: Facts | undefined) =>
    facts?.definitions.find((definition) => symbolPath(definition) === owner)?.members?.lent === true;
  if (before === undefined || lends(before) || !lends(after)) return false;
  const wasMethod = before.definitions.some(
    (definition) => definition.kind === 'method' && symbolPath(definition) === member,
  );
  return !wasMethod && !isRenamed(side, id);
}

/** The branch moved a method into an `impl` block of another file, which does not define the type. */
function isAddedByOtherFile(side: ReadMember, path: string, owner: string, member: string): boolean {
  return side.changes.some((change) => {
    const paths = side.tree.facts(change.path)?.definitions.map(symbolPath) ?? [];
    return change.path !== path && paths.includes(member) && !paths.includes(owner);
  });
}

/**
 * A decorated function may take other arguments than it lists. It most likely takes what it lists if the call fitted before and the branch
 * changed the parameters alone: neither the decorators and what they are given nor, in this project, the files that define them. A parameter that is
 * put before the others is most likely passed by a decorator.
 */
function mayTakeOthers(
  { provider: id, file, consumer: scope }: Problem,
  consumer: ReadMember,
  side: ReadMember,
): boolean {
  const [path = '', name = ''] = id.split('#');
  const named = (facts: Facts | undefined) =>
    facts?.definitions.find((definition) => symbolPath(definition) === name);
  const [before, after] = [named(side.factsBefore(path)), named(side.tree.facts(path))];
  if (!before || !after || before.decorators.join() !== after.decorators.join()) return true;
  if (decoratorCalls(side.factsBefore(path), name) !== decoratorCalls(side.tree.facts(path), name))
    return true;
  const [first] = before.signature?.parameters ?? [];
  const isPutBefore = after.signature?.parameters
    .slice(1)
    .some((parameter) => parameter.name === first?.name);
  if (isPutBefore) return true;
  const isChanged = after.decorators.some((decorator) => {
    // `registry.task`: what the registry does is defined where it is.
    const found = [decorator, decorator.split('.', 1)[0] ?? decorator].map((each) =>
      side.tree.typeNamed(path, each),
    );
    return found.some((each) => {
      if (each.is !== 'definition') return false;
      const [definition] = each.definitions;
      if (each.path !== path) return side.changed.has(each.path);
      return definition !== undefined && side.delta.has(symbolId(path, symbolPath(definition)));
    });
  });
  const own = pathInMember(file, consumer, earlierPaths([consumer, side]));
  const misfitsAlone = consumer.tree
    .linked(own)
    ?.problems.some((problem) => problem.provider === id && problem.wrapped && problem.consumer === scope);
  return isChanged || misfitsAlone === true;
}

/** What the decorators of a function are given: `@task(bind=True)`. */
function decoratorCalls(facts: Facts | undefined, name: string): string {
  const decorators = facts?.uses.filter(({ kind, scope }) => kind === 'decorator' && scope === name) ?? [];
  return JSON.stringify(
    decorators.map(({ root, path, call }) => [root, path, call && [call.positional, call.keywords]]),
  );
}

/** Whether a file of one depends on a change of the other. Only then is their union read. */
export function canClash(a: Member, b: Member): boolean {
  return !suspectsOf(a, b).next().done || !suspectsOf(b, a).next().done || sharedBarrels(a, b).length > 0;
}

/** Files of a member that depend on something the other one changed. */
export function* suspectsOf(side: Member, other: Member): Generator<string> {
  for (const path of side.changed.keys()) {
    const linked = side.tree.linked(path);
    if (linked && (hasChanged(other, path) || dependsOn(linked, other))) yield path;
  }
}

function hasChanged(side: Member, path: string): boolean {
  return side.changed.has(path) || side.renames.has(path);
}

/** Where a file of a member is in the union: the other member may have renamed it. */
export function pathInUnion(path: string, union: CodeTree, a: Member, b: Member): string {
  if (union.git.blob(path) !== undefined) return path;
  return a.renames.get(path) ?? b.renames.get(path) ?? path;
}

/** Problems of these files in the union that exist in none of the members. */
export async function newProblems(
  paths: readonly string[],
  union: LinkedTree,
  members: readonly Member[],
): Promise<Problem[]> {
  await union.link(paths);
  let found = paths.flatMap((path) => union.problemKeys(path).map((key) => ({ path, key })));
  const earlier = earlierPaths(members);
  for (const member of members) {
    // The first members usually have all of them.
    if (found.length === 0) break;
    const known = new Set<string>();
    const here = new Map(found.map(({ path }) => [pathInMember(path, member, earlier), path]));
    await member.tree.link(here.keys());
    for (const [own, path] of here) {
      for (const key of member.tree.problemKeys(own))
        known.add(own === path ? key : renameInKey(key, own, path));
    }
    found = found.filter(({ key }) => !known.has(key));
  }
  return found.flatMap(
    ({ path, key }) => union.linked(path)?.problems.find((problem) => problem.key === key) ?? [],
  );
}

/** The path of a file of the union in a member: it may still have the old path of a file that another member renamed. */
function pathInMember(path: string, member: Member, earlier: ReadonlyMap<string, string>): string {
  return member.tree.git.blob(path) === undefined ? (earlier.get(path) ?? path) : path;
}

/** Old paths of files that members renamed, by the new path. */
function earlierPaths(members: readonly Member[]): Map<string, string> {
  const renames = members.flatMap((member) => [...member.renames]);
  return new Map(renames.reverse().map(([from, to]) => [to, from]));
}

function renameInKey(key: string, from: string, to: string): string {
  return key.replaceAll(JSON.stringify(`${from}#`).slice(0, -1), JSON.stringify(`${to}#`).slice(0, -1));
}

/**
 * The member that added the failing reference. Where both changed the file, it is the one that uses the name more often
 * than before, or in another way.
 */
function consumerOf(problem: Problem, a: ReadMember, b: ReadMember): ReadMember {
  const earlier = earlierPaths([a, b]);
  const pathInA = pathInMember(problem.file, a, earlier);
  const pathInB = pathInMember(problem.file, b, earlier);
  const inA = a.changed.has(pathInA);
  const inB = b.changed.has(pathInB);
  if (inA !== inB) return inA ? a : b;
  const addedBy = [a, b].filter((side) =>
    side.delta.get(problem.consumer)?.some(({ kind }) => kind === 'added'),
  );
  const [adder, ...others] = addedBy;
  if (adder && others.length === 0) {
    // A new function that does not mention the name in its own branch got it by an edit of the other branch.
    const isCarried =
      problem.kind === 'name-unbound' && introduced(problem, adder, adder === a ? pathInA : pathInB) <= 0;
    if (isCarried) return adder === a ? b : a;
    return adder;
  }
  const more = introduced(problem, b, pathInB) - introduced(problem, a, pathInA);
  if (more !== 0) return more > 0 ? b : a;
  return bringsReference(problem, b, pathInB) && !bringsReference(problem, a, pathInA) ? b : a;
}

/** How many more references of the failing kind the side's version of the file has than the previous version. */
function introduced(problem: Problem, side: ReadMember, path: string): number {
  const { now, before } = mentionsOf(problem, side, path);
  return now.length - before.length;
}

/** Whether the side's version of the file has a reference of the failing kind in that scope which the previous version lacks. */
export function bringsReference(problem: Problem, side: ReadMember, path: string): boolean {
  const scope = problem.consumer.slice(problem.consumer.indexOf('#') + 1);
  const { now, before } = mentionsOf(problem, side, path);
  const known = before.filter((mention) => mention.scope === scope).map(({ text }) => text);
  return now.some((mention) => {
    const at = mention.scope === scope ? known.indexOf(mention.text) : 0;
    if (at >= 0 && mention.scope === scope) known.splice(at, 1);
    return at < 0;
  });
}

interface Mention {
  readonly scope: string;
  /** Its content, without its position. */
  readonly text: string;
}

function mentionsOf(problem: Problem, side: ReadMember, path: string): { now: Mention[]; before: Mention[] } {
  const name =
    problem.provider
      .slice(problem.provider.indexOf('#') + 1)
      .split('.')
      .at(-1) ?? '';
  const wanted = problem.kind === 'module-missing' ? problem.provider : name;
  const oldPath = side.changed.get(path)?.oldPath ?? path;
  return {
    now: mentions(side.tree.facts(path), wanted),
    before: mentions(side.factsBefore(oldPath), wanted),
  };
}

function mentions(facts: Facts | undefined, name: string): Mention[] {
  if (!facts) return [];
  const uses = facts.uses.filter(
    (use) => use.root === name || use.path.includes(name) || use.call?.keywords.includes(name),
  );
  const imports = [...facts.imports, ...facts.exports].filter(
    (entry) => entry.imported === name || entry.from === name,
  );
  return [
    ...uses.map(({ kind, root, path, scope, call, typeArguments }) => ({
      scope,
      text: JSON.stringify([kind, root, path, call, typeArguments]),
    })),
    ...imports.map(({ local, imported, from }) => ({
      scope: '',
      text: JSON.stringify([local, imported, from]),
    })),
  ];
}
