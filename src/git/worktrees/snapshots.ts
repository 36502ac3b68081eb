import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Repository } from '#git/call/repository.ts';
import { createScratch, type Scratch } from '#git/objects/scratch.ts';
import { listWorktrees } from '#git/refs/refs.ts';
import { type Snapshot, snapshotWorktree } from '#git/worktrees/snapshot.ts';
import { worktreeGitDir } from '#git/worktrees/worktrees.ts';

/** Snapshots of worktrees; each worktree is read once. */
export interface Snapshots {
  /** The object folder with the commits, unless a check stores them in its scratch. */
  readonly objectsDir: string | null;
  take(path: string): Promise<Snapshot>;
}

/** For one check: a worktree that is read twice gives the same snapshot both times. */
export function snapshotsIn(repository: Repository, scratch: Scratch): Snapshots {
  const taken = new Map<string, Promise<Snapshot>>();
  return {
    objectsDir: null,
    take(path) {
      const known = taken.get(path) ?? snapshotWorktree(repository, scratch, path);
      taken.set(path, known);
      return known;
    },
  };
}

interface Kept {
  readonly snapshot: Snapshot;
  /** Version of the worktree when reading its files started. */
  readonly version: number;
}

/** The store is emptied after this many snapshots. */
const mostKept = 500;

/** For a series of checks: a worktree is read again only when something in it changed or its HEAD moved. */
export class SnapshotMemory {
  readonly #repository: Repository;
  readonly #parent: string;
  readonly #versionOf: (path: string) => number | null;
  readonly #kept = new Map<string, Kept>();
  #scratch: Scratch | null = null;
  #taken = 0;

  /** `versionOf` counts changes below a path; null: the path is not watched. */
  constructor(repository: Repository, parent: string, versionOf: (path: string) => number | null) {
    this.#repository = repository;
    this.#parent = parent;
    this.#versionOf = versionOf;
  }

  /** For the next check. */
  async next(): Promise<Snapshots> {
    if (this.#taken > mostKept) await this.remove();
    const scratch = this.#scratch ?? (await createScratch(this.#repository, this.#parent));
    this.#scratch = scratch;
    const worktrees = await listWorktrees(this.#repository);
    const heads = new Map(worktrees.map(({ path, head }) => [path, head]));
    const known = snapshotsIn(this.#repository, scratch);
    return {
      objectsDir: scratch.objectsDir,
      take: async (path) => {
        const folder = resolve(this.#repository.from, path);
        const version = this.#versionOf(folder);
        const kept = this.#kept.get(folder);
        if (kept && kept.version === version && heads.get(kept.snapshot.top) === kept.snapshot.head)
          return kept.snapshot;
        await gitIsDone(this.#repository, folder);
        const snapshot = await known.take(path);
        scratch.own.write();
        this.#taken++;
        if (version !== null) this.#kept.set(folder, { snapshot, version });
        return snapshot;
      },
    };
  }

  async remove(): Promise<void> {
    await this.#scratch?.remove();
    this.#scratch = null;
    this.#kept.clear();
    this.#taken = 0;
  }
}

/** A lock that is older may have been left behind. */
const longestCheckoutMs = 10_000;

/** While git checks out files, those that it has not written yet look deleted. A new worktree has no index at first. */
async function gitIsDone(repository: Repository, folder: string): Promise<void> {
  const dir = (await worktreeGitDir(repository, folder)) ?? repository.commonDir;
  const isBusy = () => existsSync(join(dir, 'index.lock')) || !existsSync(join(dir, 'index'));
  for (const since = performance.now(); isBusy() && performance.now() - since < longestCheckoutMs; )
    await wait(20);
}
