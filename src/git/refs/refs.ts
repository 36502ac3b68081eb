import { resolve } from 'node:path';
import { GitError } from '#git/call/git-error.ts';
import type { Repository } from '#git/call/repository.ts';
import { ObjectReader } from '#git/objects/object-reader.ts';
import { nearest } from '#lib/nearest.ts';

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

/** A commit and the name it was found by: `origin/feat` for `feat` where only that remote has such a branch, as in `git switch`. */
export interface ResolvedRef {
  readonly ref: string;
  readonly commit: string;
}

/** As git writes ids of commits. A branch may have such a name, and git then takes the commit. */
const likeAnId = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i;

/**
 * Resolves a name to a commit; the error for an unknown name suggests the nearest known one. `isBranch`: it was taken from the list of branches,
 * not typed.
 */
export async function resolveRef(
  repository: Repository,
  names: ObjectReader,
  ref: string,
  isBranch = false,
): Promise<ResolvedRef> {
  const branch = isBranch && likeAnId.test(ref) ? await names.header(`refs/heads/${ref}^{commit}`) : null;
  if (branch) return { ref, commit: branch.id };
  const known = repository.commits.get(ref);
  if (known !== undefined) return { ref, commit: known };
  const header = ref === '' ? null : await names.header(`${ref}^{commit}`);
  if (header) return { ref, commit: header.id };
  const remote = await remoteBranch(repository, ref);
  const ofRemote = remote === null ? null : await names.header(`${remote}^{commit}`);
  if (remote === null || ofRemote === null) throw await unknownRef(repository, ref);
  return { ref: remote, commit: ofRemote.id };
}

/** The same for a caller that reads nothing else by name. */
export async function resolveOneRef(repository: Repository, ref: string): Promise<ResolvedRef> {
  const names = new ObjectReader(repository.git);
  try {
    return await resolveRef(repository, names, ref);
  } finally {
    names.close();
  }
}

async function unknownRef(repository: Repository, ref: string): Promise<GitError> {
  const remote = await refNames(repository, ['refs/remotes']);
  // A branch of a remote may be typed without the remote: `feat` for `origin/feat`.
  const short = remote.map((name) => name.slice(name.indexOf('/') + 1));
  const meant = nearest(ref, [...(await refNames(repository)), ...short]);
  const missing = isRefPattern(ref)
    ? `no unmerged branch matches ${JSON.stringify(ref)}`
    : `there is no branch, tag or commit named ${JSON.stringify(ref)}`;
  return new GitError('unknown-ref', missing, {
    hint: meant ? `did you mean ${meant}?` : 'list branches with: git branch --all',
  });
}

/** `origin/feat` for `feat`; null when no remote or several have such a branch. */
async function remoteBranch(repository: Repository, name: string): Promise<string | null> {
  if (!/^[\w./-]+$/.test(name) || name.startsWith('-')) return null;
  const found = await refNames(repository, [`refs/remotes/*/${name}`]);
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** A name with `*`, `?` or `[`, which no ref can have. */
export function isRefPattern(argument: string): boolean {
  return /[*?[]/.test(argument) && !isWorktreePath(argument);
}

/**
 * Branches with commits that base lacks whose name matches: local ones, else remote ones, with or without the remote's name. As in
 * `git branch --list`, `*` matches slashes too.
 */
export async function matchingBranches(
  repository: Repository,
  baseCommit: string,
  pattern: string,
): Promise<string[]> {
  for (const place of ['refs/heads', 'refs/remotes']) {
    // A name without a slash is the remote's HEAD, an alias of a branch that is also listed.
    const isBranch = (name: string) =>
      matchesRef(pattern, name) ||
      (place === 'refs/remotes' && matchesRef(pattern, name.slice(name.indexOf('/') + 1)));
    const isListed = (name: string) => (place === 'refs/heads' || /\/(?!HEAD$)/.test(name)) && isBranch(name);
    const found = (await refNames(repository, [place])).filter(isListed);
    if (found.length === 0) continue;
    const unmerged = new Set(await refNames(repository, [`--no-merged=${baseCommit}`, place]));
    return found.filter((name) => unmerged.has(name));
  }
  throw await unknownRef(repository, pattern);
}

function matchesRef(pattern: string, name: string): boolean {
  const wild: Readonly<Record<string, string>> = { '*': '.*', '?': '.' };
  const source = pattern.replace(
    /\[[^\]]{1,200}\]|[^\w/-]/g,
    (part) => wild[part] ?? (part.length > 1 ? part : `\\${part}`),
  );
  return new RegExp(`^${source.replaceAll(/(?:\.\*)+/g, '.*')}$`).test(name);
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
  const head = await repository.git.run(['rev-parse', '--verify', '--quiet', 'HEAD'], {
    accept: [0, 1, 128],
  });
  if (heads.size === 0 && head.code !== 0) {
    throw new GitError('no-commit', 'this repository has no commit yet', {
      hint: 'make the first one: git commit',
    });
  }
  throw new GitError('no-base', 'this repository has no default branch to compare with', {
    hint: 'name the base: --base <rev>',
  });
}

/** Local branches with commits that base lacks, sorted by name. */
export function unmergedBranches(repository: Repository, baseCommit: string): Promise<string[]> {
  return refNames(repository, [`--no-merged=${baseCommit}`, 'refs/heads']);
}

/** Local and remote branches, those with the newest commits first. */
export function branchesByDate(repository: Repository): Promise<string[]> {
  return refNames(repository, ['--sort=refname', '--sort=-committerdate', 'refs/heads', 'refs/remotes']);
}

/** How many remote branches have commits that base lacks. */
export async function unmergedRemoteBranches(repository: Repository, baseCommit: string): Promise<number> {
  const names = await refNames(repository, [`--no-merged=${baseCommit}`, 'refs/remotes']);
  return names.filter((name) => /\/(?!HEAD$)/.test(name)).length;
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
