import type { Workspace } from '#check/branches/branch-tips.ts';
import type { LiveBranch } from '#check/branches/branches.ts';
import type { CheckContext } from '#check/context.ts';
import type { FactsReader } from '#code/extraction/facts-reader.ts';
import type { Facts } from '#code/facts/facts.ts';
import { CodeTree } from '#code/link/code-tree.ts';
import { isResolutionDocument, type ResolutionDocuments } from '#code/link/documents.ts';
import { mergeInSequence } from '#git/merges/merge-sequence.ts';
import { type Merge, mergePairs, noAnswer } from '#git/merges/unions.ts';
import { compareTrees } from '#git/trees/compare-trees.ts';
import type { Change, GitTree } from '#git/trees/tree.ts';
import { writeChanged } from '#git/trees/write-tree.ts';

/** An existing union: its tree, and its paths that contain conflict markers. */
export interface Union {
  readonly tree: string;
  readonly conflicted: ReadonlySet<string>;
}

/** Creates code trees from tree ids; each is read once, as its difference from base. */
export class CodeTrees {
  readonly #workspace: Workspace;
  readonly #base: GitTree;
  readonly #reader: FactsReader;
  readonly #documents: ResolutionDocuments;
  readonly #pythonRoots: readonly string[];
  readonly #known = new Map<string, CodeTree>();
  readonly #changes = new Map<string, readonly Change[]>();

  constructor(
    workspace: Workspace,
    base: GitTree,
    reader: FactsReader,
    documents: ResolutionDocuments,
    pythonRoots: readonly string[],
  ) {
    this.#workspace = workspace;
    this.#base = base;
    this.#reader = reader;
    this.#documents = documents;
    this.#pythonRoots = pythonRoots;
  }

  async get(tree: string): Promise<CodeTree> {
    const [codeTree] = await this.getAll([{ tree, conflicted: new Set() }]);
    if (!codeTree) throw new Error(`no tree ${tree}`);
    return codeTree;
  }

  /** Whether one of the changes can redirect imports. */
  async redirects(changes: readonly Change[]): Promise<boolean> {
    const documents = changes.filter(
      ({ path, oldPath }) => isResolutionDocument(path) || isResolutionDocument(oldPath ?? ''),
    );
    const all = await Promise.all(documents.map((change) => this.#documents.redirects(change)));
    return all.includes(true);
  }

  /** Records the changes of a tree against base, so that git need not compute them. */
  expect(tree: string, changes: readonly Change[]): void {
    this.#changes.set(tree, changes);
  }

  /** Drops unions that were compared: with many branches they would fill the memory. */
  release(unions: readonly Union[]): void {
    for (const union of unions) {
      this.#known.delete(keyOf(union));
      this.#changes.delete(union.tree);
    }
  }

  /** A union with these facts, and entries, for its conflicted files. It is not cached. */
  resolved(
    { git }: CodeTree,
    conflicted: ReadonlySet<string>,
    facts: ReadonlyMap<string, Facts>,
    entries: readonly Change[],
  ): CodeTree {
    return new CodeTree(git.withChanges(git.id, entries), this.#reader, this.#documents, {
      conflicted,
      resolved: facts,
      pythonRoots: this.#pythonRoots,
    });
  }

  /** Compares trees with base that will be asked for, in one git process for all of them. */
  async compare(trees: readonly string[]): Promise<void> {
    const unseen = [...new Set(trees)].filter((tree) => !this.#changes.has(tree));
    const diffs = await compareTrees(
      this.#workspace,
      unseen.map((tree) => [this.#base.id, tree] as const),
      { renames: false },
    );
    for (const [index, tree] of unseen.entries()) this.#changes.set(tree, diffs[index] ?? []);
  }

  async getAll(unions: readonly Union[]): Promise<CodeTree[]> {
    const missing = unions.filter((union) => !this.#known.has(keyOf(union)));
    await this.compare(missing.map(({ tree }) => tree));
    for (const union of missing) {
      const git = this.#base.withChanges(union.tree, this.#changes.get(union.tree) ?? []);
      this.#known.set(
        keyOf(union),
        new CodeTree(git, this.#reader, this.#documents, {
          conflicted: union.conflicted,
          pythonRoots: this.#pythonRoots,
        }),
      );
    }
    return unions.map((union) => {
      const codeTree = this.#known.get(keyOf(union));
      if (!codeTree) throw new Error(`no tree ${union.tree}`);
      return codeTree;
    });
  }
}

function keyOf({ tree, conflicted }: Union): string {
  return conflicted.size === 0 ? tree : `${tree} ${[...conflicted].sort().join('\0')}`;
}

export interface PairMerge {
  /** Indexes of the two live branches, lower first. */
  readonly a: number;
  readonly b: number;
  /** How their text merges. */
  readonly text: Merge['status'];
}

/** Up to this number of branches every pair is listed, whether it can clash or not. */
const allPairsUpTo = 40;

/** The pairs of live branches to compare, lower index first. `close`: the pairs that can meet. */
export function pairsToCompare(count: number, close: Iterable<string>): { a: number; b: number }[] {
  if (count > allPairsUpTo)
    return [...close]
      .map((key) => key.split(' ').map(Number))
      .map(([a = 0, b = 0]) => ({ a, b }))
      .sort((x, y) => x.a - y.a || x.b - y.b);
  return Array.from({ length: count }, (_, a) =>
    Array.from({ length: count - a - 1 }, (__, at) => ({ a, b: a + 1 + at })),
  ).flat();
}

export interface FullUnion {
  readonly tree: string | null;
  /** Indexes of the tips in it. */
  readonly members: readonly number[];
  /** The same, in an order in which git merges them. */
  readonly order: readonly number[];
  /** Tips whose text conflicts only with the union of several others. */
  readonly late: readonly { readonly index: number; readonly merge: Merge }[];
}

type Unions = Pick<CheckContext, 'workspace' | 'base' | 'trees'>;

/**
 * The union of many branches. Git merges those that touch the same paths, in this order if possible; the changes of the
 * others are applied on top.
 */
export async function mergeMany(
  context: Unions,
  live: readonly LiveBranch[],
  indexes: readonly number[],
): Promise<FullUnion> {
  const isTied = (index: number) => indexes.some((other) => live[index]?.merged.entangled.has(other));
  const tied = await mergeByGit(context, live, indexes.filter(isTied));
  const free = indexes.filter((index) => !isTied(index));
  const tree = await addTips(context, tied.tree, live, free);
  if (tree === undefined) return mergeByGit(context, live, indexes);
  const members = [...tied.members, ...free].sort((a, b) => a - b);
  const isInOrder = tied.order.every((index, at) => at === 0 || index > (tied.order[at - 1] ?? 0));
  const canMix = isInOrder && !looksLikeRename(changesOf(live, tied.order), changesOf(live, free));
  return { tree, members, order: canMix ? members : [...tied.order, ...free], late: tied.late };
}

function changesOf(live: readonly LiveBranch[], indexes: readonly number[]): Change[] {
  return indexes.flatMap((index) => live[index]?.merged.changes ?? []);
}

/**
 * Merged in between, a file that one branch adds and a file that another deletes can look like one that was renamed, and git
 * refuses the next branch that deletes it too. Merged last, an addition meets no such branch.
 */
function looksLikeRename(tied: readonly Change[], free: readonly Change[]): boolean {
  const isGone = ({ status }: Change) => status === 'deleted' || status === 'renamed';
  const isNew = ({ status }: Change) => status === 'added' || status === 'renamed';
  return tied.some(isGone) && free.some(isNew);
}

/** Undefined when this clone lacks a required tree. */
async function addTips(
  { workspace, base, trees }: Unions,
  tree: string | null,
  live: readonly LiveBranch[],
  free: readonly number[],
): Promise<string | null | undefined> {
  const [first] = free;
  if (first === undefined) return tree;
  if (free.length === 1 && tree === null) return live[first]?.merged.tree;
  const changes = free.flatMap((index) => live[index]?.merged.changes ?? []);
  const union = await writeChanged(workspace, tree ?? base.tree, changes);
  if (union !== null && tree === null) trees.expect(union, changes);
  return union ?? undefined;
}

/** The tree of two branches that are not entangled. */
export async function addUp(context: Unions, a: LiveBranch, b: LiveBranch): Promise<Merge> {
  const tree = await addTips(context, null, [a, b], [0, 1]);
  if (typeof tree === 'string') return { status: 'clean', tree };
  const [merge] = await mergePairs(context.workspace.scratch.git, [[a.merged.commit, b.merged.commit]]);
  return merge ?? noAnswer;
}

/**
 * Merges branches in sequence. A branch that git refuses may merge before the others: the order that merges more is
 * used.
 */
async function mergeByGit(
  { workspace, base }: Unions,
  live: readonly LiveBranch[],
  indexes: readonly number[],
): Promise<FullUnion> {
  const [only] = indexes;
  if (only === undefined) return { tree: null, members: [], order: [], late: [] };
  if (indexes.length === 1)
    return { tree: live[only]?.merged.tree ?? null, members: [only], order: [only], late: [] };
  const attempt = async (order: readonly number[]) => {
    const landings = order.flatMap((index) => {
      const tip = live[index];
      return tip ? [tip] : [];
    });
    const { tree, accepted, refused } = await mergeInSequence(workspace.scratch, base, landings);
    const indexOf = (at: number) => order[at] ?? -1;
    const merged = accepted.map(indexOf);
    const late = refused.map(({ index, merge }) => ({ index: indexOf(index), merge }));
    return { tree, order: merged, members: merged.toSorted((a, b) => a - b), late };
  };
  const first = await attempt(indexes);
  if (first.late.length === 0) return first;
  const refused = first.late.map(({ index }) => index);
  const second = await attempt([...refused, ...indexes.filter((index) => !refused.includes(index))]);
  return second.late.length < first.late.length ? second : first;
}
