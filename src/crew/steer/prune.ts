import { deleteRun, lifeOf, stateIfWhole } from '#crew/state/catalogue.ts';
import { removeProjections } from '#crew/state/projection-files.ts';
import { hasEnded, type RunState } from '#crew/state/state.ts';
import { EngineError } from '#durable/engine-error.ts';
import type { LocalEngine } from '#durable/local-engine.ts';
import type { Git } from '#git/call/git.ts';
import { deleteRefs, isReachableOutside, listRefs, readName, treeOf } from '#git/merges/branches.ts';
import { mergedTree } from '#git/merges/merge-commits.ts';
import { removeLocks } from '#git/refs/ref-transaction.ts';
import { worktreesBelow } from '#git/worktrees/worktrees.ts';
import { removeFolder } from '#process/remove-folder.ts';
import { endProcesses } from '#process/sweep.js';
import { exitCodes } from '#schema/exit-codes.ts';
import type { PruneReport } from '#schema/run.ts';
import { bringBack, clearWorktree, type KeepPlace, keepCommit, keptFolder } from './keep-work.ts';

type Place = KeepPlace;

/** What pruning would remove. Unfinished runs are listed only when named. */
export async function planPrune(
  place: Place,
  engine: LocalEngine,
  runs: readonly string[],
  isNamed: boolean,
): Promise<PruneReport['runs']> {
  const chosen: PruneReport['runs'] = [];
  for (const run of runs) {
    const state = stateIfWhole(engine, run);
    if (!(state && hasEnded(state)) && !isNamed) continue;
    if (engine.holder(run)?.isAlive) {
      if (!isNamed) continue;
      throw new EngineError('run-held', `run ${run} is being driven`, {
        hint: `joinery cancel ${run}`,
        exitCode: exitCodes.needsPerson,
      });
    }
    chosen.push({
      run,
      status: state?.status ?? lifeOf(engine, run),
      refs: await refsOf(place, run),
      worktrees: await worktreesBelow(place.repository, place.folders.worktrees(run)),
      unmerged: await unmergedBranches(place, run, await tipsOf(place, run, state)),
    });
  }
  return chosen;
}

interface RunBranch {
  readonly branch: string;
  readonly commit: string | null;
}

/** Branches of accepted tasks; all branches of a run with a damaged log. */
async function tipsOf(place: Place, run: string, state: RunState | null): Promise<RunBranch[]> {
  if (state) return [...state.steps.values()].filter(({ status }) => status === 'accepted');
  const prefix = 'refs/heads/';
  const refs = await listRefs(place.git, `${prefix}joinery/${run}/`);
  return [...refs].map(([ref, commit]) => ({ branch: ref.slice(prefix.length), commit }));
}

/** Branches whose commits are reachable only through refs of this run. */
async function unmergedBranches(place: Place, run: string, tips: readonly RunBranch[]): Promise<string[]> {
  const unmerged: string[] = [];
  for (const { branch, commit } of tips) {
    if (commit === null || (await readName(place.git, `${commit}^{commit}`)) === null) continue;
    if (!(await isReachableOutside(place.git, commit, ownRefs(run)))) unmerged.push(branch);
  }
  return unmerged;
}

/**
 * Removes the log last, so that pruning can be repeated after a crash. Commits that only this run reaches are kept first; returns a
 * sentence for each.
 */
export async function prune(place: Place, engine: LocalEngine, runs: PruneReport['runs']): Promise<string[]> {
  const saved: string[] = [];
  for (const { run, refs, worktrees } of runs) {
    // No process drives it: anything still running for it is a leftover.
    await endProcesses({ root: null, mark: run });
    await removeLocks(place.repository.commonDir, run);
    for (const path of worktrees) {
      const left = await clearWorktree(place, run, path);
      if (left?.status === 'stays')
        throw new EngineError('worktree-stays', left.what, {
          hint: `move it away, then: joinery prune ${run}`,
          exitCode: exitCodes.needsPerson,
        });
      if (left) saved.push(left.what);
    }
    saved.push(...(await keepRefs(place, run, refs)));
    for (const folder of [place.folders.worktrees(run), place.folders.scratch(run)]) {
      await removeFolder(folder);
    }
    removeProjections(place.folders, run);
    await deleteRefs(place.git, refs);
    deleteRun(engine, run);
  }
  return saved;
}

/** Keeps what no ref outside the run reaches, each commit once: the integration branch has the work of most others. */
export async function keepRefs({ git }: Place, run: string, refs: readonly string[]): Promise<string[]> {
  const saved: string[] = [];
  const first = refs.filter((ref) => ref.endsWith('/integration'));
  for (const ref of [...first, ...refs.filter((each) => !first.includes(each))]) {
    const commit = await readName(git, `${ref}^{commit}`);
    if (commit === null || !(await hasOwnWork(git, commit, ownRefs(run)))) continue;
    const name = ref.startsWith('refs/heads/')
      ? `branches/${ref.slice(`refs/heads/joinery/${run}/`.length)}`
      : `attempts/${ref.slice(`refs/joinery/${run}/kept/`.length)}`;
    saved.push(
      `${ref} has commits that no other branch has: ${bringBack(await keepCommit(git, keptFolder(run) + name, commit))}`,
    );
  }
  return saved;
}

/** Whether commits that only these refs reach are more than merges that git would make again from their parents. */
async function hasOwnWork(git: Git, commit: string, prefixes: readonly string[]): Promise<boolean> {
  const excluded = prefixes.map((prefix) => `--exclude=${prefix}*`);
  const text = await git.text(['rev-list', '--parents', commit, '--not', ...excluded, '--glob=refs/*']);
  for (const line of text.split('\n').filter(Boolean)) {
    const [id = '', one, other, ...more] = line.split(' ');
    if (one === undefined || other === undefined || more.length > 0) return true;
    const merged = await mergedTree(git, one, other);
    if (!merged.isClean || merged.tree !== (await treeOf(git, id))) return true;
  }
  return false;
}

async function refsOf(place: Place, run: string): Promise<string[]> {
  const refs = await Promise.all(ownRefs(run).map((prefix) => listRefs(place.git, prefix)));
  return refs.flatMap((found) => [...found.keys()]);
}

/** Prefixes of a run's branches and other refs. */
function ownRefs(run: string): string[] {
  return [`refs/heads/joinery/${run}/`, `refs/joinery/${run}/`];
}
