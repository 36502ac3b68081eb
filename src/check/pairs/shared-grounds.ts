import type { CheckContext } from '#check/context.ts';
import { commitTree, mergePairs } from '#git/merges/unions.ts';
import { compareTrees } from '#git/trees/compare-trees.ts';
import type { Change } from '#git/trees/tree.ts';

/** A tree, and the tree that its changes are counted from. */
interface Since {
  readonly ground: string;
  readonly tree: string;
}

/** What branches share beyond base. Pairs and surveys ask the same questions: git answers each of them once. */
export class SharedGrounds {
  readonly #context: Pick<CheckContext, 'workspace' | 'base' | 'history'>;
  /** By merge bases. */
  readonly #trees = new Map<string, string>();
  readonly #changes = new Map<string, readonly Change[]>();

  constructor(context: Pick<CheckContext, 'workspace' | 'base' | 'history'>) {
    this.#context = context;
  }

  /** The tree of the commits that two branches share, and base, merged as git merges several merge bases. */
  async between(a: { readonly commit: string }, b: { readonly commit: string }): Promise<string> {
    const bases = this.#context.history.mergeBases(a.commit, b.commit);
    const key = bases.join(' ');
    const tree = this.#trees.get(key) ?? (await this.#merge(bases));
    this.#trees.set(key, tree);
    return tree;
  }

  async #merge(bases: readonly string[]): Promise<string> {
    const { workspace, base } = this.#context;
    const { git } = workspace.scratch;
    const [first = base.commit, ...others] = bases;
    let commit = first;
    let tree = await git.text(['rev-parse', '--verify', '--end-of-options', `${first}^{tree}`]);
    for (const other of others) {
      const [merge] = await mergePairs(git, [[commit, other]]);
      // Where they do not merge, each side has resolved the conflict in its own way.
      if (merge?.status !== 'clean') return base.tree;
      tree = merge.tree;
      commit = commitTree(workspace.scratch, tree, [commit, other]);
    }
    return tree;
  }

  /** The changes of each tree since its ground. One git process for all that are not known yet. */
  async changes(wanted: readonly Since[]): Promise<(readonly Change[])[]> {
    const open = new Map(
      wanted.flatMap((since) => (this.#changes.has(keyOf(since)) ? [] : [[keyOf(since), since]])),
    );
    const found = await compareTrees(
      this.#context.workspace,
      [...open.values()].map(({ ground, tree }) => [ground, tree] as const),
      { renames: true },
    );
    for (const [index, key] of [...open.keys()].entries()) this.#changes.set(key, found[index] ?? []);
    return wanted.map((since) => this.#changes.get(keyOf(since)) ?? []);
  }
}

function keyOf({ ground, tree }: Since): string {
  return `${ground} ${tree}`;
}
