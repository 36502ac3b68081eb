import { resolve } from 'node:path';
import { GitError } from '../git/git-error.ts';
import { mergeBases, noCommonHistory } from '../git/history.ts';
import type { ObjectReader } from '../git/object-reader.ts';
import {
  defaultBranch,
  isWorktreePath,
  listWorktrees,
  resolveCommit,
  unmergedBranches,
} from '../git/refs.ts';
import type { Repository } from '../git/repository.ts';
import type { Scratch } from '../git/scratch.ts';
import { snapshotWorktree } from '../git/snapshot.ts';
import { type Change, diffTrees } from '../git/tree.ts';
import { commitTrees, type Merge, mergePairs } from '../git/unions.ts';
import type { Branch } from '../model/check-report.ts';

/** A commit under the name the person gave it. */
export interface Named {
  readonly ref: string;
  readonly commit: string;
  readonly tree: string;
}

export interface BranchWork extends Named {
  readonly mergeBase: string;
  readonly mergeBaseTree: string;
  /** Changes since the merge base. */
  readonly changes: readonly Change[];
  readonly state: Branch['state'];
  /** The branch merged with base; null when it cannot be. */
  readonly merged: { readonly commit: string; readonly tree: string } | null;
  /** How its text merges with base, when base has moved. */
  readonly baseMerge: Merge | null;
}

export interface Workspace {
  readonly repository: Repository;
  readonly scratch: Scratch;
  /** Resolves names in the user's repository. */
  readonly names: ObjectReader;
  /** Reads objects, our own unions included. */
  readonly objects: ObjectReader;
}

export async function readBranches(
  workspace: Workspace,
  request: {
    readonly base: string | null;
    readonly branches: readonly string[];
    readonly commits?: ReadonlyMap<string, string>;
  },
): Promise<{ base: Named; branches: BranchWork[] }> {
  const { repository } = workspace;
  const baseRef = request.base ?? (await defaultBranch(repository));
  const baseCommit = await commitOf(workspace, baseRef, request.commits);
  const base = { ref: baseRef, commit: baseCommit, tree: await treeOf(workspace, baseCommit) };
  const refs = request.branches.length > 0 ? request.branches : await unmergedWork(workspace, base);
  const tips: Named[] = [];
  for (const ref of new Set(refs)) {
    const commit = await commitOf(workspace, ref, request.commits);
    tips.push({ ref, commit, tree: await treeOf(workspace, commit) });
  }
  return { base, branches: await describe(workspace, base, tips) };
}

/** `known`: what names stood for in an earlier check, which then counts instead of what they stand for now. */
async function commitOf(
  workspace: Workspace,
  ref: string,
  known: ReadonlyMap<string, string> = new Map(),
): Promise<string> {
  const { repository, scratch, names } = workspace;
  const earlier = known.get(ref);
  if (earlier !== undefined && (await names.header(`${earlier}^{commit}`))) return earlier;
  const commit = isWorktreePath(ref)
    ? (await snapshotWorktree(repository, scratch, ref)).commit
    : await resolveCommit(repository, names, ref);
  if (earlier === undefined || earlier === commit) return commit;
  throw new GitError('commit-gone', `${ref} has changed, and what it was (${earlier.slice(0, 12)}) is gone`, {
    hint: 'check again: joinery check',
  });
}

async function treeOf({ objects }: Workspace, commit: string): Promise<string> {
  const header = await objects.header(`${commit}^{tree}`);
  if (!header) {
    throw new GitError('objects-missing', `this clone lacks the tree of commit ${commit.slice(0, 12)}`, {
      exitCode: 5,
      hint: 'it is a partial clone; fetch the rest: git fetch --refetch, or clone without --filter',
    });
  }
  return header.id;
}

/** Every unmerged local branch; a linked worktree with uncommitted work stands for its branch. */
async function unmergedWork(workspace: Workspace, base: Named): Promise<string[]> {
  const { repository, scratch } = workspace;
  const branches = await unmergedBranches(repository, base.commit);
  const replaced = new Map<string, string>();
  const detached: string[] = [];
  for (const worktree of await listWorktrees(repository)) {
    if (worktree.isMain || resolve(worktree.path) === repository.workTree) continue;
    const snapshot = await snapshotWorktree(repository, scratch, worktree.path);
    const branch = worktree.branch?.replace(/^refs\/heads\//, '') ?? null;
    if (branch === null || (snapshot.isDirty && !branches.includes(branch))) detached.push(worktree.path);
    else if (snapshot.isDirty) replaced.set(branch, worktree.path);
  }
  return [
    ...branches.filter((name) => name !== base.ref).map((name) => replaced.get(name) ?? name),
    ...detached.sort(),
  ];
}

async function describe(workspace: Workspace, base: Named, tips: readonly Named[]): Promise<BranchWork[]> {
  const { scratch, repository } = workspace;
  const bases = await mergeBases(
    scratch.git,
    base.commit,
    tips.map(({ commit }) => commit),
  );
  const forks = tips.map((tip) => {
    const mergeBase = bases.get(tip.commit);
    if (!mergeBase) throw noCommonHistory(base.ref, tip.ref, repository.isShallow);
    return { ...tip, mergeBase };
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
  const clean = moved.flatMap((fork, index) => {
    const merge = merges[index];
    return merge?.status === 'clean' ? [{ fork, tree: merge.tree }] : [];
  });
  const commits = await commitTrees(
    scratch,
    clean.map(({ tree }) => ({ tree, parent: base.commit })),
  );
  return forks.map((fork) => {
    if (fork.mergeBase === base.commit)
      return { merge: null, merged: { commit: fork.commit, tree: fork.tree } };
    const at = clean.findIndex((entry) => entry.fork === fork);
    const merged = at >= 0 ? { commit: commits[at] ?? '', tree: clean[at]?.tree ?? '' } : null;
    return { merge: merges[moved.indexOf(fork)] ?? null, merged };
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
