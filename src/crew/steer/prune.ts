import { rm } from 'node:fs/promises';
import { deleteRun, stateOfRun } from '#crew/state/catalogue.ts';
import { removeProjections } from '#crew/state/projection-files.ts';
import { hasEnded } from '#crew/state/state.ts';
import type { Workshop } from '#crew/workshop.ts';
import { EngineError } from '#durable/engine-error.ts';
import type { LocalEngine } from '#durable/local-engine.ts';
import { deleteRefs, listRefs } from '#git/branches.ts';
import { removeWorktree, worktreesBelow } from '#git/worktrees.ts';
import type { PruneReport } from '#schema/run.ts';

type Place = Pick<Workshop, 'git' | 'repository' | 'folders'>;

/** What pruning would take away. Unfinished runs are only listed when named. */
export async function planPrune(
  place: Place,
  engine: LocalEngine,
  runs: readonly string[],
  isNamed: boolean,
): Promise<PruneReport['runs']> {
  const chosen: PruneReport['runs'] = [];
  for (const run of runs) {
    const state = stateOfRun(engine, run);
    if (!hasEnded(state) && !isNamed) continue;
    if (engine.holder(run)?.isAlive) {
      if (!isNamed) continue;
      throw new EngineError('run-held', `run ${run} is being driven`, {
        hint: `joinery cancel ${run}`,
        exitCode: 2,
      });
    }
    chosen.push({
      run,
      status: state.status,
      refs: await refsOf(place, run),
      worktrees: await worktreesBelow(place.repository, place.folders.worktrees(run)),
    });
  }
  return chosen;
}

/** From the outside in: the log goes last, so that a crash in between can be pruned again. */
export async function prune(place: Place, engine: LocalEngine, runs: PruneReport['runs']): Promise<void> {
  for (const { run, refs, worktrees } of runs) {
    for (const path of worktrees) await removeWorktree(place.repository, path);
    for (const folder of [place.folders.worktrees(run), place.folders.scratch(run)]) {
      await rm(folder, { recursive: true, force: true });
    }
    removeProjections(place.folders, run);
    await deleteRefs(place.git, refs);
    deleteRun(engine, run);
  }
}

async function refsOf(place: Place, run: string): Promise<string[]> {
  const branches = await listRefs(place.git, `refs/heads/joinery/${run}/`);
  const kept = await listRefs(place.git, `refs/joinery/${run}/`);
  return [...branches.keys(), ...kept.keys()];
}
