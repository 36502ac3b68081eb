import { type BigIntStats, lstatSync, readdirSync, realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { GitError } from '#git/call/git-error.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { IgnoreRules } from './ignore-rules.ts';

/** A regular file or a link below a folder. Paths are bytes, held as latin1: so they sort as git sorts them. */
export interface FolderFile {
  readonly path: string;
  readonly stat: BigIntStats;
}

export interface FolderFiles {
  readonly files: readonly FolderFile[];
  /** Files and folders that are ignored; such a folder is not entered. */
  readonly ignored: readonly FolderFile[];
  /** Folders that are repositories of their own. */
  readonly nested: readonly string[];
}

export interface Walk {
  /** Null: everything is looked at. */
  readonly ignore: IgnoreRules | null;
  /** Folders that are left out. */
  readonly except: readonly string[];
  /** Folders that are left out wherever they are. */
  readonly skips?: readonly string[];
  /** Folders that are not entered, and are no trouble either: submodules of the commit. */
  readonly closed?: ReadonlySet<string>;
  /** What counts although it is ignored: paths of files, and of the folders above them. */
  readonly tracked?: { has(path: string): boolean; isFolder(path: string): boolean };
}

/** More than this is no list of files to ignore. */
const mostIgnoreBytes = 1024 * 1024;

/**
 * Everything below a folder, read without git: an agent that worked there may have configured programs for git to run. Links are not
 * followed, and the folder itself has to be the one we made, not a link to somewhere else.
 */
export async function listFolder(root: string, walk: Walk): Promise<FolderFiles> {
  assertRealFolder(root);
  const found: Found = { files: [], ignored: [], nested: [] };
  await visit({ root, walk, found }, { path: '', ino: null, isIgnored: false }, walk.ignore);
  return found;
}

interface Found {
  readonly files: FolderFile[];
  readonly ignored: FolderFile[];
  readonly nested: string[];
}

interface Visit {
  readonly root: string;
  readonly walk: Walk;
  readonly found: Found;
}

interface Folder {
  readonly path: string;
  /** What it was when it was looked at; null for the top. */
  readonly ino: bigint | null;
  /** It is ignored: only what is tracked counts in it. */
  readonly isIgnored: boolean;
}

async function visit(visited: Visit, open: Folder, outer: IgnoreRules | null): Promise<void> {
  const { root, walk, found } = visited;
  const { path: folder, isIgnored } = open;
  const names = namesIn(root, open);
  const rules = outer && names.includes('.gitignore') ? await withOwn(outer, root, folder) : outer;
  const folders: Folder[] = [];
  for (const name of names) {
    const path = folder === '' ? name : `${folder}/${name}`;
    if (isGitName(name)) {
      if (folder !== '') found.nested.push(folder);
      continue;
    }
    if (walk.except.includes(Buffer.from(path, 'latin1').toString('utf8'))) continue;
    const stat = statOf(root, path);
    const isFolder = stat?.isDirectory() ?? false;
    if (!stat || !(isFolder || stat.isFile() || stat.isSymbolicLink())) continue;
    const leftOut = isIgnored || (rules?.ignores(path, isFolder) ?? false);
    if (isFolder && (walk.closed?.has(path) || walk.skips?.some((each) => `/${path}`.endsWith(`/${each}`))))
      continue;
    if (isFolder && leftOut && !walk.tracked?.isFolder(path)) found.ignored.push({ path, stat });
    else if (isFolder) folders.push({ path, ino: stat.ino, isIgnored: leftOut });
    else (!leftOut || walk.tracked?.has(path) ? found.files : found.ignored).push({ path, stat });
  }
  for (const next of folders) await visit(visited, next, rules);
  // Other tasks are at work meanwhile.
  await setImmediate();
}

/** As it is to be called for the file system: any byte may be in it. */
export function pathIn(root: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(root), Buffer.from(`/${path}`, 'latin1')]);
}

/** A folder where we made it: neither a link nor below one. */
export function assertRealFolder(root: string): void {
  const stat = lstatSync(root, { throwIfNoEntry: false });
  if (!stat) throw unreadable(root, 'it is gone');
  if (!stat.isDirectory() || realpathSync.native(root) !== root)
    throw unreadable(root, 'it was replaced by something else');
}

/** Git takes none of these into a tree, on any file system. */
function isGitName(name: string): boolean {
  return /^(\.git|git~1)[. ]*$/i.test(name);
}

function namesIn(root: string, { path, ino }: Folder): string[] {
  try {
    const names = readdirSync(path === '' ? root : pathIn(root, path), { encoding: 'latin1' });
    // A process that still writes there may have replaced it with a link since the check.
    if (ino !== null && statOf(root, path)?.ino !== ino)
      throw unreadable(root, `${path} changed while it was read`);
    return names.sort();
  } catch (error) {
    if (error instanceof GitError) throw error;
    throw unreadable(root, (error as Error).message);
  }
}

/** Undefined for what has gone since. */
function statOf(root: string, path: string): BigIntStats | undefined {
  return lstatSync(pathIn(root, path), { bigint: true, throwIfNoEntry: false });
}

async function withOwn(outer: IgnoreRules, root: string, folder: string): Promise<IgnoreRules> {
  const path = folder === '' ? '.gitignore' : `${folder}/.gitignore`;
  const stat = statOf(root, path);
  // Git follows no link here either.
  if (!stat?.isFile()) return outer;
  if (stat.size > mostIgnoreBytes) throw unreadable(root, `${path} is larger than ${mostIgnoreBytes} bytes`);
  return outer.with(folder, await readFile(pathIn(root, path), 'latin1'));
}

export function unreadable(root: string, why: string): GitError {
  return new GitError('unreadable-worktree', `${root} cannot be read: ${why}`, {
    exitCode: exitCodes.environment,
    hint: 'make its files readable, or have git ignore them',
  });
}
