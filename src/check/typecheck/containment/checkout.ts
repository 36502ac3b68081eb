import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import type { Looked } from '#check/cache/looked.ts';
import type { CheckContext } from '#check/context.ts';
import type { Repository } from '#git/call/repository.ts';
import { type LinkedWorktree, listWorktrees } from '#git/refs/refs.ts';
import { foldName, TrackedPaths } from '#git/trees/tracked-paths.ts';
import { stagedPaths } from '#git/worktrees/staged-paths.ts';

/** The checkout on the user's disk, with the packages installed there. */
export interface Checkout {
  /** The checkout whose packages and tools count: the main one, else the current one; null in a bare clone. */
  readonly dir: string | null;
  /** What was looked at on the disk. */
  readonly looked: Pick<Looked, 'note'>;
  /** All worktrees of the repository. */
  readonly worktrees: readonly string[];
  /**
   * Whether this path, relative to the checkout or absolute, or anything below it, belongs to the repository. Such files may be read, but
   * never run: they come from a branch.
   */
  isTracked(path: string): Promise<boolean>;
}

/** `trees` are searched in addition to those of base, of every branch of the check and of every checked-out commit. */
export async function checkoutOf(
  { workspace, base, branches, looked }: CheckContext,
  trees: readonly string[],
): Promise<Checkout> {
  const { repository, objects } = workspace;
  const worktrees = await listWorktrees(repository);
  for (const path of stateOfWorktrees(repository.commonDir)) looked.note(path);
  const found = worktrees.find(({ isMain }) => isMain)?.path ?? repository.workTree;
  const dir = found === null ? null : realpath(found);
  const heads = worktrees.flatMap(({ head }) => (/[^0]/.test(head) ? [`${head}^{tree}`] : []));
  const all = [base.tree, ...branches.map(({ tree }) => tree), ...trees, ...heads];
  const content = new Content(repository, worktrees, new TrackedPaths(objects, repository.objectFormat), all);
  const answers = new Map<string, Promise<boolean>>();
  return {
    dir,
    looked,
    worktrees: worktrees.map(({ path }) => path),
    isTracked(path) {
      const known = answers.get(path) ?? content.has(resolve(dir ?? '/', path));
      answers.set(path, known);
      return known;
    },
  };
}

/** The files that say which worktrees there are, what each has checked out, and what is staged there. */
function stateOfWorktrees(commonDir: string): string[] {
  const linked = join(commonDir, 'worktrees');
  const names = existsSync(linked) ? readdirSync(linked) : [];
  const folders = [commonDir, ...names.map((name) => join(linked, name))];
  return [linked, ...folders.flatMap((dir) => ['HEAD', 'index', 'gitdir'].map((name) => join(dir, name)))];
}

/** The paths that belong to a repository: in trees, and in the indexes of its worktrees. */
class Content {
  readonly #repository: Repository;
  readonly #worktrees: readonly { readonly worktree: LinkedWorktree; readonly root: string }[];
  readonly #tracked: TrackedPaths;
  readonly #trees: readonly string[];
  readonly #staged = new Map<LinkedWorktree, Promise<string[] | null>>();

  constructor(
    repository: Repository,
    worktrees: readonly LinkedWorktree[],
    tracked: TrackedPaths,
    trees: readonly string[],
  ) {
    this.#repository = repository;
    this.#worktrees = worktrees.map((worktree) => ({ worktree, root: realpath(worktree.path) }));
    this.#tracked = tracked;
    this.#trees = trees;
  }

  /** Also true when a link on the path belongs to it, or leads to something that does. */
  async has(absolute: string): Promise<boolean> {
    for (const way of new Set([absolute.replaceAll('\\', '/'), realpath(absolute)])) {
      for (const { worktree, root } of this.#worktrees) {
        const inside = below(root, way) ?? below(worktree.path.replaceAll('\\', '/'), way);
        if (inside !== null && (await this.#hasInside(worktree, inside))) return true;
      }
    }
    return false;
  }

  async #hasInside(worktree: LinkedWorktree, path: string): Promise<boolean> {
    if (await this.#tracked.isTracked(this.#trees, path)) return true;
    const asked = this.#staged.get(worktree) ?? stagedPaths(this.#repository, worktree);
    this.#staged.set(worktree, asked);
    const staged = await asked;
    return staged?.some((each) => overlap(foldName(each), foldName(path))) ?? true;
  }
}

function overlap(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
}

function below(root: string, path: string): string | null {
  const inside = posix.relative(root, path);
  return inside === '' || inside === '..' || inside.startsWith('../') || posix.isAbsolute(inside)
    ? null
    : inside;
}

/** The real path; a path that does not exist is returned unchanged. */
function realpath(path: string): string {
  try {
    return realpathSync.native(path).replaceAll('\\', '/');
  } catch {
    return path.replaceAll('\\', '/');
  }
}
