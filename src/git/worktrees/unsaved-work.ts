import { lstatSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Git } from '#git/call/git.ts';
import { GitError } from '#git/call/git-error.ts';
import type { Repository } from '#git/call/repository.ts';
import { isReachableOutside, readName, treeOf, writeCommit } from '#git/merges/branches.ts';
import { createScratch, type Scratch } from '#git/objects/scratch.ts';
import { publish } from '#git/objects/verified-objects.ts';
import { GitTree } from '#git/trees/tree.ts';
import { readFoundFile } from '#lib/read-found-file.ts';
import { readCheckoutSettings, withoutPrograms } from './checkout-settings.ts';
import { FolderReader } from './folder-tree.ts';
import { worktreeGitDir } from './worktrees.ts';

export interface UnsavedWork {
  /** Writes that must last. */
  readonly git: Git;
  readonly repository: Repository;
  /** Folder for temporary objects. */
  readonly scratch: string;
  /** Folders that are not work: dependencies, which a project may have forgotten to ignore. */
  readonly except: readonly string[];
  /** Trees with one of these refs are saved already: `refs/joinery/<run>/`. */
  readonly savedBelow: readonly string[];
}

/**
 * A commit of what a worktree has that no ref reaches: changed and untracked files, and commits on a detached HEAD. Null: nothing. Git does
 * not run there, because a program may have changed its settings. Throws `unreadable-worktree` for what cannot become a commit.
 */
export async function commitUnsaved(work: UnsavedWork, path: string): Promise<string | null> {
  const { git, repository } = work;
  const head = await headOf(repository, git, path);
  const isFolder = lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  const files = isFolder ? await commitFiles(work, realpathSync(path), head) : null;
  if (files !== null || head === null) return files;
  return (await isReachableOutside(git, head, [])) ? null : head;
}

async function headOf(repository: Repository, git: Git, path: string): Promise<string | null> {
  const entry = await worktreeGitDir(repository, path);
  const text = entry === null ? '' : (readFoundFile(join(entry, 'HEAD')) ?? '').trim();
  const name = /^ref: (refs\/\S+)$/.exec(text)?.[1] ?? text;
  return name === '' ? null : readName(git, `${name}^{commit}`);
}

/** Null when a ref has these files already. */
async function commitFiles(work: UnsavedWork, path: string, head: string | null): Promise<string | null> {
  const { git, repository, except, savedBelow } = work;
  const scratch = await createScratch(repository, work.scratch);
  try {
    const tree = await readFiles(scratch, repository, path, head, except);
    if (!(await hasMoreThan(scratch, head === null ? null : await treeOf(git, head), tree))) return null;
    const saved = await git.text(['for-each-ref', '--format=%(tree)', ...savedBelow]);
    if (saved.split('\n').includes(tree)) return null;
    const commit = await writeCommit(scratch.git, {
      tree,
      parents: head === null ? [] : [head],
      message: 'Work that was in a worktree when it was removed',
      at: new Date().toISOString(),
    });
    await publish(scratch.git, git, commit, head === null ? [] : [head]);
    return commit;
  } finally {
    await scratch.remove();
  }
}

/** Missing files alone are no work: a process may have been killed while it made the worktree. */
async function hasMoreThan({ git }: Scratch, before: string | null, tree: string): Promise<boolean> {
  if (before === null) return (await git.text(['ls-tree', tree])) !== '';
  const args = ['diff-tree', '-r', '--no-renames', '--diff-filter=d', '--name-only', before, tree];
  return (await git.text(args)) !== '';
}

async function readFiles(
  scratch: Scratch,
  repository: Repository,
  path: string,
  head: string | null,
  except: readonly string[],
): Promise<string> {
  const base = head === null ? GitTree.of('', '') : await GitTree.read(scratch.git, head);
  const settings = withoutPrograms(await readCheckoutSettings(repository));
  const reader = new FolderReader({ path, scratch, base, settings, except, purpose: 'work' });
  const { tree, nested } = await reader.read();
  const [inner] = nested;
  if (inner === undefined) return tree;
  throw new GitError('unreadable-worktree', `${path} has a repository of its own in ${inner}`);
}
