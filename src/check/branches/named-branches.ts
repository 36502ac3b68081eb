import { resolve } from 'node:path';
import { GitError } from '#git/git-error.ts';
import type { ObjectReader } from '#git/object-reader.ts';
import { defaultBranch, isWorktreePath, listWorktrees, resolveCommit, unmergedBranches } from '#git/refs.ts';
import type { Repository } from '#git/repository.ts';
import type { Scratch } from '#git/scratch.ts';
import { snapshotWorktree } from '#git/snapshot.ts';

/** A commit under the name the person gave it. */
export interface NamedCommit {
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

/** What the names of a request stand for now; without names, all unmerged work. */
export async function nameBranches(
  workspace: Workspace,
  request: {
    readonly base: string | null;
    readonly branches: readonly string[];
    readonly commits?: ReadonlyMap<string, string>;
  },
): Promise<{ base: NamedCommit; tips: NamedCommit[] }> {
  const baseRef = request.base ?? (await defaultBranch(workspace.repository));
  const base = { ref: baseRef, commit: await commitOf(workspace, baseRef, request.commits) };
  const refs = request.branches.length > 0 ? request.branches : await unmergedWork(workspace, base);
  const tips: NamedCommit[] = [];
  for (const ref of new Set(refs))
    tips.push({ ref, commit: await commitOf(workspace, ref, request.commits) });
  return { base, tips };
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

/** Every unmerged local branch; a linked worktree with uncommitted work stands for its branch. */
async function unmergedWork(workspace: Workspace, base: NamedCommit): Promise<string[]> {
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
