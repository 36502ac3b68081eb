import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Git } from '#git/call/git.ts';
import { GitError } from '#git/call/git-error.ts';
import type { Repository } from '#git/call/repository.ts';
import type { Scratch } from '#git/objects/scratch.ts';
import { parseMoves, type RefMove } from '#git/refs/reflog.ts';
import { readFoundFile } from '#lib/read-found-file.ts';
import { removeFolder } from '#process/remove-folder.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import { checkoutGit } from './checkout-git.ts';
import type { CheckoutSettings } from './checkout-settings.ts';
import { assertRealFolder } from './folder-files.ts';

export interface WorktreeWanted {
  readonly path: string;
  /** Short name of its branch; null: detached. The branch itself is not moved. */
  readonly branch: string | null;
  readonly commit: string;
  /** Why it is locked, for people who find it. */
  readonly reason: string;
}

/** What worktrees are made from. */
export interface WorktreeSource {
  readonly repository: Repository;
  /** Contains the objects to check out. */
  readonly scratch: Scratch;
  readonly settings: CheckoutSettings;
  /** Called before anything is removed: throws when this process may not remove it. */
  mayRemove?(): Promise<void>;
}

/**
 * Creates a locked worktree at exactly the wanted commit and replaces whatever was there. The repository only registers it: the files come
 * from Joinery's objects and settings.
 */
export async function createWorktree(source: WorktreeSource, wanted: WorktreeWanted): Promise<void> {
  const { repository, scratch, settings } = source;
  await register(source, wanted);
  const entry = await entryOf(repository, wanted.path);
  const git = checkoutGit(scratch, settings, wanted.path, join(entry, 'index'));
  await git.run(['read-tree', '--reset', '-u', wanted.commit]);
  // Created detached and put on the branch afterwards: `-B` would move the branch without checking the fence.
  if (wanted.branch !== null) await writeFile(join(entry, 'HEAD'), `ref: refs/heads/${wanted.branch}\n`);
}

async function register(source: WorktreeSource, { path, commit, reason }: WorktreeWanted): Promise<void> {
  const git = new Git({ cwd: source.repository.commonDir, isDurable: true });
  const locked = `${reason}, at ${path}`;
  const add = ['worktree', 'add', '--quiet', '--detach', '--no-checkout', '--lock', '--reason', locked];
  // The git child of a killed process runs on for a moment and may still be making this worktree.
  for (let tries = 1; ; tries++) {
    await source.mayRemove?.();
    await removeWorktree(source.repository, path);
    // Before git registers it: after a kill the folder leads `worktreesBelow` to an entry that git left half made.
    await mkdir(path, { recursive: true });
    const added = await git.run([...add, '--', path, commit], { accept: [0, 1, 128, 255] });
    if (added.code === 0) return;
    if (tries === 3) throw git.failure(['worktree add'], added);
    await wait(100 * tries);
  }
}

/** The admin entry of a worktree that was just made: its link and the repository must agree about it. */
async function entryOf(repository: Repository, path: string): Promise<string> {
  assertRealFolder(path);
  const link = readFoundFile(join(path, '.git'));
  const entry = await adminEntry(repository, path);
  if (entry !== null && link?.trim() === `gitdir: ${entry}`) return entry;
  throw new GitError('wrong-worktree', `${path} is not the worktree that was made there`, {
    exitCode: exitCodes.environment,
  });
}

export interface WorktreeHead {
  /** Full name of its branch; null when detached. */
  readonly branch: string | null;
  /** Every move of its HEAD, oldest first. */
  readonly moves: readonly RefMove[];
}

/** The HEAD of a worktree and how it got there, from git's files. Null when the worktree is gone. */
export async function readWorktreeHead(repository: Repository, path: string): Promise<WorktreeHead | null> {
  const entry = await adminEntry(repository, path);
  const head = entry === null ? null : readFoundFile(join(entry, 'HEAD'));
  if (entry === null || head === null) return null;
  const log = readFoundFile(join(entry, 'logs', 'HEAD')) ?? '';
  return { branch: /^ref: (.*)$/m.exec(head)?.[1] ?? null, moves: parseMoves(log) };
}

/**
 * Removed without git: git would read files in it to decide what to remove. A link in its place is removed, its target stays; nothing is
 * removed below a link.
 */
export async function removeWorktree(repository: Repository, path: string): Promise<void> {
  const parent = dirname(path);
  const isThere = existsSync(parent);
  if (isThere) assertRealFolder(parent);
  // First: only the folder leads to such an entry, and this process may be killed as well.
  await removeHalfMade(repository, path);
  if (isThere) await removeFolder(path);
  // Looked up only now: another run may already have reused the entry's name.
  const left = await adminEntry(repository, path);
  if (left) await rm(left, { recursive: true, force: true });
  // Git also does this after the last worktree.
  await rmdir(join(repository.commonDir, 'worktrees')).catch(() => {});
}

/** Removes a worktree if this process may. */
export async function discardWorktree(
  { repository, mayRemove }: Pick<WorktreeSource, 'repository' | 'mayRemove'>,
  path: string,
): Promise<void> {
  await mayRemove?.();
  await removeWorktree(repository, path);
}

/** Joinery's worktrees below a folder, registered or not: directly in it, or in the folder of a holder. */
export async function worktreesBelow(repository: Repository, folder: string): Promise<string[]> {
  const registered = (await adminEntries(repository)).map(({ path }) => path);
  const below = registered.filter((path) => path.startsWith(folder + sep));
  const onDisk = await Promise.all((await foldersIn(folder)).map(leavesOf));
  return [...new Set([...onDisk.flat(), ...below])];
}

/** The folder of a holder is not a worktree itself. */
async function leavesOf(folder: string): Promise<string[]> {
  return /^holder-\d+$/.test(basename(folder)) ? foldersIn(folder) : [folder];
}

async function foldersIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).map((name) => join(folder, name));
}

/** Git's admin folder of a linked worktree; null for the main one and for unknown folders. */
export function worktreeGitDir(repository: Repository, path: string): Promise<string | null> {
  return adminEntry(repository, path);
}

async function adminEntry(repository: Repository, path: string): Promise<string | null> {
  return (await adminEntries(repository)).find((entry) => entry.path === path)?.dir ?? null;
}

/**
 * Reads git's files: `worktree list` omits entries that a killed git left half made. An entry that points to a worktree with another name
 * was rewritten: it may belong to a person, so it is not ours to remove.
 */
export async function adminEntries(repository: Repository): Promise<{ dir: string; path: string }[]> {
  const root = join(repository.commonDir, 'worktrees');
  const names = await readdir(root).catch(() => []);
  const entries = names.map((name) => {
    const gitdir = readFoundFile(join(root, name, 'gitdir')) ?? '';
    return { dir: join(root, name), path: dirname(gitdir.trim()) };
  });
  return entries.filter(({ dir, path }) => path !== '.' && isNamedAfter(basename(dir), basename(path)));
}

/** Git appends a number to a name that is taken. */
function isNamedAfter(entry: string, folder: string): boolean {
  return entry.startsWith(folder) && /^\d*$/.test(entry.slice(folder.length));
}

const makingMs = 1000;

/**
 * A git that was killed while it made a worktree leaves an entry without the path of its worktree. Git locks the entry first:
 * the reason it was given tells whose it is. An empty entry was cut off before that, or is being made at this moment.
 */
async function removeHalfMade({ commonDir }: Repository, path: string): Promise<void> {
  const root = join(commonDir, 'worktrees');
  for (const name of await readdir(root).catch(() => [])) {
    if (!isNamedAfter(name, basename(path))) continue;
    const entry = join(root, name);
    const [gitdir = '', locked = ''] = ['gitdir', 'locked'].map(
      (file) => readFoundFile(join(entry, file)) ?? '',
    );
    if (gitdir.trim()) continue;
    if (locked.trimEnd().endsWith(`, at ${path}`)) await rm(entry, { recursive: true, force: true });
    else if (locked === '') await removeEmpty(entry);
  }
}

/** Removes an empty folder that stays empty. */
async function removeEmpty(folder: string): Promise<void> {
  const made = (await stat(folder).catch(() => null))?.mtimeMs ?? 0;
  await wait(Math.max(0, Math.min(makingMs, made + makingMs - Date.now())));
  await rmdir(folder).catch(() => {});
}
