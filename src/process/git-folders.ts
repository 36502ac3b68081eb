import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';

/**
 * The folders in which git keeps the history of a tree, read without git: the shared one, which programs of the work may read so that
 * `git log` and `git diff` work, and those it borrows objects from. Empty for a tree without git.
 */
export function gitFolders(tree: string): string[] {
  const own = join(tree, '.git');
  const found = statSync(own, { throwIfNoEntry: false });
  if (found === undefined) return [];
  if (found.isDirectory()) return [own, ...borrowed(own)];
  // `gitdir: /home/me/shop/.git/worktrees/one`. The work may have changed it: only what git itself links back counts.
  const linked = /^gitdir: (.+)$/m.exec(read(own))?.[1]?.trim();
  if (linked === undefined) return [];
  const folder = realOf(resolve(tree, linked));
  if (folder === null || realOf(read(join(folder, 'gitdir')).trim()) !== realOf(own)) return [];
  const common = resolve(folder, read(join(folder, 'commondir')).trim() || '.');
  if (dirname(folder) !== join(common, 'worktrees')) return [];
  return [common, ...borrowed(common)];
}

function borrowed(common: string): string[] {
  return read(join(common, 'objects', 'info', 'alternates'))
    .split('\n')
    .filter((path) => isAbsolute(path) && existsSync(join(path, 'pack')));
}

function realOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
