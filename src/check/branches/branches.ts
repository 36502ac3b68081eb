import { fetchTheRest, GitError } from '#git/call/git-error.ts';
import { type History, historySince, noCommonHistory } from '#git/history/history.ts';
import { commitTree, type Merge, mergePairs } from '#git/merges/unions.ts';
import type { ObjectReader } from '#git/objects/object-reader.ts';
import { compareTrees } from '#git/trees/compare-trees.ts';
import { entangledSides } from '#git/trees/entangled.ts';
import { type Change, directoriesAbove, type GitTree } from '#git/trees/tree.ts';
import type { Branch as ReportedBranch } from '#schema/check-report.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { BranchTip, Workspace } from './branch-tips.ts';

/** What all branches are compared with. */
export interface Base extends BranchTip {
  readonly tree: string;
}

/** A branch as git knows it. */
export interface Branch extends BranchTip {
  readonly tree: string;
  readonly mergeBase: string;
  readonly mergeBaseTree: string;
  /** The oldest commits that base lacks. */
  readonly first: readonly string[];
  /** It has several merge bases with base. */
  readonly isCrissCross: boolean;
  /** Changes since the merge base. */
  readonly changes: readonly Change[];
  readonly state: ReportedBranch['state'];
  /** The branch merged with base, in the form that is compared with the others; null when it does not merge. */
  readonly merged: MergedWithBase | null;
  /** How its text merges with base, when base has moved. */
  readonly baseMerge: Merge | null;
}

interface MergedWithBase {
  readonly commit: string;
  readonly tree: string;
  /** Against base. */
  readonly changes: readonly Change[];
  /** Indexes of the live branches that only git can merge it with; with all others it merges without conflicts, path by path. */
  readonly entangled: ReadonlySet<number>;
}

/** A branch that is compared with the others. */
export type LiveBranch = Branch & { readonly merged: MergedWithBase };

export function isLive(branch: Branch): branch is LiveBranch {
  return branch.state === 'checked' && branch.merged !== null;
}

export async function readBranches(
  workspace: Workspace,
  base: Base,
  baseTree: GitTree,
  named: readonly BranchTip[],
): Promise<{ branches: Branch[]; history: History; unrelated: string[] }> {
  const tips = await Promise.all(named.map((tip) => withTree(workspace, tip)));
  const history = await historySince(
    workspace.scratch.git,
    base.commit,
    tips.map(({ commit }) => commit),
  );
  // A branch that was not typed, such as gh-pages, does not end the check of the others.
  const isUnrelated = ({ commit, isListed }: BranchTip) =>
    isListed === true && !workspace.repository.isShallow && !history.fork(commit)?.mergeBase;
  const related = tips.filter((tip) => !isUnrelated(tip));
  const forked = await describe(workspace, base, related, history);
  return {
    branches: await compareWithBase(workspace, base, baseTree, forked),
    history,
    unrelated: tips.filter(isUnrelated).map(({ ref }) => ref),
  };
}

export async function withTree(workspace: Workspace, named: BranchTip): Promise<Base> {
  return { ...named, tree: await treeOf(workspace, named.commit) };
}

async function treeOf({ objects }: Workspace, commit: string): Promise<string> {
  const header = await objects.header(`${commit}^{tree}`);
  if (!header) {
    throw new GitError('objects-missing', `this clone lacks the tree of commit ${commit.slice(0, 12)}`, {
      exitCode: exitCodes.environment,
      hint: `it is a partial clone; fetch the rest: ${fetchTheRest}, or clone without --filter`,
    });
  }
  return header.id;
}

async function describe(
  workspace: Workspace,
  base: Base,
  tips: readonly Base[],
  history: History,
): Promise<ForkedBranch[]> {
  const { repository } = workspace;
  const forks = tips.map((tip) => {
    const { mergeBase = null, first = [], isCrissCross = false } = history.fork(tip.commit) ?? {};
    if (!mergeBase) throw noCommonHistory(base.ref, tip.ref, repository.isShallow);
    return { ...tip, mergeBase, first, isCrissCross };
  });
  const withTrees = await Promise.all(
    forks.map(async (fork) => ({ ...fork, mergeBaseTree: await treeOf(workspace, fork.mergeBase) })),
  );
  const changes = await compareTrees(
    workspace,
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

/** A branch before the comparison with base. */
type ForkedBranch = Omit<Branch, 'merged'> & { readonly merged: BaseMerge['merged'] };

interface BaseMerge {
  readonly merge: Merge | null;
  readonly merged: { readonly commit: string; readonly tree: string } | null;
}

/** A branch that forked from base's tip is already merged with it; the others are merged once, here. */
async function mergeWithBase(
  { scratch }: Workspace,
  base: Base,
  forks: readonly (Base & { mergeBase: string })[],
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
  fork: Base & { readonly mergeBase: string },
  base: Base,
  changes: readonly Change[],
  merge: BaseMerge | null,
  isDuplicate: boolean,
): ReportedBranch['state'] {
  if (fork.commit === base.commit) return 'empty';
  if (isDuplicate) return 'duplicate';
  if (fork.commit === fork.mergeBase) return 'merged';
  if (changes.length === 0) return 'empty';
  if (merge?.merged?.tree === base.tree) return 'merged';
  return merge?.merged ? 'checked' : 'conflicted';
}

/** What the live branches change against base, and which pairs only git can merge. */
async function compareWithBase(
  workspace: Workspace,
  base: Base,
  baseTree: GitTree,
  branches: readonly ForkedBranch[],
): Promise<Branch[]> {
  const live = branches.flatMap((branch) =>
    branch.state === 'checked' && branch.merged ? [{ ...branch, merged: branch.merged }] : [],
  );
  // A branch that forked from base's tip was compared with it already.
  const isKnown = ({ mergeBaseTree, tree, merged }: (typeof live)[number]) =>
    mergeBaseTree === base.tree && tree === merged.tree;
  const compared = await compareTrees(
    workspace,
    live.map((branch) => [base.tree, isKnown(branch) ? base.tree : branch.merged.tree] as const),
    { renames: true },
  );
  const changes = live.map((branch, index) => (isKnown(branch) ? branch.changes : (compared[index] ?? [])));
  const work = await Promise.all(
    live.map(async (branch, index) => ({
      first: branch.first,
      // Git merges all changes since the fork, including those that base has made too.
      changes: isKnown(branch) ? branch.changes : [...branch.changes, ...(changes[index] ?? [])],
      isUnsure:
        branch.isCrissCross || (!isKnown(branch) && (await hasLostGround(workspace, branch, baseTree))),
    })),
  );
  const entangled = entangledSides(work, baseTree);
  const indexes = new Map(live.map(({ ref }, index) => [ref, index]));
  return branches.map((branch) => {
    const index = indexes.get(branch.ref);
    const merged = branch.merged && {
      ...branch.merged,
      changes: index === undefined ? [] : (changes[index] ?? []),
      entangled: index === undefined ? new Set<number>() : (entangled[index] ?? new Set()),
    };
    return { ...branch, merged };
  });
}

/**
 * Base has deleted a file that the branch changes, or a directory that it adds to. If another branch adds a similar
 * file, git may treat that as the new location.
 */
async function hasLostGround(
  workspace: Workspace,
  { changes, mergeBaseTree }: Pick<Branch, 'changes' | 'mergeBaseTree'>,
  base: GitTree,
): Promise<boolean> {
  const isLost = ({ path, oldPath, before }: Change) =>
    before !== null && base.entry(oldPath ?? path) === undefined;
  if (changes.some(isLost)) return true;
  const added = changes.filter(({ status }) => status === 'added' || status === 'renamed');
  const directories = new Set(added.flatMap(({ path }) => [...directoriesAbove(path)]));
  const absent = [...directories].filter((directory) => !base.isDirectory(directory));
  const earlier = await Promise.all(
    absent.map((directory) => isInTree(workspace.names, mergeBaseTree, directory)),
  );
  return earlier.includes(true);
}

async function isInTree(names: ObjectReader, tree: string, path: string): Promise<boolean> {
  const isAskable = path.isWellFormed() && !path.includes('\n');
  return !isAskable || (await names.header(`${tree}:${path}`)) !== null;
}
