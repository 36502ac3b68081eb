import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A bare repository of our own that reads the objects of a clone and keeps new ones to itself. */
export interface Store {
  readonly folder: string;
  git(...args: string[]): string;
  /** Null if git merges the two only with conflicts, or cannot read one of them. */
  merged(base: string, ours: string, theirs: string): string | null;
  commit(tree: string, ...parents: string[]): string;
  has(commit: string): boolean;
  remove(): void;
}

/** `clone`: a repository on this machine, bare or not; null: nothing is there until it is fetched. */
export function openStore(clone: string | null): Store {
  const folder = mkdtempSync(join(tmpdir(), 'joinery-incidents-'));
  execFileSync('git', ['init', '--quiet', '--bare', folder]);
  if (clone !== null) {
    const objects = join(realpathSync(clone), existsSync(join(clone, '.git')) ? '.git/objects' : 'objects');
    mkdirSync(join(folder, 'objects/info'), { recursive: true });
    writeFileSync(join(folder, 'objects/info/alternates'), `${objects}\n`);
  }
  const who = { NAME: 'bench', EMAIL: 'bench@example.org', DATE: '2026-01-01T00:00:00Z' };
  const env = {
    ...process.env,
    GIT_NO_LAZY_FETCH: '1',
    ...Object.fromEntries(
      Object.entries(who).flatMap(([key, value]) => [
        [`GIT_AUTHOR_${key}`, value],
        [`GIT_COMMITTER_${key}`, value],
      ]),
    ),
  };
  const run = (args: readonly string[]) =>
    spawnSync('git', ['-C', folder, '-c', 'merge.renames=true', ...args], {
      encoding: 'utf8',
      env,
      maxBuffer: 2 ** 30,
    });
  const git = (...args: string[]) => {
    const { status, stdout, stderr } = run(args);
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr.trim()}`);
    return stdout.trimEnd();
  };
  const commit = (tree: string, ...parents: string[]) =>
    git('commit-tree', tree, '-m', 'bench', ...parents.flatMap((parent) => ['-p', parent]));
  return {
    folder,
    git,
    commit,
    merged(base, ours, theirs) {
      // Git finds the base as the common ancestor of two commits that are made for it.
      const parent = commit(base);
      const tips = [commit(ours, parent), commit(theirs, parent)];
      const { status, stdout } = run(['merge-tree', '--write-tree', '--no-messages', ...tips]);
      return status === 0 ? (stdout.split('\n')[0] ?? null) : null;
    },
    has: (id) => run(['cat-file', '-e', `${id}^{tree}`]).status === 0,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The clone of `owner/name` below a folder of clones: `owner+name`, `owner+name/repo`, or null. */
export function cloneIn(folder: string, repository: string): string | null {
  const place = join(folder, repository.replace('/', '+'));
  return [join(place, 'repo'), place].find((each) => existsSync(each)) ?? null;
}

/** Fetches commits by id with their parents, nothing more. False where there is no network or no such commit. */
export function fetchCommits(store: Store, remote: string, commits: readonly string[]): boolean {
  const missing = commits.filter((commit) => !store.has(commit) || !store.has(`${commit}^1`));
  if (missing.length === 0) return true;
  try {
    store.git('fetch', '--quiet', '--no-tags', '--depth=2', remote, ...missing);
    return true;
  } catch {
    return false;
  }
}
