import { CodeTree } from '../code/code-tree.ts';
import type { FactsReader } from '../code/facts-reader.ts';
import type { ResolutionDocuments } from '../code/resolve/documents.ts';
import { diffTrees, type GitTree } from '../git/tree.ts';
import { commitTrees, type Merge, mergePairs } from '../git/unions.ts';
import type { Workspace } from './named-branches.ts';

export interface Tip {
  readonly ref: string;
  /** The branch merged with base. */
  readonly commit: string;
  readonly tree: string;
}

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

  /** Forgets the links of unions that were compared: with many branches they would fill the memory. */
  release(unions: readonly Union[]): void {
    for (const union of unions) this.#known.delete(keyOf(union));
  }

  async getAll(unions: readonly Union[]): Promise<CodeTree[]> {
    const missing = unions.filter((union) => !this.#known.has(keyOf(union)));
    const diffs = await diffTrees(
      this.#workspace.scratch.git,
      missing.map(({ tree }) => [this.#base.id, tree] as const),
      { renames: false },
    );
    missing.forEach((union, index) => {
      const git = this.#base.withChanges(union.tree, diffs[index] ?? []);
      this.#known.set(
        keyOf(union),
        new CodeTree(git, this.#reader, this.#documents, {
          conflicted: union.conflicted,
          pythonRoots: this.#pythonRoots,
        }),
      );
    });
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
  readonly merge: Merge;
}

/** Up to this number of branches git merges every pair, related or not: it is cheap and the safer answer. */
const allPairsUpTo = 40;

/** The pairs of tips whose text is merged, lower index first. `related` holds the pairs that can meet. */
export function pairsToMerge(count: number, related: Iterable<string>): { a: number; b: number }[] {
  if (count > allPairsUpTo)
    return [...related]
      .map((key) => key.split(' ').map(Number))
      .map(([a = 0, b = 0]) => ({ a, b }))
      .sort((x, y) => x.a - y.a || x.b - y.b);
  return Array.from({ length: count }, (_, a) =>
    Array.from({ length: count - a - 1 }, (__, at) => ({ a, b: a + 1 + at })),
  ).flat();
}

export interface FullUnion {
  readonly tree: string | null;
  /** Tips that are part of it, by index. */
  readonly members: readonly number[];
  /** Tips whose text conflicts only with the union of several others. */
  readonly late: readonly { readonly index: number; readonly merge: Merge }[];
}

/** The union of many tips. Halves are merged level by level, so that git is started log N times. */
export async function mergeMany(
  workspace: Workspace,
  base: { commit: string },
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
    const clean = merges.flatMap((merge) =>
      merge.status === 'clean' ? [{ tree: merge.tree, parent: base.commit }] : [],
    );
    const commits = await commitTrees(workspace.scratch, clean);
    let taken = 0;
    for (const [at, { left, right }] of pairs.entries()) {
      const merge = merges[at];
      if (merge?.status === 'clean')
        next.push({
          commit: commits[taken++] ?? '',
          tree: merge.tree,
          members: [...left.members, ...right.members],
        });
      else {
        // Pairwise clean but not together: keep the larger half and leave the other's members out.
        const [kept, dropped] = left.members.length >= right.members.length ? [left, right] : [right, left];
        next.push(kept);
        for (const index of dropped.members)
          late.push({ index, merge: merge ?? { status: 'failed', reason: 'no answer from git' } });
      }
    }
    if (groups.length % 2 === 1) next.push(groups.at(-1) as (typeof groups)[number]);
    groups = next;
  }
  return { tree: groups[0]?.tree ?? null, members: groups[0]?.members ?? [], late };
}
