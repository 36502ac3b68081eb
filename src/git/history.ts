import type { Git } from './git.ts';
import { GitError } from './git-error.ts';

/**
 * Merge base of each commit with base, in one walk over the commits that base lacks. A commit that base already
 * contains is its own merge base; a commit without common history maps to null.
 */
export async function mergeBases(
  git: Git,
  base: string,
  commits: readonly string[],
): Promise<Map<string, string | null>> {
  if (commits.length === 0) return new Map();
  const { stdout } = await git.run(['rev-list', '--parents', '--boundary', '--stdin'], {
    input: `${[...commits, `^${base}`].join('\n')}\n`,
  });
  const parents = new Map<string, readonly string[]>();
  for (const line of stdout.toString('utf8').split('\n')) {
    const [id = '', ...rest] = line.replace(/^-/, '').split(' ');
    if (id && !line.startsWith('-')) parents.set(id, rest);
  }
  const result = new Map<string, string | null>();
  for (const commit of commits) result.set(commit, await mergeBaseOf(git, base, commit, parents));
  return result;
}

async function mergeBaseOf(
  git: Git,
  base: string,
  commit: string,
  parents: ReadonlyMap<string, readonly string[]>,
): Promise<string | null> {
  if (!parents.has(commit)) return commit;
  const entries = entryPoints(commit, parents);
  const [only] = entries;
  if (entries.size === 1 && only) return only;
  if (entries.size === 0) return null;
  // Several ways into base's history (criss-cross or merged-in base): git decides which ancestor is best.
  const found = await git.run(['merge-base', '--end-of-options', base, commit], { accept: [0, 1] });
  return found.code === 0 ? found.stdout.toString('utf8').trim() : null;
}

/** Commits of base's history that are parents of commits only this side has. */
function entryPoints(commit: string, parents: ReadonlyMap<string, readonly string[]>): Set<string> {
  const entries = new Set<string>();
  const seen = new Set<string>([commit]);
  const open = [commit];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const parent of parents.get(next) ?? []) {
      if (!parents.has(parent)) entries.add(parent);
      else if (!seen.has(parent)) {
        seen.add(parent);
        open.push(parent);
      }
    }
  }
  return entries;
}

export function noCommonHistory(base: string, ref: string, isShallow: boolean): GitError {
  return new GitError('no-common-history', `${ref} and ${base} have no common history`, {
    hint: isShallow
      ? 'this is a shallow clone; fetch the rest: git fetch --unshallow'
      : `check that ${ref} was branched from the same project as ${base}`,
  });
}
