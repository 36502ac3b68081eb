import { join, resolve } from 'node:path';
import { thisHost } from '#app/workplace/host.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { type Live, movedRefs, nextLive } from '#check/findings/live.ts';
import { openRepository } from '#git/call/repository.ts';
import { isWorktreePath } from '#git/refs/refs.ts';
import { SnapshotMemory } from '#git/worktrees/snapshots.ts';
import { watchRepository } from '#git/worktrees/watch-repository.ts';
import { isJoineryError, type JoineryError } from '#schema/errors.ts';
import { cacheDir } from '#schema/paths.ts';
import type { WatchLine } from '#schema/watch-line.ts';
import { type CheckAnswer, type CheckWishes, checkHere } from './check-here.ts';

export interface WatchTold {
  /** A finding is new or gone, or the verdict changed. */
  change(line: WatchLine, answer: CheckAnswer): void;
  /** Nothing a person sees changed, but this is the current state. */
  state(answer: CheckAnswer): void;
  /** A check could not run; the next change starts another one. */
  failure(error: JoineryError): void;
  way(way: 'events' | 'polling'): void;
}

/** Set this variable to poll: network drives send no events. */
const pollVariable = 'JOINERY_WATCH';

/**
 * Checks again whenever a ref moves or a worktree changes, and reports what is new and what is gone. Each check reuses
 * cached results that the change does not affect. Never returns by itself.
 */
export async function watchHere(around: Surroundings, wishes: CheckWishes, told: WatchTold): Promise<never> {
  const { cwd, env } = around;
  const repository = await openRepository(cwd);
  // A single name may be the base: then all worktrees are watched.
  const isNamed = wishes.names.length > (wishes.hasBase ? 0 : 1) || wishes.names.some(isWorktreePath);
  const named = wishes.names.filter(isWorktreePath).map((path) => resolve(cwd, path));
  const watcher = await watchRepository(repository, {
    worktrees: isNamed ? named : null,
    isPolling: env[pollVariable] === 'poll',
  });
  const snapshots = new SnapshotMemory(
    repository,
    join(cacheDir(thisHost(env)), 'objects', repository.key),
    watcher.versionOf.bind(watcher),
  );
  around.onInterrupt(() => {
    watcher.close();
    return snapshots.remove();
  });
  told.way(watcher.way);
  let live: Live | null = null;
  for (let since = performance.now(); ; since = await watcher.next()) {
    const answer = await tryCheck(around, wishes, snapshots, told);
    if (answer === null) continue;
    const change = nextLive(live, answer.report);
    const line = lineOf(change, live, answer, (performance.now() - since) / 1000);
    const isTold =
      live === null || line.new.length > 0 || line.gone.length > 0 || line.status !== live.report.status;
    live = change.live;
    if (isTold) told.change(line, answer);
    else told.state(answer);
  }
}

/** A branch may vanish during the check, or a worktree may be half written: the next change starts another check. */
async function tryCheck(
  around: Surroundings,
  wishes: CheckWishes,
  snapshots: SnapshotMemory,
  told: WatchTold,
): Promise<CheckAnswer | null> {
  try {
    return await checkHere(around, { ...wishes, snapshots: await snapshots.next() });
  } catch (error) {
    if (!isJoineryError(error)) throw error;
    told.failure(error);
    return null;
  }
}

function lineOf(
  change: ReturnType<typeof nextLive>,
  before: Live | null,
  { report }: CheckAnswer,
  seconds: number,
): WatchLine {
  return {
    schema: 'joinery/watch@1',
    status: report.status,
    branches: report.branches.length,
    changed: movedRefs(before?.report ?? null, report),
    new: [...change.new],
    gone: [...change.gone],
    open: change.live.open.size,
    reasons: report.inconclusive.map(({ file, check, reason }) => `${file ?? check ?? ''} ${reason}`.trim()),
    seconds,
  };
}
