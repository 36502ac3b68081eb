import { mkdirSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Repository } from '#git/call/repository.ts';
import { isAlive, type Scratch } from '#git/objects/scratch.ts';
import { readCheckoutSettings } from '#git/worktrees/checkout-settings.ts';
import { createWorktree, removeWorktree } from '#git/worktrees/worktrees.ts';

export interface OwnWorktree {
  readonly repository: Repository;
  /** Lends its objects. */
  readonly scratch: Scratch;
  /** Joinery's folder, where worktrees of killed processes are found again. */
  readonly folder: string;
  readonly commit: string;
  /** Shown by `git worktree list` meanwhile. */
  readonly reason: string;
  /** Installs the dependencies. */
  provide(worktree: string): Promise<unknown>;
}

let counter = 0;

/** Checks out a commit into a temporary worktree, and removes it again. */
export async function withOwnWorktree<T>(
  { repository, scratch, folder, commit, reason, provide }: OwnWorktree,
  body: (path: string) => Promise<T>,
): Promise<T> {
  mkdirSync(join(folder, 'worktrees'), { recursive: true });
  // Git records real paths.
  const all = realpathSync(join(folder, 'worktrees'));
  await removeAbandoned(repository, all);
  const path = join(all, `${process.pid}-${commit.slice(0, 12)}-${Date.now().toString(36)}${counter++}`);
  try {
    const settings = await readCheckoutSettings(repository);
    await createWorktree({ repository, scratch, settings }, { path, branch: null, commit, reason });
    await provide(path);
    return await body(path);
  } finally {
    await removeWorktree(repository, path);
  }
}

/** Removes the worktrees of killed processes. */
async function removeAbandoned(repository: Repository, folder: string): Promise<void> {
  for (const name of readdirSync(folder)) {
    if (!isAlive(Number(name.split('-')[0]))) await removeWorktree(repository, join(folder, name));
  }
}
