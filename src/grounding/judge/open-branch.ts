import { join } from 'node:path';
import { type BaseRules, readBaseRules } from '#gates/definitions/base-rules.ts';
import type { Repository } from '#git/call/repository.ts';
import { historySince, noCommonHistory } from '#git/history/history.ts';
import { ObjectReader } from '#git/objects/object-reader.ts';
import { createScratch, type Scratch } from '#git/objects/scratch.ts';
import { defaultBranch, isWorktreePath, resolveRef } from '#git/refs/refs.ts';
import { filesOfTree } from '#git/trees/files-at.ts';
import { GitTree } from '#git/trees/tree.ts';
import { snapshotWorktree } from '#git/worktrees/snapshot.ts';

export interface BranchRequest {
  readonly repository: Repository;
  readonly branch: string;
  /** null: the repository's default branch. */
  readonly base: string | null;
  readonly cacheDir: string;
  readonly onInterrupt?: (cleanup: () => Promise<void>) => () => void;
}

/** A branch with resolved names: from here on only ids are used. */
export interface OpenBranch {
  readonly repository: Repository;
  readonly scratch: Scratch;
  readonly names: ObjectReader;
  readonly baseRef: string;
  readonly base: string;
  /** Listing of the base commit. */
  readonly tree: GitTree;
  /** Settings and gates of the base commit. */
  readonly rules: BaseRules;
  readonly mergeBase: string;
  readonly tip: string;
  /** Folder of the named worktree; null for a ref. */
  readonly worktree: string | null;
  readonly signal: AbortSignal;
}

/** Opens the named branch and closes it again, also if the process is interrupted. */
export async function withBranch<T>(
  request: BranchRequest,
  body: (open: OpenBranch) => Promise<T>,
): Promise<T> {
  const { repository, cacheDir } = request;
  const scratch = await createScratch(repository, join(cacheDir, 'objects', repository.key));
  const stop = new AbortController();
  const ended = Promise.withResolvers<void>();
  const settled = request.onInterrupt?.(() => {
    stop.abort();
    return ended.promise;
  });
  const names = new ObjectReader(repository.git);
  try {
    return await body(await open(request, scratch, names, stop.signal));
  } finally {
    names.close();
    await scratch.remove();
    ended.resolve();
    settled?.();
  }
}

async function open(
  request: BranchRequest,
  scratch: Scratch,
  names: ObjectReader,
  signal: AbortSignal,
): Promise<OpenBranch> {
  const { repository } = request;
  const baseRef = request.base ?? (await defaultBranch(repository));
  const { commit: base } = await resolveRef(repository, names, baseRef);
  const snapshot = isWorktreePath(request.branch)
    ? await snapshotWorktree(repository, scratch, request.branch)
    : null;
  const tip = snapshot?.commit ?? (await resolveRef(repository, names, request.branch)).commit;
  const mergeBase = (await historySince(scratch.git, base, [tip])).fork(tip)?.mergeBase ?? null;
  if (mergeBase === null) throw noCommonHistory(baseRef, request.branch, repository.isShallow);
  const tree = await GitTree.read(repository.git, base);
  const rules = await readBaseRules(base, filesOfTree(tree, names));
  const worktree = snapshot?.top ?? null;
  return { repository, scratch, names, baseRef, base, tree, rules, mergeBase, tip, worktree, signal };
}
