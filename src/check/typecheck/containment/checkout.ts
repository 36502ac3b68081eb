import { realpathSync } from 'node:fs';
import { posix } from 'node:path';
import { listWorktrees } from '#git/refs.ts';
import type { Repository } from '#git/repository.ts';
import type { GitTree } from '#git/tree.ts';

/** A checkout on the user's disk, for what is installed in it. */
export interface Checkout {
  readonly dir: string;
  /** Is this path part of the repository's own content? What is may be read, but never run. */
  isTracked(path: string): boolean;
}

/** The checkout whose packages and tools count: the main one, else the one we are in; null in a bare clone. */
export async function checkoutOf(
  repository: Repository,
  trees: readonly GitTree[],
): Promise<Checkout | null> {
  const main = (await listWorktrees(repository)).find(({ isMain }) => isMain)?.path;
  const found = main ?? repository.workTree;
  if (!found) return null;
  const dir = realpathSync(found);
  return { dir, isTracked: (path) => isTracked(dir, path, trees) };
}

/** Also when a link on the way is tracked, or leads to something that is. */
function isTracked(dir: string, path: string, trees: readonly GitTree[]): boolean {
  const real = realpathSync(posix.join(dir, path)).replaceAll('\\', '/');
  const root = `${dir.replaceAll('\\', '/')}/`;
  const ways = [path, ...(real.startsWith(root) ? [real.slice(root.length)] : [])];
  return ways.some((way) =>
    trees.some((tree) => tree.isDirectory(way) || prefixes(way).some((prefix) => tree.entry(prefix))),
  );
}

function prefixes(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
