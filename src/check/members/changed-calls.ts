import type { Facts, Use } from '#code/facts/facts.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import type { CodeTree } from '#code/link/code-tree.ts';
import { isResolutionDocument } from '#code/link/documents.ts';
import type { CallEdge, UseEdge } from '#code/link/link.ts';
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
  const calls = (tree: CodeTree, path: string, isNew: IsNew) => tree.calls(path, isNew);
  return [...edgesBetween(a, b, union, calls), ...edgesBetween(b, a, union, calls)];
}

/** The same for members that are read or called. */
export function changedMembers(a: ReadMember, b: ReadMember, union: CodeTree): ChangedUse[] {
  const members = (tree: CodeTree, path: string, isNew: IsNew) =>
    tree.uses(path, (use) => use.path.length > 0 && isNew(use));
  return [...edgesBetween(a, b, union, members), ...edgesBetween(b, a, union, members)];
}

/** The same for types with explicit arguments. */
export function changedTypes(a: ReadMember, b: ReadMember, union: CodeTree): ChangedUse[] {
  const types = (tree: CodeTree, path: string, isNew: IsNew) =>
    tree.uses(path, (use) => use.typeArguments !== null && use.typeArguments > 0 && isNew(use));
  return [...edgesBetween(a, b, union, types), ...edgesBetween(b, a, union, types)];
}

function* edgesBetween<Edge extends UseEdge>(
  consumer: ReadMember,
  provider: ReadMember,
  union: CodeTree,
  edgesOf: (tree: CodeTree, path: string, isNew: IsNew) => readonly Edge[],
): Generator<ChangedEdge<Edge>> {
  const canLeadElsewhere = usesLedElsewhere(consumer, provider, union);
  for (const path of consumer.suspects) {
    const file = pathInUnion(path, union, consumer, provider);
    const isAsked = canLeadElsewhere(path, file);
    if (!isAsked) continue;
    const isNew = newUses(consumer, path);
    const own = edgesOf(consumer.tree, path, (use) => isAsked(use) && isNew(use));
    if (own.length === 0) continue;
    const inUnion = Map.groupBy(
      edgesOf(union, file, (use) => isAsked(use) && isNew(use)),
      ({ use }) => useKey(use),
    );
    for (const before of own) {
      const now = inUnion.get(useKey(before.use))?.shift();
      if (now && before.definition !== now.definition && isSameSymbol(before, now))
        yield { consumer, provider, file, before, now };
    }
  }
}

/**
 * Tests which uses of a file can have another definition in the union; null when none can. Base has changed hundreds of files since an old
 * branch forked, and the branch touches what few of their uses look up.
 */
function usesLedElsewhere(
  consumer: ReadMember,
  provider: ReadMember,
  union: CodeTree,
): (path: string, file: string) => IsNew | null {
  const any = () => () => true;
  if (!consumer.isBase) return any;
  const differing = consumer.tree.differencesTo(union);
  const isRedirected =
    (consumer.changesResolution || provider.changesResolution) && [...differing].some(isResolutionDocument);
  if (isRedirected) return any;
  return (path, file) =>
    path !== file || differing.has(path) ? () => true : consumer.tree.usesReaching(path, differing);
}

function isSameSymbol(before: UseEdge, now: UseEdge): boolean {
  return symbolPath(before.definition) === symbolPath(now.definition);
}

type IsNew = (use: Use) => boolean;

/** Cached by the facts of a file: a branch is compared with many others. */
const known = new WeakMap<Facts, { readonly before: Facts | undefined; readonly isNew: IsNew }>();

/** Tests which uses of a file its branch has added. */
function newUses(side: ReadMember, path: string): IsNew {
  const before = side.factsBefore(side.changed.get(path)?.oldPath ?? path);
  const after = side.tree.facts(path);
  if (!after) return () => false;
  const earlier = known.get(after);
  if (earlier && earlier.before === before) return earlier.isNew;
  let added: IsNew | null = null;
  const isNew: IsNew = (use) => {
    added ??= addedUses(before, after);
    return added(use);
  };
  known.set(after, { before, isNew });
  return isNew;
}

/** A use that only moved to another function is not new. */
function addedUses(before: Facts | undefined, after: Facts): IsNew {
  const gainedAnywhere = gained(before, after, nameKey);
  let gainedHere: IsNew | null = null;
  return (use) => {
    if (!gainedAnywhere(use)) return false;
    gainedHere ??= gained(before, after, (each) => `${each.scope} ${nameKey(each)}`);
    return gainedHere(use);
  };
}

function gained(before: Facts | undefined, after: Facts, key: (use: Use) => string): IsNew {
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
