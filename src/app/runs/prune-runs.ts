import { runIds } from '#crew/state/catalogue.ts';
import { planPrune, prune } from '#crew/steer/prune.ts';
import type { PruneReport } from '#schema/run.ts';
import { holdResult } from './held-result.ts';
import { leftIntegrations, removeIntegrations } from './prune-integrations.ts';
import type { RunRoom } from './run-room.ts';

interface PruneWishes {
  /** Empty: all runs that have ended. */
  readonly names: readonly string[];
  readonly isDryRun: boolean;
  /** Also runs whose accepted work is not merged anywhere. */
  readonly isForced: boolean;
  /** Asked before anything is removed: '20300101-abc, 20300102-def'. */
  readonly confirm: (runs: string) => Promise<void>;
}

/** Removes runs with their branches, worktrees and logs, and the leftovers of integrations. */
export async function pruneRuns(room: RunRoom, wishes: PruneWishes): Promise<PruneReport> {
  const releases: (() => void)[] = [];
  const hold = (id: string) => {
    const release = holdResult(room.runs.folders.root, id);
    if (release) releases.push(release);
    return release !== null;
  };
  try {
    return await pruneHeld(room, wishes, hold);
  } finally {
    for (const release of releases) release();
  }
}

async function pruneHeld(
  room: RunRoom,
  { names, isDryRun, isForced, confirm }: PruneWishes,
  hold: (id: string) => boolean,
): Promise<PruneReport> {
  const { runs, workshop, choose } = room;
  const isNamed = names.length > 0;
  const left = (await leftIntegrations(room, hold)).filter(({ id }) => !isNamed || names.includes(id));
  const isLeft = (name: string) => left.some(({ id }) => id === name);
  const ids = isNamed
    ? names.filter((name) => !isLeft(name)).map((name) => choose(name))
    : runIds(runs.engine);
  const place = await workshop({ scenario: null });
  const planned = await planPrune(place, runs.engine, ids, isNamed);
  const doomed = planned.filter(({ unmerged }) => isForced || unmerged.length === 0);
  const kept = planned
    .filter((run) => !doomed.includes(run))
    .map(({ run, status, unmerged }) => ({ run, status, unmerged }));
  const integrations = left.map(({ isInUse, ...each }) => ({
    ...each,
    keeps: isForced && !isInUse ? null : each.keeps,
  }));
  const gone = integrations.filter(({ keeps }) => keeps === null);
  const saved: string[] = [];
  const isDone = !isDryRun && doomed.length + gone.length > 0;
  if (isDone) {
    await confirm([...doomed.map(({ run }) => run), ...gone.map(({ branch }) => branch)].join(', '));
    saved.push(...(await prune(place, runs.engine, doomed)), ...(await removeIntegrations(place, gone)));
  }
  return { schema: 'joinery/prune@1', isDone, runs: doomed, kept, integrations, saved };
}
