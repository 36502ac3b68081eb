import { fetchTheRest, GitError } from '#git/git-error.ts';
import { type History, historySince, noCommonHistory } from '#git/history.ts';
import { type Change, diffTrees } from '#git/tree.ts';
import { commitTree, type Merge, mergePairs } from '#git/unions.ts';
import type { Branch } from '#schema/check-report.ts';
import type { NamedCommit, Workspace } from './named-branches.ts';

export interface Named extends NamedCommit {
  readonly tree: string;
}

export interface BranchWork extends Named {
  readonly mergeBase: string;
  readonly mergeBaseTree: string;
  /** The first of its own commits. */
  readonly first: readonly string[];
  /** It has several merge bases with base. */
  readonly isCrissCross: boolean;
  /** Changes since the merge base. */
  readonly changes: readonly Change[];
  readonly state: Branch['state'];
  /** The branch merged with base; null when it cannot be. */
  readonly merged: { readonly commit: string; readonly tree: string } | null;
  /** How its text merges with base, when base has moved. */
  readonly baseMerge: Merge | null;
}

export async function readBranches(
  workspace: Workspace,
  named: { readonly base: NamedCommit; readonly tips: readonly NamedCommit[] },
): Promise<{ base: Named; branches: BranchWork[]; history: History }> {
  const base = await withTree(workspace, named.base);
  const tips = await Promise.all(named.tips.map((tip) => withTree(workspace, tip)));
  const history = await historySince(
    workspace.scratch.git,
    base.commit,
    tips.map(({ commit }) => commit),
  );
  return { base, branches: await describe(workspace, base, tips, history), history };
}

async function withTree(workspace: Workspace, named: NamedCommit): Promise<Named> {
  return { ...named, tree: await treeOf(workspace, named.commit) };
}

async function treeOf({ objects }: Workspace, commit: string): Promise<string> {
  const header = await objects.header(`${commit}^{tree}`);
  if (!header) {
    throw new GitError('objects-missing', `this clone lacks the tree of commit ${commit.slice(0, 12)}`, {
      exitCode: 5,
      hint: `it is a partial clone; fetch the rest: ${fetchTheRest}, or clone without --filter`,
    });
  }
  return header.id;
}

async function describe(
  workspace: Workspace,
  base: Named,
  tips: readonly Named[],
  history: History,
): Promise<BranchWork[]> {
  const { scratch, repository } = workspace;
  const forks = tips.map((tip) => {
    const { mergeBase = null, first = [], isCrissCross = false } = history.fork(tip.commit) ?? {};
    if (!mergeBase) throw noCommonHistory(base.ref, tip.ref, repository.isShallow);
    return { ...tip, mergeBase, first, isCrissCross };
  });
  const withTrees = await Promise.all(
    forks.map(async (fork) => ({ ...fork, mergeBaseTree: await treeOf(workspace, fork.mergeBase) })),
  );
  const changes = await diffTrees(
    scratch.git,
    withTrees.map(({ mergeBaseTree, tree }) => [mergeBaseTree, tree] as const),
    { renames: true },
  );
  const merges = await mergeWithBase(workspace, base, withTrees);
  const seen = new Set<string>();
  return withTrees.map((fork, index) => {
    const merge = merges[index] ?? null;
    const own = changes[index] ?? [];
    const isDuplicate = seen.has(fork.commit);
    seen.add(fork.commit);
    const state = stateOf(fork, base, own, merge, isDuplicate);
    return { ...fork, changes: own, state, baseMerge: merge?.merge ?? null, merged: merge?.merged ?? null };
  });
}

interface BaseMerge {
  readonly merge: Merge | null;
  readonly merged: { readonly commit: string; readonly tree: string } | null;
}

/** A branch that forked from base's tip is already merged with it; the others are merged once, here. */
async function mergeWithBase(
  { scratch }: Workspace,
  base: Named,
  forks: readonly (Named & { mergeBase: string })[],
): Promise<BaseMerge[]> {
  const moved = forks.filter((fork) => fork.mergeBase !== base.commit);
  const merges = await mergePairs(
    scratch.git,
    moved.map(({ commit }) => [base.commit, commit] as const),
  );
  const mergeOf = new Map(moved.map((fork, index) => [fork, merges[index] ?? null]));
  return forks.map((fork) => {
    if (fork.mergeBase === base.commit)
      return { merge: null, merged: { commit: fork.commit, tree: fork.tree } };
    const merge = mergeOf.get(fork) ?? null;
    if (merge?.status !== 'clean') return { merge, merged: null };
    return {
      merge,
      merged: { commit: commitTree(scratch, merge.tree, [base.commit, fork.commit]), tree: merge.tree },
    };
  });
}

function stateOf(
  fork: Named & { readonly mergeBase: string },
  base: Named,
  changes: readonly Change[],
  merge: BaseMerge | null,
  isDuplicate: boolean,
): Branch['state'] {
  if (fork.commit === base.commit) return 'empty';
  if (isDuplicate) return 'duplicate';
  if (fork.commit === fork.mergeBase) return 'merged';
  if (changes.length === 0) return 'empty';
  if (merge?.merged?.tree === base.tree) return 'merged';
  return merge?.merged ? 'checked' : 'conflicted';
}
