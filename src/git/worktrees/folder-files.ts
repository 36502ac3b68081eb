import { type BigIntStats, lstatSync, readdirSync, realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { GitError } from '#git/call/git-error.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { IgnoreRules } from './ignore-rules.ts';

/** A regular file or a link below a folder. Paths are bytes, held as latin1, so they sort as in git. */
export interface FolderFile {
  readonly path: string;
  readonly stat: BigIntStats;
}

export interface FolderFiles {
  readonly files: readonly FolderFile[];
  /** Files and folders that are ignored; such a folder is not entered. */
  readonly ignored: readonly FolderFile[];
  /** Folders that are separate repositories. */
  readonly nested: readonly string[];
}

export interface Walk {
  /** Null: nothing is ignored. */
  readonly ignore: IgnoreRules | null;
  /** Paths of folders to leave out. */
  readonly except: readonly string[];
  /** Names of folders to leave out at any depth. */
  readonly skips?: readonly string[];
  /** Folders that are not entered and not reported as nested: submodules of the commit. */
  readonly closed?: ReadonlySet<string>;
  /** Paths that count although they are ignored: files, and the folders above them. */
  readonly tracked?: { has(path: string): boolean; isFolder(path: string): boolean };
  /** Gives up: a folder may have millions of files. */
  readonly signal?: AbortSignal;
}

/** A larger file, or one with more patterns, is not a list of files to ignore. */
const mostIgnoreBytes = 1024 * 1024;
const mostPatterns = 5000;
/** Other tasks run and signals are heard at least this often. */
const longestMs = 25;

/**
 * Lists everything below a folder without git: an agent that worked there may have configured programs for git to run. Links are not
 * followed, and the folder must be the one Joinery made, not a link to somewhere else.
 */
export async function listFolder(root: string, walk: Walk): Promise<FolderFiles> {
  assertRealFolder(root);
  const found: Found = { files: [], ignored: [], nested: [] };
  await visit(
    { root, walk, found, rested: performance.now() },
    { path: '', ino: null, isIgnored: false },
    walk.ignore,
  );
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
  /** When other tasks last ran. */
  rested: number;
}

interface Folder {
  readonly path: string;
  /** Inode when it was listed; null for the root. */
  readonly ino: bigint | null;
  /** It is ignored: only tracked files in it count. */
  readonly isIgnored: boolean;
}

async function visit(visited: Visit, open: Folder, outer: IgnoreRules | null): Promise<void> {
  const { root, walk, found } = visited;
  const { path: folder, isIgnored } = open;
  const names = namesIn(root, open);
  const rules = outer && names.includes('.gitignore') ? await withOwn(outer, root, folder) : outer;
  const folders: Folder[] = [];
  for (const name of names) {
    if (performance.now() - visited.rested > longestMs) await rest(visited);
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
  await rest(visited);
}

async function rest(visited: Visit): Promise<void> {
  await setImmediate();
  visited.walk.signal?.throwIfAborted();
  visited.rested = performance.now();
}

/** The path for the file system, which may contain any byte. */
export function pathIn(root: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(root), Buffer.from(`/${path}`, 'latin1')]);
}

/** Throws unless the folder is a real one: neither a link nor below a link. */
export function assertRealFolder(root: string): void {
  const stat = lstatSync(root, { throwIfNoEntry: false });
  if (!stat) throw unreadable(root, 'it is gone');
  if (!stat.isDirectory() || realpathSync.native(root) !== root)
    throw unreadable(root, 'it was replaced by something else');
}

/** Git accepts none of these names in a tree, on any file system. */
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

/** Undefined when the file is gone by now. */
function statOf(root: string, path: string): BigIntStats | undefined {
  try {
    return lstatSync(pathIn(root, path), { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    // A path can be longer than the system accepts.
    throw unreadable(root, `${path.slice(0, 100)}…: ${(error as NodeJS.ErrnoException).code}`);
  }
}

async function withOwn(outer: IgnoreRules, root: string, folder: string): Promise<IgnoreRules> {
  const path = folder === '' ? '.gitignore' : `${folder}/.gitignore`;
  const stat = statOf(root, path);
  // Git does not follow links here either.
  if (!stat?.isFile()) return outer;
  if (stat.size > mostIgnoreBytes) throw unreadable(root, `${path} is larger than ${mostIgnoreBytes} bytes`);
  const rules = outer.with(folder, await readFile(pathIn(root, path), 'latin1'));
  if (rules.patterns > mostPatterns)
    throw unreadable(root, `${path} leads to more than ${mostPatterns} patterns`);
  return rules;
}

export function unreadable(root: string, why: string): GitError {
  return new GitError('unreadable-worktree', `${root} cannot be read: ${why}`, {
    exitCode: exitCodes.environment,
    hint: 'make its files readable, or have git ignore them',
  });
}
