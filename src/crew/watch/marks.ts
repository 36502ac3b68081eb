import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Git } from '#git/git.ts';
import type { Repository } from '#git/repository.ts';
import { readWorktreeHead, worktreeGitDir } from '#git/worktrees.ts';

/** Path → size, time and mode: enough to see that something was changed, and nothing is read or written for it. */
export type Marks = ReadonlyMap<string, string>;

export interface CheckoutMarks {
  /** Of everything that differs from its commit. Null when git cannot tell, which must not look like a change. */
  readonly files: Marks | null;
  /** Of git's own settings and hooks. */
  readonly settings: Marks;
}

export async function marksOfCheckout(
  { workTree, commonDir }: Repository,
  except: readonly string[],
): Promise<CheckoutMarks> {
  const checkout = workTree === null ? [] : await changesIn(new Git({ cwd: workTree }), workTree, except);
  return { files: checkout && new Map(checkout), settings: new Map(marksOfGit(commonDir)) };
}

/** Of everything in a worktree that differs from its commit, and of where it stands. Null when git cannot tell. */
export async function marksOfWorktree(
  repository: Repository,
  path: string,
  except: readonly string[],
): Promise<Marks | null> {
  const [gitDir, head] = await Promise.all([
    worktreeGitDir(repository, path),
    readWorktreeHead(repository, path),
  ]);
  if (gitDir === null || head === null || !existsSync(path)) return new Map([['all of it', 'gone']]);
  const git = new Git({ cwd: path, env: { GIT_DIR: gitDir, GIT_WORK_TREE: path } });
  const changes = await changesIn(git, path, except);
  if (changes === null) return null;
  return new Map([
    ...changes,
    ['.git', markOf(join(path, '.git'))],
    ['HEAD', `${head.branch} ${head.moves.length}`],
  ]);
}

/** None when either is not known: nobody is blamed for what git could not tell. */
export function pathsBetween(before: Marks | null, after: Marks | null): string[] {
  if (before === null || after === null) return [];
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
}

/** What differs from the commit, new and ignored files included; an ignored folder counts as one thing. */
async function changesIn(
  git: Git,
  workTree: string,
  except: readonly string[],
): Promise<[string, string][] | null> {
  const { stdout, code } = await git.run(
    ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=all', '--ignored=matching'],
    { accept: [0, 128] },
  );
  if (code !== 0) return null;
  return stdout
    .toString('utf8')
    .split('\0')
    .map((entry) => ({ status: entry.slice(0, 2), path: entry.slice(3) }))
    .filter(({ path }) => path !== '' && !except.some((folder) => isBelow(path, folder)))
    .map(({ status, path }) => [path, `${status} ${markOf(join(workTree, path))}`]);
}

/** Dependency folders, wherever they lie, are taken over by hard links: others may touch them. */
function isBelow(path: string, folder: string): boolean {
  return `/${path}/`.includes(`/${folder}/`);
}

/** What makes git run programs: nobody's work, and it would run as whoever uses git next. */
function marksOfGit(commonDir: string): [string, string][] {
  const hooks = existsSync(join(commonDir, 'hooks')) ? readdirSync(join(commonDir, 'hooks')) : [];
  return ['config', 'config.worktree', 'info/attributes', ...hooks.map((name) => `hooks/${name}`)].map(
    (path) => [`.git/${path}`, markOf(join(commonDir, path))],
  );
}

function markOf(path: string): string {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat ? `${stat.size} ${stat.mtimeMs} ${stat.mode}` : '';
}
