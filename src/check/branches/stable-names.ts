import { resolve, sep } from 'node:path';
import type { Repository } from '#git/call/repository.ts';
import { isWorktreePath, listWorktrees } from '#git/refs/refs.ts';
import type { BranchTip } from './branch-tips.ts';

/** The names that finding ids are built from, where they differ from what was typed: { 'origin/feat': 'feat' }. */
export type StableNames = Readonly<Record<string, string>>;

/**
 * One branch has one name, however it was typed: `feat`, `refs/heads/feat`, `origin/feat`, HEAD, or the folder of the
 * worktree it is checked out in. A commit has its full id.
 */
export async function stableNames(repository: Repository, tips: readonly BranchTip[]): Promise<StableNames> {
  const names: Record<string, string> = {};
  for (const { ref, commit } of tips) {
    if (/^[0-9a-f]{4,}$/.test(ref) && commit.startsWith(ref) && ref !== commit) names[ref] = commit;
  }
  const refs = tips.map(({ ref }) => ref);
  Object.assign(
    names,
    await ofPaths(repository, refs.filter(isWorktreePath)),
    await ofFullNames(
      repository,
      refs.filter((ref) => !isWorktreePath(ref) && ref.includes('/')),
    ),
    await ofHead(
      repository,
      refs.filter((ref) => ref === 'HEAD' || ref === '@'),
    ),
  );
  return names;
}

async function ofPaths(repository: Repository, paths: readonly string[]): Promise<StableNames> {
  if (paths.length === 0) return {};
  const worktrees = await listWorktrees(repository);
  return Object.fromEntries(
    paths.flatMap((typed) => {
      const path = resolve(repository.from, typed);
      const [nearest] = worktrees
        .filter((worktree) => path === worktree.path || path.startsWith(worktree.path + sep))
        .sort((a, b) => b.path.length - a.path.length);
      return nearest?.branch ? [[typed, shortName(nearest.branch)]] : [];
    }),
  );
}

async function ofFullNames(repository: Repository, refs: readonly string[]): Promise<StableNames> {
  if (refs.length === 0) return {};
  // The names that git tries, in its order.
  const readings = (ref: string) => [ref, `refs/${ref}`, `refs/heads/${ref}`, `refs/remotes/${ref}`];
  const wanted = refs.flatMap(readings).filter((name) => /^refs\/[^*?[\\]+$/.test(name));
  const found = await repository.git.text(['for-each-ref', '--format=%(refname)', ...wanted]);
  const known = new Set(found.split('\n'));
  return Object.fromEntries(
    refs.flatMap((ref) => {
      const full = readings(ref).find((name) => known.has(name));
      return full === undefined || shortName(full) === ref ? [] : [[ref, shortName(full)]];
    }),
  );
}

async function ofHead(repository: Repository, refs: readonly string[]): Promise<StableNames> {
  if (refs.length === 0) return {};
  const head = await repository.git.run(['symbolic-ref', '-q', 'HEAD'], { accept: [0, 1, 128] });
  const full = head.stdout.toString('utf8').trim();
  return full === '' ? {} : Object.fromEntries(refs.map((ref) => [ref, shortName(full)]));
}

/** `feat/a` for refs/heads/feat/a and for refs/remotes/origin/feat/a. */
function shortName(full: string): string {
  return full.replace(/^refs\/(?:heads\/|remotes\/[^/]+\/|tags\/)?/, '');
}
