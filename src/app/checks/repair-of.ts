import type { Git } from '#git/call/git.ts';
import { changedRanges } from '#git/merges/merge-commits.ts';
import type { BacktestFinding } from '#schema/backtest.ts';

type Sites = BacktestFinding['sites'];

interface History {
  readonly git: Git;
  /** The tree that git makes of both sides; null if there are more than two sides. */
  readonly union: string | null;
  /** The merge. */
  readonly commit: string;
  /** The commits after it, in their order. */
  readonly next: readonly string[];
}

/** The first commit, including the merge itself, that changed a line a finding points at. */
export async function repairOf(
  sites: Sites,
  { git, union, commit, next }: History,
): Promise<Pick<BacktestFinding, 'repairedBy' | 'after'>> {
  const uses = sites.filter(({ role }) => role === 'consumer');
  if (union !== null && (await isAnyChanged(git, union, commit, uses)))
    return { repairedBy: commit, after: 0 };
  const last = next.at(-1);
  // Most old findings were never touched: one comparison with the last commit saves thirty.
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
