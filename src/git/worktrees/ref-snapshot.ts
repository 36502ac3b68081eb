import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from '#git/call/git.ts';
import type { Repository } from '#git/call/repository.ts';
import { adminEntries } from './worktrees.ts';

/** Where every name of a repository stood at one moment. */
export interface RefSnapshot {
  /** refs/heads/main → object id. Symbolic refs are left out. */
  readonly refs: ReadonlyMap<string, string>;
  /** Symbolic ref → the ref that it is another name for. */
  readonly symbolic: ReadonlyMap<string, string>;
  /** Path of a worktree → its HEAD. */
  readonly heads: ReadonlyMap<string, WorktreeHeadFile>;
}

export interface WorktreeHeadFile {
  readonly gitDir: string;
  /** `ref: refs/heads/main`, or the id of a commit. */
  readonly value: string;
}

/** `git` runs in the repository's own git directory: no worktree is asked. */
export async function readRefSnapshot(repository: Repository, git: Git): Promise<RefSnapshot> {
  const format = '--format=%(refname)%00%(objectname)%00%(symref)';
  const [text, entries] = await Promise.all([git.text(['for-each-ref', format]), adminEntries(repository)]);
  const refs = new Map<string, string>();
  const symbolic = new Map<string, string>();
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const [name = '', id = '', target = ''] = line.split('\0');
    if (target === '') refs.set(name, id);
    else symbolic.set(name, target);
  }
  const { workTree, commonDir } = repository;
  const own = workTree === null ? [] : [{ path: mainOf(repository), dir: commonDir }];
  const heads = await Promise.all(
    [...own, ...entries].map(async ({ path, dir }): Promise<[string, WorktreeHeadFile][]> => {
      const value = await readFile(join(dir, 'HEAD'), 'utf8').catch(() => null);
      return value === null ? [] : [[path, { gitDir: dir, value: value.trim() }]];
    }),
  );
  return { refs, symbolic, heads: new Map(heads.flat()) };
}

/** Joinery may have been started in a linked worktree; the main one has no entry, only the git directory itself. */
function mainOf({ commonDir }: Repository): string {
  return join(commonDir, '..');
}

/** The name itself: what it stands for stays as it is. */
export async function removeSymbolic(git: Git, ref: string): Promise<void> {
  await git.run(['symbolic-ref', '--delete', ref], { accept: [0, 1, 128] });
}

/** Only if it still is what was seen, and with git's own lock, so that no other process writes it meanwhile. */
export async function restoreHead(
  { gitDir, value: seen }: WorktreeHeadFile,
  value: string,
): Promise<boolean> {
  const [head, lock] = [join(gitDir, 'HEAD'), join(gitDir, 'HEAD.lock')];
  try {
    await writeFile(lock, `${value}\n`, { flag: 'wx' });
  } catch {
    return false;
  }
  const isSame = (await readFile(head, 'utf8').catch(() => '')).trim() === seen;
  if (isSame) await rename(lock, head);
  else await rm(lock, { force: true });
  return isSame;
}
