import type { Workspace } from '#check/branches/named-branches.ts';
import type { Tip } from '#check/branches/tips.ts';
import type { SeamContext } from '#check/context.ts';
import type { FactsReader } from '#code/facts/facts-reader.ts';
import { CodeTree } from '#code/link/code-tree.ts';
import type { ResolutionDocuments } from '#code/link/documents.ts';
import { type Change, diffTrees, type GitTree } from '#git/tree.ts';
import { commitTree, type Merge, mergePairs } from '#git/unions.ts';
import { writeChanged } from '#git/write-tree.ts';

/** A union that exists: its tree, and the paths in it that hold conflict markers. */
export interface Union {
  readonly tree: string;
  readonly conflicted: ReadonlySet<string>;
}

/** Makes code trees of tree ids; each is read once, as its difference from base. */
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

  /** Says what a tree changes against base, so that git need not be asked. */
  expect(tree: string, changes: readonly Change[]): void {
    this.#changes.set(tree, changes);
  }

  /** Forgets the links of unions that were compared: with many branches they would fill the memory. */
  release(unions: readonly Union[]): void {
    for (const union of unions) {
      this.#known.delete(keyOf(union));
      this.#changes.delete(union.tree);
    }
  }

  async getAll(unions: readonly Union[]): Promise<CodeTree[]> {
    const missing = unions.filter((union) => !this.#known.has(keyOf(union)));
    const unseen = [...new Set(missing.map(({ tree }) => tree).filter((tree) => !this.#changes.has(tree)))];
    const diffs = await diffTrees(
      this.#workspace.scratch.git,
      unseen.map((tree) => [this.#base.id, tree] as const),
      { renames: false },
    );
    for (const [index, tree] of unseen.entries()) this.#changes.set(tree, diffs[index] ?? []);
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
  /** Indexes of the two tips, lower first. */
  readonly a: number;
  readonly b: number;
  /** How their text merges. */
  readonly text: Merge['status'];
}

/** Up to this number of branches every pair is told of, related or not. */
const allPairsUpTo = 40;

/** The pairs of tips that are compared, lower index first. `close` holds the pairs that can meet. */
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

/** Git has ended before it came to a pair. */
export const noAnswer: Merge = { status: 'failed', reason: 'no answer from git' };

export interface FullUnion {
  readonly tree: string | null;
  /** Tips that are part of it, by index. */
  readonly members: readonly number[];
  /** Tips whose text conflicts only with the union of several others. */
  readonly late: readonly { readonly index: number; readonly merge: Merge }[];
}

type Unions = Pick<SeamContext, 'workspace' | 'base' | 'trees'>;

/** The union of many tips: git merges those that are entangled, the changes of the others are added to that. */
export async function mergeMany(
  context: Unions,
  tips: readonly Tip[],
  indexes: readonly number[],
): Promise<FullUnion> {
  const isTied = (index: number) => indexes.some((other) => tips[index]?.entangled.has(other));
  const tied = await mergeByGit(context, tips, indexes.filter(isTied));
  const free = indexes.filter((index) => !isTied(index));
  const tree = await addTips(context, tied.tree, tips, free);
  if (tree === undefined) return mergeByGit(context, tips, indexes);
  return { tree, members: [...tied.members, ...free].sort((a, b) => a - b), late: tied.late };
}

/** Undefined when a tree that it takes is missing in this clone. */
async function addTips(
  { workspace, base, trees }: Unions,
  tree: string | null,
  tips: readonly Tip[],
  free: readonly number[],
): Promise<string | null | undefined> {
  const [first] = free;
  if (first === undefined) return tree;
  if (free.length === 1 && tree === null) return tips[first]?.tree;
  const changes = free.flatMap((index) => tips[index]?.changes ?? []);
  const union = await writeChanged(workspace, tree ?? base.tree, changes);
  if (union !== null && tree === null) trees.expect(union, changes);
  return union ?? undefined;
}

/** The tree of two tips that are not entangled. */
export async function addUp(context: Unions, a: Tip, b: Tip): Promise<Merge> {
  const tree = await addTips(context, null, [a, b], [0, 1]);
  if (typeof tree === 'string') return { status: 'clean', tree };
  const [merge] = await mergePairs(context.workspace.scratch.git, [[a.commit, b.commit]]);
  return merge ?? noAnswer;
}

/** Halves are merged level by level, so that git is started log N times. */
async function mergeByGit(
  { workspace, base }: Unions,
  tips: readonly Tip[],
  indexes: readonly number[],
): Promise<FullUnion> {
  let groups = indexes.map((index) => ({
    commit: tips[index]?.commit ?? '',
    tree: tips[index]?.tree ?? '',
    members: [index],
  }));
  const late: { index: number; merge: Merge }[] = [];
  while (groups.length > 1) {
    const next: typeof groups = [];
    const pairs = groups.flatMap((left, at) =>
      at % 2 === 0 && groups[at + 1] ? [{ left, right: groups[at + 1] as (typeof groups)[number] }] : [],
    );
    const merges = await mergePairs(
      workspace.scratch.git,
      pairs.map(({ left, right }) => [left.commit, right.commit] as const),
    );
    for (const [at, { left, right }] of pairs.entries()) {
      const merge = merges[at];
      if (merge?.status === 'clean')
        next.push({
          commit: commitTree(workspace.scratch, merge.tree, base.commit),
          tree: merge.tree,
          members: [...left.members, ...right.members],
        });
      else {
        // Pairwise clean but not together: keep the larger half and leave the other's members out.
        const [kept, dropped] = left.members.length >= right.members.length ? [left, right] : [right, left];
        next.push(kept);
        for (const index of dropped.members) late.push({ index, merge: merge ?? noAnswer });
      }
    }
    if (groups.length % 2 === 1) next.push(groups.at(-1) as (typeof groups)[number]);
    groups = next;
  }
  return { tree: groups[0]?.tree ?? null, members: groups[0]?.members ?? [], late };
}
