import type { Git } from '#git/call/git.ts';
import { GitError } from '#git/call/git-error.ts';

/** Where a commit left the history of base. */
export interface Fork {
  /** A commit that base already contains is its own merge base. Null without common history. */
  readonly mergeBase: string | null;
  /** Git finds several equally good merge bases with base: it merges them before it merges the commit. */
  readonly isCrissCross: boolean;
  /** The oldest commits that base lacks: two sides that share work have one of them in common. */
  readonly first: readonly string[];
}

/** The commits that each of several commits has beyond base. */
export class History {
  readonly #base: string;
  /** Parents of every commit that base lacks. */
  readonly #parents: ReadonlyMap<string, readonly string[]>;
  readonly #forks: ReadonlyMap<string, Fork>;
  readonly #own = new Map<string, ReadonlySet<string>>();

  constructor(
    base: string,
    parents: ReadonlyMap<string, readonly string[]>,
    forks: ReadonlyMap<string, Fork>,
  ) {
    this.#base = base;
    this.#parents = parents;
    this.#forks = forks;
  }

  fork(commit: string): Fork | undefined {
    return this.#forks.get(commit);
  }

  /** Is `ancestor`, a commit that base lacks, part of the history of `commit`? */
  contains(commit: string, ancestor: string): boolean {
    return this.#ownOf(commit).has(ancestor);
  }

  /** apart: they share nothing beyond base. sharing: they share some commits. stacked: one contains the other. */
  relation(a: string, b: string): 'apart' | 'sharing' | 'stacked' {
    if (this.contains(a, b) || this.contains(b, a)) return 'stacked';
    const first = this.fork(a)?.first ?? [];
    return this.fork(b)?.first.some((commit) => first.includes(commit)) ? 'sharing' : 'apart';
  }

  /**
   * The merge bases of two commits after each was merged with base: base, unless another shared commit contains it. Commits that share
   * nothing else have base alone.
   */
  mergeBases(a: string, b: string): string[] {
    const ofB = this.#ownOf(b);
    const shared = [...this.#ownOf(a)].filter((commit) => ofB.has(commit));
    const below = new Set(shared.flatMap((commit) => this.#parents.get(commit) ?? []));
    const best = shared.filter((commit) => !below.has(commit));
    return below.has(this.#base) ? best : [this.#base, ...best];
  }

  #ownOf(commit: string): ReadonlySet<string> {
    const known = this.#own.get(commit) ?? walkDown(commit, this.#parents).own;
    this.#own.set(commit, known);
    return known;
  }
}

/** Reads the history of each commit down to base, in one walk over the commits that base lacks. */
export async function historySince(git: Git, base: string, commits: readonly string[]): Promise<History> {
  if (commits.length === 0) return new History(base, new Map(), new Map());
  const { stdout } = await git.run(['rev-list', '--parents', '--boundary', '--stdin'], {
    input: `${[...commits, `^${base}`].join('\n')}\n`,
  });
  const parents = new Map<string, readonly string[]>();
  for (const line of stdout.toString('utf8').split('\n')) {
    const [id = '', ...rest] = line.replace(/^-/, '').split(' ');
    if (id && !line.startsWith('-')) parents.set(id, rest);
  }
  const forks = new Map<string, Fork>();
  for (const commit of commits) {
    const { entries, first } = parents.has(commit)
      ? walkDown(commit, parents)
      : { entries: new Set([commit]), first: [] };
    const [mergeBase = null, ...others] = await mergeBasesWith(git, base, commit, entries);
    forks.set(commit, { mergeBase, isCrissCross: others.length > 0, first });
  }
  return new History(base, parents, forks);
}

async function mergeBasesWith(
  git: Git,
  base: string,
  commit: string,
  entries: ReadonlySet<string>,
): Promise<string[]> {
  if (entries.size <= 1) return [...entries];
  // There are several paths into base's history (criss-cross or merged-in base): git decides which ancestors are best.
  const found = await git.run(['merge-base', '--all', '--end-of-options', base, commit], { accept: [0, 1] });
  return found.code === 0 ? found.stdout.toString('utf8').trim().split('\n') : [];
}

/** Walks from a commit down to base. `entries`: the first commits of base's history that it meets. `own`: the commits that base lacks. */
function walkDown(
  commit: string,
  parents: ReadonlyMap<string, readonly string[]>,
): { entries: Set<string>; first: string[]; own: Set<string> } {
  const entries = new Set<string>();
  const first: string[] = [];
  const own = new Set(parents.has(commit) ? [commit] : []);
  const open = [...own];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const above = parents.get(next) ?? [];
    if (above.length === 0 || above.some((parent) => !parents.has(parent))) first.push(next);
    for (const parent of above) {
      if (!parents.has(parent)) entries.add(parent);
      else if (!own.has(parent)) {
        own.add(parent);
        open.push(parent);
      }
    }
  }
  return { entries, first, own };
}

export function noCommonHistory(base: string, ref: string, isShallow: boolean): GitError {
  return new GitError('no-common-history', `${ref} and ${base} have no common history`, {
    hint: isShallow
      ? 'this is a shallow clone; fetch the rest: git fetch --unshallow'
      : `check that ${ref} was branched from the same project as ${base}`,
  });
}
