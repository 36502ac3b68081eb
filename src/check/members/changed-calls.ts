import type { Facts, Use } from '#code/facts/facts.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import type { CodeTree } from '#code/link/code-tree.ts';
import { isResolutionDocument } from '#code/link/documents.ts';
import type { CallEdge, UseEdge } from '#code/link/link.ts';
import { remembered } from '#lib/remembered.ts';
import type { ReadMember } from './member.ts';
import { pathInUnion } from './union-problems.ts';

/** A use that one member adds and that reaches a definition the other member changed. */
interface ChangedEdge<Edge extends UseEdge> {
  readonly consumer: ReadMember;
  readonly provider: ReadMember;
  /** The file of the use in the union. */
  readonly file: string;
  /** The use in its own branch, and in the union. */
  readonly before: Edge;
  readonly now: Edge;
}

export type ChangedCall = ChangedEdge<CallEdge>;
export type ChangedUse = ChangedEdge<UseEdge>;

/**
 * The join behind every rule about calls: new call on one side × changed definition on the other. A call counts if the previous version
 * lacks it and its definition differs in the union; the rules decide what that breaks.
 */
export function changedCalls(a: ReadMember, b: ReadMember, union: CodeTree): ChangedCall[] {
  return [...edgesBetween(a, b, union, calls), ...edgesBetween(b, a, union, calls)];
}

/** The same for members that are read or called. */
export function changedMembers(a: ReadMember, b: ReadMember, union: CodeTree): ChangedUse[] {
  return [...edgesBetween(a, b, union, members), ...edgesBetween(b, a, union, members)];
}

/** The same for calls of functions whose decorators may change how they are called. */
export function changedCallees(a: ReadMember, b: ReadMember, union: CodeTree): ChangedUse[] {
  return [...edgesBetween(a, b, union, callees), ...edgesBetween(b, a, union, callees)];
}

/** The same for types with explicit arguments. */
export function changedTypes(a: ReadMember, b: ReadMember, union: CodeTree): ChangedUse[] {
  return [...edgesBetween(a, b, union, types), ...edgesBetween(b, a, union, types)];
}

/** The uses of one kind that lead to one definition. */
type EdgesOf<Edge extends UseEdge> = (tree: CodeTree, path: string, isAsked: IsAsked) => readonly Edge[];

const calls: EdgesOf<CallEdge> = (tree, path, isAsked) => tree.calls(path, isAsked);
const members: EdgesOf<UseEdge> = (tree, path, isAsked) =>
  tree.uses(path, (use) => use.path.length > 0 && isAsked(use));
const callees: EdgesOf<UseEdge> = (tree, path, isAsked) =>
  tree.uses(path, (use) => use.call !== null && isAsked(use));
const types: EdgesOf<UseEdge> = (tree, path, isAsked) =>
  tree.uses(path, (use) => use.typeArguments !== null && use.typeArguments > 0 && isAsked(use));

function* edgesBetween<Edge extends UseEdge>(
  consumer: ReadMember,
  provider: ReadMember,
  union: CodeTree,
  edgesOf: EdgesOf<Edge>,
): Generator<ChangedEdge<Edge>> {
  const canLeadElsewhere = usesLedElsewhere(consumer, provider, union);
  for (const path of consumer.suspects) {
    const file = pathInUnion(path, union, consumer, provider);
    const isAsked = canLeadElsewhere(path, file);
    if (isAsked === 'none') continue;
    const isNew = newUses(consumer, path);
    const own =
      isAsked === 'all'
        ? newEdges(consumer, path, edgesOf)
        : edgesOf(consumer.tree, path, (use) => isAsked(use) && isNew(use));
    if (own.length === 0) continue;
    const roots = new Set(own.map(({ use }) => use.root));
    const inUnion = Map.groupBy(
      edgesOf(union, file, (use) => roots.has(use.root) && (isAsked === 'all' || isAsked(use)) && isNew(use)),
      ({ use }) => useKey(use),
    );
    for (const before of own) {
      const now = inUnion.get(useKey(before.use))?.shift();
      if (now && before.definition !== now.definition && isSameSymbol(before, now))
        yield { consumer, provider, file, before, now };
    }
  }
}

/** By kind of use and path. A conflict is read in up to four unions, and a member is the same beside all of them. */
const edgesOfMember = new WeakMap<ReadMember, Map<EdgesOf<UseEdge>, Map<string, readonly UseEdge[]>>>();

/** All edges of the uses that a member added to a file. */
function newEdges<Edge extends UseEdge>(
  side: ReadMember,
  path: string,
  edgesOf: EdgesOf<Edge>,
): readonly Edge[] {
  const kinds = edgesOfMember.get(side) ?? new Map<EdgesOf<UseEdge>, Map<string, readonly UseEdge[]>>();
  edgesOfMember.set(side, kinds);
  const byPath = remembered(kinds, edgesOf, () => new Map()) as Map<string, readonly Edge[]>;
  const known = byPath.get(path);
  if (known) return known;
  const edges = edgesOf(side.tree, path, newUses(side, path));
  // Incomplete while facts are missing.
  if (side.tree.isSettled) byPath.set(path, edges);
  return edges;
}

/**
 * The uses of a file that can have another definition in the union. Base has changed hundreds of files since an old
 * branch forked, and the branch touches what few of their uses look up.
 */
function usesLedElsewhere(
  consumer: ReadMember,
  provider: ReadMember,
  union: CodeTree,
): (path: string, file: string) => IsAsked | 'all' | 'none' {
  if (!consumer.isBase) return () => 'all';
  const differing = consumer.tree.differencesTo(union);
  const isRedirected =
    (consumer.changesResolution || provider.changesResolution) && [...differing].some(isResolutionDocument);
  if (isRedirected) return () => 'all';
  return (path, file) =>
    path !== file || differing.has(path) ? 'all' : (consumer.tree.usesReaching(path, differing) ?? 'none');
}

function isSameSymbol(before: UseEdge, now: UseEdge): boolean {
  return symbolPath(before.definition) === symbolPath(now.definition);
}

type IsAsked = (use: Use) => boolean;

/** Cached by the facts of a file: a branch is compared with many others. */
const known = new WeakMap<Facts, { readonly before: Facts | undefined; readonly isNew: IsAsked }>();

/** Tests which uses of a file its branch has added. */
function newUses(side: ReadMember, path: string): IsAsked {
  const before = side.factsBefore(side.changed.get(path)?.oldPath ?? path);
  const after = side.tree.facts(path);
  if (!after) return () => false;
  const earlier = known.get(after);
  if (earlier && earlier.before === before) return earlier.isNew;
  let added: IsAsked | null = null;
  const isNew: IsAsked = (use) => {
    added ??= addedUses(before, after);
    return added(use);
  };
  known.set(after, { before, isNew });
  return isNew;
}

/** A use that only moved to another function is not new. */
function addedUses(before: Facts | undefined, after: Facts): IsAsked {
  const gainedAnywhere = gained(before, after, nameKey);
  let gainedHere: IsAsked | null = null;
  return (use) => {
    if (!gainedAnywhere(use)) return false;
    gainedHere ??= gained(before, after, (each) => `${each.scope} ${nameKey(each)}`);
    return gainedHere(use);
  };
}

function gained(before: Facts | undefined, after: Facts, key: (use: Use) => string): IsAsked {
  const counts = new Map<string, number>();
  const count = (use: Use, by: number) => {
    const name = key(use);
    counts.set(name, (counts.get(name) ?? 0) + by);
  };
  for (const use of after.uses) count(use, 1);
  for (const use of before?.uses ?? []) count(use, -1);
  const more = new Set([...counts].flatMap(([name, by]) => (by > 0 ? [name] : [])));
  return (use) => more.has(key(use));
}

function nameKey({ kind, rootIs, root, path }: Use): string {
  return path.length === 0 ? `${kind} ${rootIs} ${root}` : `${kind} ${rootIs} ${root}.${path.join('.')}`;
}

/** The same call in another version of the file, wherever its lines are. */
function useKey(use: Use): string {
  return JSON.stringify([use.scope, nameKey(use), use.call]);
}
