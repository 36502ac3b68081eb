import type { Git } from '#git/call/git.ts';
import { changedRanges } from '#git/merges/merge-commits.ts';
import type { BacktestFinding } from '#schema/backtest.ts';

type Sites = BacktestFinding['sites'];

interface History {
  readonly git: Git;
  /** The tree that git makes of both sides; null when there are more than two. */
  readonly union: string | null;
  /** The merge. */
  readonly commit: string;
  /** The commits after it, in their order. */
  readonly next: readonly string[];
}

/** The first commit, the merge itself included, that changed a line at which a finding points. */
export async function repairOf(
  sites: Sites,
  { git, union, commit, next }: History,
): Promise<Pick<BacktestFinding, 'repairedBy' | 'after'>> {
  const uses = sites.filter(({ role }) => role === 'consumer');
  if (union !== null && (await isAnyChanged(git, union, commit, uses)))
    return { repairedBy: commit, after: 0 };
  const last = next.at(-1);
  // Most findings of long ago were never touched: one look at the end saves thirty.
  if (last === undefined || !(await isAnyChanged(git, commit, last, uses)))
    return { repairedBy: null, after: null };
  for (const [index, later] of next.entries()) {
    if (await isAnyChanged(git, commit, later, uses)) return { repairedBy: later, after: index + 1 };
  }
  return { repairedBy: null, after: null };
}

async function isAnyChanged(git: Git, from: string, to: string, sites: Sites): Promise<boolean> {
  for (const [file, places] of Map.groupBy(sites, (site) => site.file)) {
    const ranges = (await changedRanges(git, from, to, file)) ?? [];
    if (places.some(({ line }) => ranges.some(([first, last]) => first <= line && line <= last))) return true;
  }
  return false;
}
