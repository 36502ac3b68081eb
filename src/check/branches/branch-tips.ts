import { resolve } from 'node:path';
import { GitError } from '#git/git-error.ts';
import type { ObjectReader } from '#git/object-reader.ts';
import { defaultBranch, isWorktreePath, listWorktrees, resolveCommit, unmergedBranches } from '#git/refs.ts';
import type { Repository } from '#git/repository.ts';
import type { Scratch } from '#git/scratch.ts';
import { snapshotWorktree } from '#git/snapshot.ts';

/** A commit under the name the person gave it. */
export interface BranchTip {
  readonly ref: string;
  readonly commit: string;
}

export interface Workspace {
  readonly repository: Repository;
  readonly scratch: Scratch;
  /** Resolves names in the user's repository. */
  readonly names: ObjectReader;
  /** Reads objects, our own unions included. */
  readonly objects: ObjectReader;
}

/** What names stood for in an earlier check, which then counts instead of what they stand for now. */
type Known = ReadonlyMap<string, string> | undefined;

/** What branches are compared with: the one that was named, else the repository's default branch. */
export async function nameBase(
  workspace: Workspace,
  { base, commits }: { readonly base: string | null; readonly commits?: Known },
): Promise<BranchTip> {
  const ref = base ?? (await defaultBranch(workspace.repository));
  return { ref, commit: await commitOf(workspace, ref, commits) };
}

/** What the names of branches stand for now; without names, all unmerged work. */
export async function nameTips(
  workspace: Workspace,
  base: BranchTip,
  { branches, commits }: { readonly branches: readonly string[]; readonly commits?: Known },
): Promise<BranchTip[]> {
  const refs = branches.length > 0 ? branches : await unmergedWork(workspace, base);
  const tips: BranchTip[] = [];
  for (const ref of new Set(refs)) tips.push({ ref, commit: await commitOf(workspace, ref, commits) });
  return tips;
}

async function commitOf(workspace: Workspace, ref: string, known: Known): Promise<string> {
  const { repository, scratch, names } = workspace;
  const earlier = known?.get(ref);
  if (earlier !== undefined && (await names.header(`${earlier}^{commit}`))) return earlier;
  const commit = isWorktreePath(ref)
    ? (await snapshotWorktree(repository, scratch, ref)).commit
    : await resolveCommit(repository, names, ref);
  if (earlier === undefined || earlier === commit) return commit;
  throw new GitError('commit-gone', `${ref} has changed, and what it was (${earlier.slice(0, 12)}) is gone`, {
    hint: 'check again: joinery check',
  });
}

/** Every unmerged local branch; a linked worktree with uncommitted work stands for its branch. */
async function unmergedWork(workspace: Workspace, base: BranchTip): Promise<string[]> {
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
