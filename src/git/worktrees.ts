import { existsSync, realpathSync } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Git } from './git.ts';
import { GitError } from './git-error.ts';
import type { Repository } from './repository.ts';
import type { RunRefs } from './run-refs.ts';
import { stageAll } from './stage-all.ts';

export interface WorktreeWanted {
  readonly path: string;
  /** Short name of the branch, made or moved to `from`. */
  readonly branch: string;
  readonly from: string;
  /** Why it is locked, for people who find it. */
  readonly reason: string;
}

/** A worktree on its branch at exactly the wanted commit, locked; what lay there before is gone. */
export async function createWorktree(
  repository: Repository,
  refs: RunRefs,
  wanted: WorktreeWanted,
): Promise<void> {
  await mkdir(dirname(wanted.path), { recursive: true });
  await refs.set(`refs/heads/${wanted.branch}`, wanted.from);
  const git = new Git({ cwd: repository.commonDir, isDurable: true });
  const add = ['worktree', 'add', '--quiet', '--detach', '--lock', '--reason', wanted.reason];
  // A killed process leaves its git child running for a moment, which may still be making this worktree.
  for (let tries = 1; ; tries++) {
    await removeWorktree(repository, wanted.path);
    const added = await git.run([...add, '--', wanted.path, wanted.from], { accept: [0, 1, 128, 255] });
    if (added.code === 0) break;
    if (tries === 3) throw GitError.fromRun(['worktree add'], added);
    await wait(100 * tries);
  }
  // Made without the branch and put on it afterwards: `-B` would move the branch behind the fence's back.
  await new Git({ cwd: wanted.path }).run(['symbolic-ref', 'HEAD', `refs/heads/${wanted.branch}`]);
  await verifyWorktree(wanted);
}

/** A worktree on no branch, locked, for us alone to look at a commit. The caller removes it. */
export async function createDetachedWorktree(
  repository: Repository,
  path: string,
  commit: string,
  reason: string,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await removeWorktree(repository, path);
  const git = new Git({ cwd: repository.commonDir });
  await git.run(['worktree', 'add', '--quiet', '--detach', '--lock', '--reason', reason, '--', path, commit]);
}

/** What git says about the folder, compared with what was asked for: neither base nor folder is taken on trust. */
async function verifyWorktree(wanted: WorktreeWanted): Promise<void> {
  const git = new Git({ cwd: wanted.path });
  const text = await git.text(['rev-parse', '--show-toplevel', 'HEAD', '--symbolic-full-name', 'HEAD']);
  const [top = '', head = '', branch = ''] = text.split('\n');
  const found = { folder: realpathSync(resolve(top)), head, branch };
  const expected = {
    folder: realpathSync(wanted.path),
    head: wanted.from,
    branch: `refs/heads/${wanted.branch}`,
  };
  for (const key of ['folder', 'head', 'branch'] as const) {
    if (found[key] !== expected[key]) {
      throw new GitError(
        'wrong-worktree',
        `${wanted.path} has ${key} ${found[key]}, expected ${expected[key]}`,
        {
          exitCode: 5,
        },
      );
    }
  }
}

/** True when the worktree is there, on its branch, at the commit, with nothing changed but ignored files. */
export async function isPristine(repository: Repository, wanted: WorktreeWanted): Promise<boolean> {
  const entry = await adminEntry(repository, wanted.path);
  const link = await readFile(join(wanted.path, '.git'), 'utf8').catch(() => null);
  // A link that leads elsewhere is the work of whoever was here before: git is not run behind it.
  if (!entry || link?.trim() !== `gitdir: ${entry}`) return false;
  try {
    await verifyWorktree(wanted);
    return (await new Git({ cwd: wanted.path }).text(['status', '--porcelain'])) === '';
  } catch {
    return false;
  }
}

export type WorktreeReading =
  | { readonly status: 'read'; readonly tree: string }
  /** Whoever worked in it made it impossible to read. */
  | { readonly status: 'unreadable'; readonly reason: string };

/**
 * The tree of everything in the worktree that is not ignored. Folders in `except` are left out: dependencies we put
 * there ourselves, which a project may have forgotten to ignore. Whatever lies in the worktree under the name `.git`
 * by now is not asked: it may lead to another repository with programs in its config.
 */
export async function readWorktree(
  repository: Repository,
  path: string,
  except: readonly string[],
): Promise<WorktreeReading> {
  const entry = await adminEntry(repository, path);
  if (!entry || !existsSync(path)) return { status: 'unreadable', reason: 'its worktree is gone' };
  const env = { GIT_DIR: entry, GIT_WORK_TREE: path };
  const git = new Git({ cwd: path, env, isDurable: true });
  const { failed } = await stageAll(git, except);
  if (!failed) return { status: 'read', tree: await git.text(['write-tree']) };
  if (!/permission denied/i.test(failed.stderr)) throw GitError.fromRun(['add'], failed);
  return { status: 'unreadable', reason: failed.stderr.split('\n')[0] ?? '' };
}

/** Whoever works there may have told git to look less closely. */
export const thorough: readonly (readonly [string, string])[] = [
  ['core.trustctime', 'true'],
  ['core.checkStat', 'default'],
  ['core.ignoreStat', 'false'],
  ['core.sparseCheckout', 'false'],
  ...(process.platform === 'win32' ? [] : ([['core.fileMode', 'true']] as const)),
];

/**
 * Whether files of an index are marked as not to be looked at (`assume-unchanged`, `skip-worktree`): a change to them
 * would not be seen.
 */
export async function hidesChanges(git: Git): Promise<boolean> {
  const { stdout } = await git.run(['ls-files', '-v', '-z']);
  return /(?:^|\0)[a-zS] /.test(stdout.toString('latin1'));
}

/**
 * The worktree as if it had just been made at the commit: whatever else lies in it goes, ignored files too, except
 * for these folders. What somebody left lying about must not decide over what is tried there.
 */
export async function restoreWorktree(
  repository: Repository,
  path: string,
  commit: string,
  except: readonly string[],
): Promise<void> {
  const entry = await adminEntry(repository, path);
  if (!entry)
    throw new GitError('not-a-worktree', `${path} is not a worktree of this repository`, { exitCode: 5 });
  const git = new Git({ cwd: path, config: thorough, env: { GIT_DIR: entry, GIT_WORK_TREE: path } });
  if (await hidesChanges(git)) await rm(join(entry, 'index'), { force: true });
  // Not `reset`: whatever branch is checked out there by now, it must not move.
  await git.run(['read-tree', '--reset', '-u', commit]);
  const kept = except.flatMap((folder) => ['-e', `/${folder}`]);
  await git.run(['clean', '--force', '--force', '-d', '-x', '--quiet', ...kept]);
}

export interface WorktreeHead {
  /** Full name of the branch it is on; null when it is on none. */
  readonly branch: string | null;
  /** Every move of its HEAD, the oldest first: `commit: …`, `checkout: moving from … to …`. */
  readonly moves: readonly { readonly from: string; readonly to: string; readonly what: string }[];
}

/** Where a worktree stands and how it got there, from git's own files. Null when it is gone. */
export async function readWorktreeHead(repository: Repository, path: string): Promise<WorktreeHead | null> {
  const entry = await adminEntry(repository, path);
  const head = entry === null ? null : await readFile(join(entry, 'HEAD'), 'utf8').catch(() => null);
  if (entry === null || head === null) return null;
  const log = await readFile(join(entry, 'logs', 'HEAD'), 'utf8').catch(() => '');
  const moves = log.split('\n').flatMap((line) => {
    const [ids = '', what] = line.split('\t');
    const [from = '', to = ''] = ids.split(' ');
    return what === undefined ? [] : [{ from, to, what }];
  });
  return { branch: /^ref: (.*)$/m.exec(head)?.[1] ?? null, moves };
}

export async function removeWorktree(repository: Repository, path: string): Promise<void> {
  const git = new Git({ cwd: repository.commonDir });
  if (existsSync(path)) {
    // Unregistered, half-made or damaged ones are refused by git: the folder is ours, so it goes either way.
    await git.run(['worktree', 'remove', '--force', '--force', '--', path], { accept: [0, 1, 128, 255] });
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  }
  // Looked up only now: the name of an entry that git has removed may already be another run's.
  const left = await adminEntry(repository, path);
  if (left) await rm(left, { recursive: true, force: true });
}

/** Worktrees of ours below a folder, registered or not. */
export async function worktreesBelow(repository: Repository, folder: string): Promise<string[]> {
  const onDisk = (await readdir(folder).catch(() => [])).map((name) => join(folder, name));
  const registered = (await adminEntries(repository)).map(({ path }) => path);
  const below = registered.filter((path) => path.startsWith(folder + sep));
  return [...new Set([...onDisk, ...below])];
}

/** Where git keeps what it knows about a linked worktree; null for the main one and for strangers. */
export function worktreeGitDir(repository: Repository, path: string): Promise<string | null> {
  return adminEntry(repository, path);
}

async function adminEntry(repository: Repository, path: string): Promise<string | null> {
  return (await adminEntries(repository)).find((entry) => entry.path === path)?.dir ?? null;
}

/** Read from git's own files: `worktree list` leaves out entries that a killed git left half made. */
async function adminEntries(repository: Repository): Promise<{ dir: string; path: string }[]> {
  const root = join(repository.commonDir, 'worktrees');
  const names = await readdir(root).catch(() => []);
  const entries = await Promise.all(
    names.map(async (name) => {
      const gitdir = await readFile(join(root, name, 'gitdir'), 'utf8').catch(() => '');
      return { dir: join(root, name), path: dirname(gitdir.trim()) };
    }),
  );
  return entries.filter(({ path }) => path !== '.');
}
