import { statSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from '#git/call/git.ts';
import { GitError } from '#git/call/git-error.ts';
import type { Repository } from '#git/call/repository.ts';
import { readFoundFile } from '#lib/read-found-file.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import { adminEntries } from './worktrees.ts';

/** The values of all refs of a repository at one moment. */
export interface RefSnapshot {
  /** refs/heads/main → object id. Symbolic refs are left out. */
  readonly refs: ReadonlyMap<string, string>;
  /** Symbolic ref → its target ref. */
  readonly symbolic: ReadonlyMap<string, string>;
  /** Path of a worktree → its HEAD. */
  readonly heads: ReadonlyMap<string, WorktreeHeadFile>;
}

export interface WorktreeHeadFile {
  readonly gitDir: string;
  /** `ref: refs/heads/main`, or the id of a commit. */
  readonly value: string;
}

/** `git` runs in the repository's git directory, so no settings of a worktree apply. */
export async function readRefSnapshot(repository: Repository, git: Git): Promise<RefSnapshot> {
  assertPlainFiles(repository);
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
  const heads = [...own, ...entries].flatMap(({ path, dir }): [string, WorktreeHeadFile][] => {
    const value = readFoundFile(join(dir, 'HEAD'));
    return value === null ? [] : [[path, { gitDir: dir, value: value.trim() }]];
  });
  return { refs, symbolic, heads: new Map(heads) };
}

/** Git waits forever for a pipe that was put in the place of one of these. */
function assertPlainFiles({ commonDir }: Repository): void {
  for (const name of ['HEAD', 'config', 'packed-refs']) {
    const stat = statSync(join(commonDir, name), { throwIfNoEntry: false });
    if (stat === undefined || stat.isFile()) continue;
    throw new GitError('damaged-repository', `${join(commonDir, name)} is no longer a file`, {
      exitCode: exitCodes.environment,
      hint: 'another program replaced it: restore it, then: joinery resume',
    });
  }
}

/** Joinery may have been started in a linked worktree; the main one has no entry of its own, only the git directory. */
function mainOf({ commonDir }: Repository): string {
  return join(commonDir, '..');
}

/** Removes the name itself; its target stays. */
export async function removeSymbolic(git: Git, ref: string): Promise<void> {
  await git.run(['symbolic-ref', '--delete', ref], { accept: [0, 1, 128] });
}

/** Only if it still has the seen value, and with git's lock, so that no other process writes it at the same time. */
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
  const isSame = readFoundFile(head)?.trim() === seen;
  if (isSame) await rename(lock, head);
  else await rm(lock, { force: true });
  return isSame;
}
