import { resolve } from 'node:path';
import { nearest } from '#lib/nearest.ts';
import { GitError } from './git-error.ts';
import type { ObjectReader } from './object-reader.ts';
import type { Repository } from './repository.ts';

export interface LinkedWorktree {
  readonly path: string;
  readonly head: string;
  /** Full name of the checked-out branch; null when detached. */
  readonly branch: string | null;
  readonly isMain: boolean;
}

/** A path starts with `.` or `/` (or a drive letter on Windows); anything else is a ref first. */
export function isWorktreePath(argument: string): boolean {
  return /^(\.|\/|[A-Za-z]:[\\/])/.test(argument) && !/^\.\.?[^./\\]/.test(argument);
}

/** The commit a name stands for; an unknown name gets the nearest known one as a hint. */
export async function resolveCommit(
  repository: Repository,
  names: ObjectReader,
  ref: string,
): Promise<string> {
  const known = repository.commits.get(ref);
  if (known !== undefined) return known;
  const header = ref === '' ? null : await names.header(`${ref}^{commit}`);
  if (header) return header.id;
  const meant = nearest(ref, await refNames(repository));
  throw new GitError('unknown-ref', `there is no branch, tag or commit named ${JSON.stringify(ref)}`, {
    hint: meant ? `did you mean ${meant}?` : 'list branches with: git branch --all',
  });
}

async function refNames(repository: Repository, pattern: readonly string[] = []): Promise<string[]> {
  const text = await repository.git.text(['for-each-ref', '--format=%(refname:short)', ...pattern]);
  return text === '' ? [] : text.split('\n');
}

/** The branch others merge into: the remote's HEAD, else init.defaultBranch, main, master, else the checked-out branch. */
export async function defaultBranch(repository: Repository): Promise<string> {
  const heads = new Set(await refNames(repository, ['refs/heads']));
  const remoteHead = await repository.git.run(['symbolic-ref', '--short', '-q', 'refs/remotes/origin/HEAD'], {
    accept: [0, 1, 128],
  });
  const remote = remoteHead.stdout.toString('utf8').trim();
  const configured = await repository.git.run(['config', '--get', 'init.defaultBranch'], { accept: [0, 1] });
  const wanted = [
    remote.replace(/^origin\//, ''),
    configured.stdout.toString('utf8').trim(),
    'main',
    'master',
    'trunk',
  ];
  const found = wanted.find((name) => name !== '' && heads.has(name));
  if (found) return found;
  if (remote !== '') return remote;
  const current = await repository.git.run(['symbolic-ref', '--short', '-q', 'HEAD'], {
    accept: [0, 1, 128],
  });
  const branch = current.stdout.toString('utf8').trim();
  if (heads.has(branch)) return branch;
  throw new GitError('no-base', 'this repository has no default branch to compare with', {
    hint: 'name the base: joinery check --base <rev>',
  });
}

/** Local branches with commits that base does not have, oldest name order. */
export function unmergedBranches(repository: Repository, baseCommit: string): Promise<string[]> {
  return refNames(repository, [`--no-merged=${baseCommit}`, 'refs/heads']);
}

export async function listWorktrees(repository: Repository): Promise<LinkedWorktree[]> {
  const { stdout } = await repository.git.run(['worktree', 'list', '--porcelain', '-z']);
  const records = stdout
    .toString('utf8')
    .split('\0\0')
    .filter((record) => record.trim() !== '');
  return records.flatMap((record, index) => {
    const fields = new Map(record.split('\0').map((line) => splitOnce(line)));
    const path = fields.get('worktree');
    if (path === undefined || fields.has('bare') || fields.has('prunable')) return [];
    return [
      {
        path: resolve(path),
        head: fields.get('HEAD') ?? '',
        branch: fields.get('branch') ?? null,
        isMain: index === 0,
      },
    ];
  });
}

function splitOnce(line: string): [string, string] {
  const at = line.indexOf(' ');
  return at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1)];
}
