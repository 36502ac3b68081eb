import { basename, relative, sep } from 'node:path';
import { openAttempt, type RunState } from '#crew/state/state.ts';
import type { Workshop } from '#crew/workshop.ts';
import { isAncestor } from '#git/merges/branches.ts';
import type { RunRefs } from '#git/refs/run-refs.ts';
import { worktreesBelow } from '#git/worktrees/worktrees.ts';
import { removeFolder } from '#process/remove-folder.ts';
import { endProcesses, wakeGuards } from '#process/sweep.js';
import type { FlowContext } from '#schema/durable-port.ts';
import { clearWorktree, type LeftWork } from './keep-work.ts';

/** Makes git agree with the log before anything new starts. Commits that are not in the log are kept under a ref. */
export async function reconcile(
  workshop: Workshop,
  context: FlowContext,
  refs: RunRefs,
  state: RunState,
): Promise<void> {
  if (workshop.repaired !== null)
    context.append([{ type: 'run.degraded', data: { what: workshop.repaired } }]);
  // We hold the lease: any other process of the run is a leftover.
  wakeGuards(context.run);
  const lasting = await endProcesses({ root: null, mark: context.run });
  for (const { pid, name } of lasting) {
    const what = `process ${pid} (${name}) of an interrupted attempt cannot be ended`;
    context.append([{ type: 'run.degraded', data: { what } }]);
  }
  const left = [
    ...(await sweep(workshop, context.run, state, refs)),
    ...(await sweepOthers(workshop, context.run)),
  ];
  for (const what of left) context.append([{ type: 'run.degraded', data: { what } }]);
  const ref = `refs/heads/${state.integration.branch}`;
  const head = await refs.read(ref);
  const recorded = state.integration.commit;
  if (head === null || (head !== recorded && (await isBehind(workshop, head, recorded)))) {
    await refs.set(ref, recorded);
  } else if (head !== recorded && (await isExplained(workshop, state, head))) {
    await refs.set(ref, recorded);
  } else if (head !== recorded) {
    const kept = `refs/joinery/${context.run}/kept/integration/${context.token}`;
    await refs.set(kept, head);
    await refs.set(ref, recorded);
    const what = `${state.integration.branch} was at ${head}, which this run did not record; it is kept as ${kept}`;
    context.append([{ type: 'run.degraded', data: { what } }]);
  }
}

/** A crash between recording a commit and moving the branch to it. */
function isBehind({ git }: Workshop, head: string, recorded: string): Promise<boolean> {
  return isAncestor(git, head, recorded);
}

/** A crash between moving the branch and recording it leaves merges of work that was about to be accepted. */
async function isExplained(workshop: Workshop, state: RunState, head: string): Promise<boolean> {
  const { git } = workshop;
  const recorded = state.integration.commit;
  if (!(await isAncestor(git, recorded, head))) return false;
  const text = await git.text(['rev-list', '--first-parent', '--parents', `${recorded}..${head}`]);
  const waiting = new Set(
    [...state.steps.values()].filter((step) => step.status === 'checking').map((step) => step.commit),
  );
  return text.split('\n').every((line) => {
    const [, , merged, ...more] = line.split(' ');
    return merged !== undefined && more.length === 0 && waiting.has(merged);
  });
}

/**
 * A process killed after the last event of its run leaves worktrees that no process will use again. Removes only ours: a
 * person's worktree may be on an unplugged disk, so `git worktree prune` must not be called.
 */
async function sweepOthers(workshop: Workshop, current: string): Promise<string[]> {
  const root = workshop.folders.worktrees('');
  const paths = await worktreesBelow(workshop.repository, root);
  const runs = new Set(paths.map((path) => relative(root, path).split(sep)[0] ?? ''));
  const left: string[] = [];
  for (const run of runs) {
    if (run !== '' && run !== current && workshop.isOver(run)) left.push(...(await clear(workshop, run)));
  }
  return left;
}

/**
 * Removes worktrees and scratch folders that no open attempt uses; an attempt that has committed continues from its commit.
 * Its folder may belong to an earlier holder, which its name shows. Returns a sentence for each whose work was kept.
 */
export async function sweep(
  workshop: Workshop,
  run: string,
  state: RunState,
  refs: RunRefs,
): Promise<string[]> {
  const open = [...state.steps.values()].flatMap((step) => openAttempt(step) ?? []);
  const unsaved = open.filter(({ commit }) => commit === null);
  const inUse = new Set(unsaved.map(({ path }) => basename(path)));
  const folder = workshop.folders.worktrees(run);
  const left: string[] = [];
  for (const path of await worktreesBelow(workshop.repository, folder)) {
    if (inUse.has(basename(path))) continue;
    await refs.assertHeld();
    left.push(...said(await clearWorktree(workshop, run, path)));
  }
  if (open.length > 0) return left;
  await refs.assertHeld();
  return [...left, ...(await clear(workshop, run))];
}

async function clear(workshop: Workshop, run: string): Promise<string[]> {
  const folder = workshop.folders.worktrees(run);
  const left: string[] = [];
  let isEmpty = true;
  for (const path of await worktreesBelow(workshop.repository, folder)) {
    const work = await clearWorktree(workshop, run, path);
    left.push(...said(work));
    if (work?.status === 'stays') isEmpty = false;
  }
  workshop.releasePorts(run);
  if (isEmpty) await removeFolder(folder);
  await removeFolder(workshop.folders.scratch(run));
  return left;
}

function said(work: LeftWork | null): string[] {
  return work === null ? [] : [work.what];
}
