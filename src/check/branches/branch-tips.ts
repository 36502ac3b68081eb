import { resolve } from 'node:path';
import { GitError } from '#git/call/git-error.ts';
import type { Repository } from '#git/call/repository.ts';
import type { ObjectReader } from '#git/objects/object-reader.ts';
import type { Scratch } from '#git/objects/scratch.ts';
import {
  branchesByDate,
  defaultBranch,
  isRefPattern,
  isWorktreePath,
  listWorktrees,
  matchingBranches,
  resolveRef,
  unmergedBranches,
} from '#git/refs/refs.ts';
import type { Snapshots } from '#git/worktrees/snapshots.ts';

/** A commit under the name the person gave it. */
export interface BranchTip {
  readonly ref: string;
  readonly commit: string;
  /** Not typed: one of the unmerged branches, or matches a pattern. */
  readonly isListed?: boolean;
}

export interface Workspace {
  readonly repository: Repository;
  readonly scratch: Scratch;
  /** Resolves names in the user's repository. */
  readonly names: ObjectReader;
  /** Reads objects, our own unions included. */
  readonly objects: ObjectReader;
}

/** Naming branches also reads worktrees. */
export type NamingWorkspace = Workspace & { readonly snapshots: Snapshots };

/** Commits that names resolved to in an earlier check; used instead of what they resolve to now. */
type Known = ReadonlyMap<string, string> | undefined;

/** What branches are compared with: the one that was named, else the repository's default branch. */
export async function nameBase(
  workspace: NamingWorkspace,
  { base, commits }: { readonly base: string | null; readonly commits?: Known },
): Promise<BranchTip> {
  const ref = base ?? (await defaultBranch(workspace.repository));
  return tipOf(workspace, ref, commits);
}

/** Resolves the names of branches; without names, all unmerged work. */
export async function nameTips(
  workspace: NamingWorkspace,
  base: BranchTip,
  { branches, commits }: { readonly branches: readonly string[]; readonly commits?: Known },
): Promise<BranchTip[]> {
  return (await nameNewestTips(workspace, base, { branches, newest: null, ...(commits && { commits }) }))
    .tips;
}

/** The same; of the branches that were not typed only the `newest` by date of their last commit. `older`: how many are left out. */
export async function nameNewestTips(
  workspace: NamingWorkspace,
  base: BranchTip,
  wanted: {
    readonly branches: readonly string[];
    readonly commits?: Known;
    readonly newest: number | null;
  },
): Promise<{ readonly tips: BranchTip[]; readonly older: number }> {
  const { branches, commits, newest } = wanted;
  const named =
    branches.length > 0 ? await expand(workspace, base, branches) : await unmergedWork(workspace, base);
  const typed = new Set(branches);
  const listed = new Set(named.filter((ref) => !typed.has(ref) && !isWorktreePath(ref)));
  const old = await olderThanNewest(workspace, listed, newest);
  const refs = named.filter((ref) => !old.has(ref));
  const tips: BranchTip[] = [];
  for (const ref of new Set(refs)) {
    const tip = await tipOf(workspace, ref, commits, listed.has(ref));
    tips.push(typed.has(ref) ? tip : { ...tip, isListed: true });
  }
  return { tips, older: old.size };
}

async function olderThanNewest(
  { repository }: Workspace,
  refs: ReadonlySet<string>,
  newest: number | null,
): Promise<ReadonlySet<string>> {
  if (newest === null || refs.size <= newest) return new Set();
  const byDate = await branchesByDate(repository);
  return new Set(byDate.filter((ref) => refs.has(ref)).slice(newest));
}

/** Patterns (`feat/*`) become the unmerged branches they match, without base itself. */
async function expand(
  { repository }: Workspace,
  base: BranchTip,
  branches: readonly string[],
): Promise<string[]> {
  const expanded: string[] = [];
  for (const ref of branches) {
    if (isRefPattern(ref)) expanded.push(...(await matchingBranches(repository, base.commit, ref)));
    else expanded.push(ref);
  }
  return expanded;
}

async function tipOf(
  workspace: NamingWorkspace,
  ref: string,
  known: Known,
  isListed = false,
): Promise<BranchTip> {
  const { repository, snapshots, names } = workspace;
  const isThere = async (commit: string) => (await names.header(`${commit}^{commit}`)) !== null;
  const earlier = known?.get(ref);
  if (earlier !== undefined && (await isThere(earlier))) return { ref, commit: earlier };
  const tip = isWorktreePath(ref)
    ? { ref, commit: (await snapshots.take(ref)).commit }
    : await resolveRef(repository, names, ref, isListed);
  const before = known?.get(tip.ref);
  if (before === undefined || before === tip.commit) return tip;
  if (await isThere(before)) return { ref: tip.ref, commit: before };
  throw new GitError('commit-gone', `${ref} has changed, and what it was (${before.slice(0, 12)}) is gone`, {
    hint: 'check again: joinery check',
  });
}

/** What `integrate` or a run merged: the branches in it are listed themselves. */
function isIntegration(name: string): boolean {
  return /^joinery\/[^/]+\/integration$/.test(name);
}

/** Every unmerged local branch; a linked worktree with uncommitted work replaces its branch. */
async function unmergedWork(workspace: NamingWorkspace, base: BranchTip): Promise<string[]> {
  const { repository, snapshots } = workspace;
  const branches = (await unmergedBranches(repository, base.commit)).filter((name) => !isIntegration(name));
  const replaced = new Map<string, string>();
  const detached: string[] = [];
  for (const worktree of await listWorktrees(repository)) {
    if (worktree.isMain || resolve(worktree.path) === repository.workTree) continue;
    const snapshot = await snapshots.take(worktree.path);
    const branch = worktree.branch?.replace(/^refs\/heads\//, '') ?? null;
    if (branch === null || (snapshot.isDirty && !branches.includes(branch))) detached.push(worktree.path);
    else if (snapshot.isDirty) replaced.set(branch, worktree.path);
  }
  return [
    ...branches.filter((name) => name !== base.ref).map((name) => replaced.get(name) ?? name),
    ...detached.sort(),
  ];
}
