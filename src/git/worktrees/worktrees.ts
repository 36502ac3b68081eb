import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Git } from '#git/call/git.ts';
import { GitError } from '#git/call/git-error.ts';
import type { Repository } from '#git/call/repository.ts';
import type { Scratch } from '#git/objects/scratch.ts';
import { parseMoves, type RefMove } from '#git/refs/reflog.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import { checkoutGit } from './checkout-git.ts';
import type { CheckoutSettings } from './checkout-settings.ts';
import { assertRealFolder } from './folder-files.ts';

export interface WorktreeWanted {
  readonly path: string;
  /** Short name of the branch it is on; null: on none. The branch itself is not moved. */
  readonly branch: string | null;
  readonly commit: string;
  /** Why it is locked, for people who find it. */
  readonly reason: string;
}

/** Where worktrees come from. */
export interface WorktreeSource {
  readonly repository: Repository;
  /** Has the objects that are checked out. */
  readonly scratch: Scratch;
  readonly settings: CheckoutSettings;
  /** Asked before anything is removed: throws when it is not for us to remove. */
  mayRemove?(): Promise<void>;
}

/**
 * A worktree at exactly the wanted commit, locked; what lay there before is gone. The repository only gets to know of
 * it: the files are written from objects and by settings of our own.
 */
export async function createWorktree(source: WorktreeSource, wanted: WorktreeWanted): Promise<void> {
  const { repository, scratch, settings } = source;
  await mkdir(dirname(wanted.path), { recursive: true });
  await register(source, wanted);
  const entry = await entryOf(repository, wanted.path);
  const git = checkoutGit(scratch, settings, wanted.path, join(entry, 'index'));
  await git.run(['read-tree', '--reset', '-u', wanted.commit]);
  // Made without the branch and put on it afterwards: `-B` would move the branch behind the fence's back.
  if (wanted.branch !== null) await writeFile(join(entry, 'HEAD'), `ref: refs/heads/${wanted.branch}\n`);
}

async function register(source: WorktreeSource, { path, commit, reason }: WorktreeWanted): Promise<void> {
  const git = new Git({ cwd: source.repository.commonDir, isDurable: true });
  const add = ['worktree', 'add', '--quiet', '--detach', '--no-checkout', '--lock', '--reason', reason];
  // A killed process leaves its git child running for a moment, which may still be making this worktree.
  for (let tries = 1; ; tries++) {
    await source.mayRemove?.();
    await removeWorktree(source.repository, path);
    const added = await git.run([...add, '--', path, commit], { accept: [0, 1, 128, 255] });
    if (added.code === 0) return;
    if (tries === 3) throw GitError.fromRun(['worktree add'], added);
    await wait(100 * tries);
  }
}

/** Of a worktree that was made this moment: its own link and the repository have to agree about it. */
async function entryOf(repository: Repository, path: string): Promise<string> {
  assertRealFolder(path);
  const link = await readFile(join(path, '.git'), 'utf8');
  const entry = await adminEntry(repository, path);
  if (entry !== null && link.trim() === `gitdir: ${entry}`) return entry;
  throw new GitError('wrong-worktree', `${path} is not the worktree that was made there`, {
    exitCode: exitCodes.environment,
  });
}

export interface WorktreeHead {
  /** Full name of the branch it is on; null when it is on none. */
  readonly branch: string | null;
  /** Every move of its HEAD, the oldest first. */
  readonly moves: readonly RefMove[];
}

/** Where a worktree stands and how it got there, from git's own files. Null when it is gone. */
export async function readWorktreeHead(repository: Repository, path: string): Promise<WorktreeHead | null> {
  const entry = await adminEntry(repository, path);
  const head = entry === null ? null : await readFile(join(entry, 'HEAD'), 'utf8').catch(() => null);
  if (entry === null || head === null) return null;
  const log = await readFile(join(entry, 'logs', 'HEAD'), 'utf8').catch(() => '');
  return { branch: /^ref: (.*)$/m.exec(head)?.[1] ?? null, moves: parseMoves(log) };
}

/**
 * By our own hand: git would ask files in it what to remove. A link in its place goes, what it leads to stays; below a
 * link nothing is removed.
 */
export async function removeWorktree(repository: Repository, path: string): Promise<void> {
  const parent = dirname(path);
  if (existsSync(parent)) {
    assertRealFolder(parent);
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  }
  // Looked up only now: the name of an entry that is gone may already be another run's.
  const left = await adminEntry(repository, path);
  if (left) await rm(left, { recursive: true, force: true });
  await removeHollow(repository, basename(path));
  // As git does behind the last one.
  await rmdir(join(repository.commonDir, 'worktrees')).catch(() => {});
}

/** Removes a worktree unless it is not for us to remove. */
export async function discardWorktree(
  { repository, mayRemove }: Pick<WorktreeSource, 'repository' | 'mayRemove'>,
  path: string,
): Promise<void> {
  await mayRemove?.();
  await removeWorktree(repository, path);
}

/** Worktrees of ours below a folder, registered or not: they lie in it, or in that of a holder. */
export async function worktreesBelow(repository: Repository, folder: string): Promise<string[]> {
  const registered = (await adminEntries(repository)).map(({ path }) => path);
  const below = registered.filter((path) => path.startsWith(folder + sep));
  const onDisk = await Promise.all((await foldersIn(folder)).map(leavesOf));
  return [...new Set([...onDisk.flat(), ...below])];
}

/** The folder of a holder is no worktree itself. */
async function leavesOf(folder: string): Promise<string[]> {
  return /^holder-\d+$/.test(basename(folder)) ? foldersIn(folder) : [folder];
}

async function foldersIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).map((name) => join(folder, name));
}

/** Where git keeps what it knows about a linked worktree; null for the main one and for strangers. */
export function worktreeGitDir(repository: Repository, path: string): Promise<string | null> {
  return adminEntry(repository, path);
}

async function adminEntry(repository: Repository, path: string): Promise<string | null> {
  return (await adminEntries(repository)).find((entry) => entry.path === path)?.dir ?? null;
}

/**
 * Read from git's own files: `worktree list` leaves out entries that a killed git left half made. An entry that says it
 * is of a worktree it was not named after was rewritten: it may be a person's, and is not ours to take away.
 */
export async function adminEntries(repository: Repository): Promise<{ dir: string; path: string }[]> {
  const root = join(repository.commonDir, 'worktrees');
  const names = await readdir(root).catch(() => []);
  const entries = await Promise.all(
    names.map(async (name) => {
      const gitdir = await readFile(join(root, name, 'gitdir'), 'utf8').catch(() => '');
      return { dir: join(root, name), path: dirname(gitdir.trim()) };
    }),
  );
  return entries.filter(({ dir, path }) => path !== '.' && isNamedAfter(basename(dir), basename(path)));
}

/** Git puts a number behind a name that is taken. */
function isNamedAfter(entry: string, folder: string): boolean {
  return entry.startsWith(folder) && /^\d*$/.test(entry.slice(folder.length));
}

const hollowMs = 10_000;

/** A git that was killed while it made a worktree leaves an empty entry, which nothing else removes. */
async function removeHollow({ commonDir }: Repository, name: string): Promise<void> {
  const root = join(commonDir, 'worktrees');
  for (const entry of await readdir(root).catch(() => [])) {
    if (!isNamedAfter(entry, name)) continue;
    const found = await stat(join(root, entry)).catch(() => null);
    // One that is being made this moment is empty too. What is not empty stays.
    if (found && Date.now() - found.mtimeMs > hollowMs) await rmdir(join(root, entry)).catch(() => {});
  }
}
