import { runIds } from '#crew/state/catalogue.ts';
import { planPrune, prune } from '#crew/steer/prune.ts';
import type { PruneReport } from '#schema/run.ts';
import type { RunRoom } from './run-room.ts';

interface PruneWishes {
  /** Empty: all runs that have ended. */
  readonly names: readonly string[];
  readonly isDryRun: boolean;
  /** Also runs with accepted work that is merged nowhere. */
  readonly isForced: boolean;
  /** Asked before anything is removed: '20300101-abc, 20300102-def'. */
  readonly confirm: (runs: string) => Promise<void>;
}

/** Removes runs with their branches, worktrees and logs. */
export async function pruneRuns(
  { runs, workshop, choose }: RunRoom,
  { names, isDryRun, isForced, confirm }: PruneWishes,
): Promise<PruneReport> {
  const isNamed = names.length > 0;
  const ids = isNamed ? names.map((name) => choose(name)) : runIds(runs.engine);
  const place = workshop({ scenario: null });
  const planned = await planPrune(place, runs.engine, ids, isNamed);
  const doomed = planned.filter(({ unmerged }) => isForced || unmerged.length === 0);
  const kept = planned
    .filter((run) => !doomed.includes(run))
    .map(({ run, status, unmerged }) => ({ run, status, unmerged }));
  const isDone = !isDryRun && doomed.length > 0;
  if (isDone) {
    await confirm(doomed.map(({ run }) => run).join(', '));
    await prune(place, runs.engine, doomed);
  }
  return { schema: 'joinery/prune@1', isDone, runs: doomed, kept };
}
