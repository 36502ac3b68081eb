import { type BigIntStats, existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Repository } from '#git/call/repository.ts';
import type { CheckoutSettings } from '#git/worktrees/checkout-settings.ts';
import { type FolderFile, listFolder } from '#git/worktrees/folder-files.ts';
import { IgnoreRules } from '#git/worktrees/ignore-rules.ts';
import { readWorktreeHead, worktreeGitDir } from '#git/worktrees/worktrees.ts';

/** Path → size, times and mode: enough to notice a change without reading or writing anything. */
export type Marks = ReadonlyMap<string, string>;

export interface CheckoutMarks {
  /** Marks of all files; an ignored folder counts as one. Null if they cannot be listed, which must not look like a change. */
  readonly files: Marks | null;
  /** Marks of git's settings and hooks. */
  readonly settings: Marks;
}

const allOfIt = 'all of it';

/** Does not ask git: an agent that can write there can give it programs to run. */
export async function marksOfCheckout(
  { workTree, commonDir }: Repository,
  { excludes }: CheckoutSettings,
  except: readonly string[],
): Promise<CheckoutMarks> {
  const ignore = IgnoreRules.from([excludes.repository, excludes.user]);
  const files = workTree === null ? new Map() : await marksBelow(workTree, ignore, except);
  return { files, settings: new Map(marksOfGit(commonDir)) };
}

/** Marks of everything in a worktree, and of its HEAD. Null if unknown. */
export async function marksOfWorktree(
  repository: Repository,
  path: string,
  except: readonly string[],
): Promise<Marks | null> {
  const [gitDir, head] = await Promise.all([
    worktreeGitDir(repository, path),
    readWorktreeHead(repository, path),
  ]);
  if (gitDir === null || head === null || !existsSync(path)) return new Map([[allOfIt, 'gone']]);
  const files = await marksBelow(path, null, except);
  if (files === null) return null;
  return new Map([
    ...files,
    ['.git', markOf(join(path, '.git'))],
    ['HEAD', `${head.branch} ${head.moves.length}`],
    ...entryFiles.map((name): [string, string] => [name, markOf(join(gitDir, name))]),
  ]);
}

/** Empty if either is unknown: no task is blamed on incomplete evidence. */
export function pathsBetween(before: Marks | null, after: Marks | null): string[] {
  if (before === null || after === null) return [];
  if (after.has(allOfIt) && !before.has(allOfIt)) return [allOfIt];
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
}

async function marksBelow(
  root: string,
  ignore: IgnoreRules | null,
  except: readonly string[],
): Promise<Marks | null> {
  try {
    const { files, ignored } = await listFolder(root, { ignore, except: [], skips: except });
    const mark = ({ path, stat }: FolderFile): [string, string] => [
      `${Buffer.from(path, 'latin1').toString('utf8')}${stat.isDirectory() ? '/' : ''}`,
      signOf(stat),
    ];
    return new Map([...files, ...ignored].map(mark));
  } catch {
    return null;
  }
}

/** Where git looks up a worktree: redirected, it would run other programs there. */
const entryFiles = ['commondir', 'gitdir', 'config.worktree'];

/** Settings that make git run programs: never part of the work, and they would run for the next user of git. */
function marksOfGit(commonDir: string): [string, string][] {
  const names = (folder: string) =>
    existsSync(join(commonDir, folder)) ? readdirSync(join(commonDir, folder)) : [];
  const hooks = names('hooks').map((name) => `hooks/${name}`);
  return ['config', 'config.worktree', 'info/attributes', ...hooks].map((path) => [
    `.git/${path}`,
    markOf(join(commonDir, path)),
  ]);
}

function markOf(path: string): string {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stat ? signOf(stat) : '';
}

/** No program can set `ctime` back. */
function signOf({ size, mtimeNs, ctimeNs, mode }: BigIntStats): string {
  return `${size} ${mtimeNs} ${ctimeNs} ${mode}`;
}
