import type { Git } from './git.ts';
import { GitError } from './git-error.ts';

/** Where a commit left the history of base. */
export interface Fork {
  /** A commit that base already contains is its own merge base; null without common history. */
  readonly mergeBase: string | null;
  /** The first of its own commits: two sides that share work share one of them. */
  readonly first: readonly string[];
}

/** The fork of each commit, in one walk over the commits that base lacks. */
export async function forksFrom(
  git: Git,
  base: string,
  commits: readonly string[],
): Promise<Map<string, Fork>> {
  if (commits.length === 0) return new Map();
  const { stdout } = await git.run(['rev-list', '--parents', '--boundary', '--stdin'], {
    input: `${[...commits, `^${base}`].join('\n')}\n`,
  });
  const parents = new Map<string, readonly string[]>();
  for (const line of stdout.toString('utf8').split('\n')) {
    const [id = '', ...rest] = line.replace(/^-/, '').split(' ');
    if (id && !line.startsWith('-')) parents.set(id, rest);
  }
  const result = new Map<string, Fork>();
  for (const commit of commits) {
    const { entries, first } = parents.has(commit)
      ? walkDown(commit, parents)
      : { entries: new Set([commit]), first: [] };
    result.set(commit, { mergeBase: await bestOf(git, base, commit, entries), first });
  }
  return result;
}

async function bestOf(
  git: Git,
  base: string,
  commit: string,
  entries: ReadonlySet<string>,
): Promise<string | null> {
  const [only] = entries;
  if (only === undefined) return null;
  if (entries.size === 1) return only;
  // Several ways into base's history (criss-cross or merged-in base): git decides which ancestor is best.
  const found = await git.run(['merge-base', '--end-of-options', base, commit], { accept: [0, 1] });
  return found.code === 0 ? found.stdout.toString('utf8').trim() : null;
}

/** From a commit down to base: `entries` are the commits of base's history that it meets. */
function walkDown(
  commit: string,
  parents: ReadonlyMap<string, readonly string[]>,
): { entries: Set<string>; first: string[] } {
  const entries = new Set<string>();
  const first: string[] = [];
  const seen = new Set<string>([commit]);
  const open = [commit];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const above = parents.get(next) ?? [];
    if (above.length === 0 || above.some((parent) => !parents.has(parent))) first.push(next);
    for (const parent of above) {
      if (!parents.has(parent)) entries.add(parent);
      else if (!seen.has(parent)) {
        seen.add(parent);
        open.push(parent);
      }
    }
  }
  return { entries, first };
}

export function noCommonHistory(base: string, ref: string, isShallow: boolean): GitError {
  return new GitError('no-common-history', `${ref} and ${base} have no common history`, {
    hint: isShallow
      ? 'this is a shallow clone; fetch the rest: git fetch --unshallow'
      : `check that ${ref} was branched from the same project as ${base}`,
  });
}
