import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Git } from '#git/call/git.ts';
import type { Repository } from '#git/call/repository.ts';
import { listWorktrees } from '#git/refs/refs.ts';

/** Git's folders with refs: a change of a file in them may move a ref. */
export async function refFolders({ commonDir }: Repository): Promise<string[]> {
  const trees = ['refs', 'reftable'].map((name) => join(commonDir, name));
  const worktrees = join(commonDir, 'worktrees');
  const below = await Promise.all(trees.map((folder) => foldersBelow(folder, () => false)));
  const entries = (await subfolders(worktrees)).map((name) => join(worktrees, name));
  return [commonDir, ...below.flat(), worktrees, ...entries];
}

/** Folders of a worktree whose files count: no ignored folders and no nested repositories. */
export async function worktreeFolders(worktree: string): Promise<string[]> {
  const git = new Git({ cwd: worktree });
  const { stdout } = await git.run(
    ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'],
    { accept: [0, 128] },
  );
  const ignored = new Set(
    stdout
      .toString('utf8')
      .split('\0')
      .filter((path) => path.endsWith('/'))
      .map((path) => join(worktree, path.slice(0, -1))),
  );
  return foldersBelow(worktree, (path, name) => name === '.git' || ignored.has(path));
}

/** Worktrees whose uncommitted work is part of a check: the named ones; null: all but the main one. */
export async function watchedWorktrees(
  repository: Repository,
  named: readonly string[] | null,
): Promise<string[]> {
  const worktrees = await listWorktrees(repository);
  if (named === null)
    return worktrees.flatMap(({ path, isMain }) => (isMain || path === repository.workTree ? [] : [path]));
  const isWithin = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);
  return worktrees.map(({ path }) => path).filter((path) => named.some((name) => isWithin(name, path)));
}

async function foldersBelow(
  folder: string,
  isLeftOut: (path: string, name: string) => boolean,
): Promise<string[]> {
  const found: string[] = [];
  const open = [folder];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    found.push(next);
    const parent = next;
    for (const name of await subfolders(parent)) {
      const path = join(parent, name);
      if (!isLeftOut(path, name)) open.push(path);
    }
  }
  return found;
}

/** Empty for a folder that is gone. Links are not followed. */
async function subfolders(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}
