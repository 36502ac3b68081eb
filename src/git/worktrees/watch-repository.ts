import { existsSync, type FSWatcher, lstatSync, watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Git } from '#git/call/git.ts';
import type { Repository } from '#git/call/repository.ts';
import { refFolders, watchedWorktrees, worktreeFolders } from './watch-places.ts';

export interface RepositoryWatcher {
  /** How changes are detected: `polling` where the system reports no events or has no watch left. */
  readonly way: 'events' | 'polling';
  /**
   * Resolves when something may have changed since the last call, at once if it already has, to the time of the first event. Never resolves
   * after `close`.
   */
  next(): Promise<number>;
  /** Counts the changes in the worktree that contains a path; null when it is not watched. */
  versionOf(path: string): number | null;
  close(): void;
}

interface WatchOptions {
  /** Paths of the named worktrees; null: all linked ones. */
  readonly worktrees: readonly string[] | null;
  readonly isPolling: boolean;
}

/** A save is several events, a commit dozens: they count as one once no more arrive for a moment. */
const quietMs = 40;
const longestMs = 400;
const pollMs = 1000;

/** Detects moved refs and changed files of worktrees. Writes nothing and starts no daemon. */
export async function watchRepository(
  repository: Repository,
  options: WatchOptions,
): Promise<RepositoryWatcher> {
  if (options.isPolling) return poll(repository, options);
  const events = new FolderWatch(repository, options.worktrees);
  try {
    await events.start();
    return events;
  } catch (error) {
    events.close();
    // Linux limits the number of watches.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOSPC' && code !== 'EMFILE') throw error;
    return poll(repository, options);
  }
}

class FolderWatch implements RepositoryWatcher {
  readonly way = 'events';
  readonly #repository: Repository;
  readonly #named: readonly string[] | null;
  readonly #watches = new Map<string, FSWatcher>();
  /** By path of a worktree. */
  readonly #versions = new Map<string, number>();
  #firstSign: number | null = null;
  #lastSign = 0;
  #wake: () => void = () => {};
  #isClosed = false;

  constructor(repository: Repository, named: readonly string[] | null) {
    this.#repository = repository;
    this.#named = named;
  }

  /** The state at the start is not a change. */
  async start(): Promise<void> {
    await this.refresh();
    this.#firstSign = null;
  }

  async next(): Promise<number> {
    // Watch new folders before waiting; whatever happened in them until now counts as a change.
    await this.refresh();
    while (this.#firstSign === null || this.#isClosed) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
    const first = this.#firstSign;
    while (performance.now() - this.#lastSign < quietMs && performance.now() - first < longestMs)
      await wait(quietMs - (performance.now() - this.#lastSign));
    this.#firstSign = null;
    return first;
  }

  /** Watches new folders, each of which counts as a change, and stops watching removed ones. */
  async refresh(): Promise<void> {
    const worktrees = await watchedWorktrees(this.#repository, this.#named);
    const lists = await Promise.all([
      refFolders(this.#repository).then((folders) => folders.map((folder) => [folder, null] as const)),
      ...worktrees.map(async (path) =>
        (await worktreeFolders(path)).map((folder) => [folder, path] as const),
      ),
    ]);
    const wanted = new Map<string, string | null>(lists.flat());
    for (const path of worktrees) if (!this.#versions.has(path)) this.#versions.set(path, 0);
    for (const [path, watcher] of this.#watches) if (!wanted.has(path)) this.#drop(path, watcher);
    for (const [path, worktree] of wanted)
      if (!this.#watches.has(path) && this.#add(path, worktree)) this.#sign(worktree);
  }

  versionOf(path: string): number | null {
    return versionIn(this.#versions, path);
  }

  close(): void {
    this.#isClosed = true;
    for (const [path, watcher] of this.#watches) this.#drop(path, watcher);
  }

  #add(path: string, worktree: string | null): boolean {
    try {
      const watcher = watch(path, () => this.#sign(worktree));
      // The watch of a removed folder ends with an error.
      watcher.on('error', () => this.#drop(path, watcher));
      this.#watches.set(path, watcher);
      return true;
    } catch (error) {
      if (existsSync(path)) throw error;
      return false;
    }
  }

  #drop(path: string, watcher: FSWatcher): void {
    watcher.close();
    this.#watches.delete(path);
  }

  /** `worktree`: where the change was; null: in git's files. */
  #sign(worktree: string | null): void {
    if (worktree !== null) this.#versions.set(worktree, (this.#versions.get(worktree) ?? 0) + 1);
    this.#lastSign = performance.now();
    this.#firstSign ??= this.#lastSign;
    this.#wake();
  }
}

async function poll(repository: Repository, { worktrees }: WatchOptions): Promise<RepositoryWatcher> {
  let seen = await stateOf(repository, worktrees);
  let isClosed = false;
  const versions = new Map([...seen.keys()].filter(isPath).map((path) => [path, 0]));
  return {
    way: 'polling',
    versionOf: (path) => versionIn(versions, path),
    async next() {
      for (;;) {
        const asked = performance.now();
        const state = await stateOf(repository, worktrees);
        const names = [...new Set([...seen.keys(), ...state.keys()])];
        const changed = names.filter((name) => seen.get(name) !== state.get(name));
        seen = state;
        for (const path of changed.filter(isPath)) versions.set(path, (versions.get(path) ?? 0) + 1);
        if (isClosed) return new Promise(() => {});
        if (changed.length > 0) return asked;
        // Poll large repositories less often.
        await wait(Math.max(pollMs, 5 * (performance.now() - asked)));
      }
    },
    close() {
      isClosed = true;
    },
  };
}

function isPath(name: string): boolean {
  return name !== '';
}

function versionIn(versions: ReadonlyMap<string, number>, path: string): number | null {
  const own = [...versions].filter(([worktree]) => path === worktree || path.startsWith(`${worktree}/`));
  const [nearest] = own.sort(([a], [b]) => b.length - a.length);
  return nearest?.[1] ?? null;
}

/** Everything a check depends on, as text: the refs (under the key `''`), and by worktree the files that differ from its commit. */
async function stateOf(
  repository: Repository,
  named: WatchOptions['worktrees'],
): Promise<ReadonlyMap<string, string>> {
  const refs = await repository.git.text(['for-each-ref', '--format=%(refname) %(objectname)']);
  const worktrees = await watchedWorktrees(repository, named);
  const states = worktrees.map(async (path) => [path, await worktreeState(path)] as const);
  return new Map([['', refs], ...(await Promise.all(states))]);
}

async function worktreeState(worktree: string): Promise<string> {
  const git = new Git({ cwd: worktree });
  const { stdout } = await git.run(
    ['status', '--porcelain', '-z', '--branch', '--untracked-files=all', '--ignore-submodules=all'],
    { accept: [0, 128] },
  );
  const rows = stdout.toString('utf8').split('\0');
  const stamps = rows.map((row) => {
    const stat = lstatSync(join(worktree, row.slice(3)), { throwIfNoEntry: false });
    return stat ? `${row} ${stat.mtimeMs} ${stat.size}` : row;
  });
  return stamps.join('\n');
}
