import { existsSync } from 'node:fs';
import { readdir, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { keptRef } from '#crew/state/names.ts';
import { startOf, stepOf } from '#crew/state/state.ts';
import { readWork } from '#crew/task/place/read-work.ts';
import type { AttemptPlan, Committed, Played, TaskFlow } from '#crew/task/task.ts';
import { changedFiles as diffFiles, isAncestor, treeOf, writeCommit } from '#git/merges/branches.ts';

/** Commits finished work to the task's branch; keeps the work of a failed attempt under a ref. */
export function commitAttempt(flow: TaskFlow, plan: AttemptPlan, played: Played): Promise<Committed> {
  const { context, id, workshop, premises } = flow;
  const { objects } = premises;
  return context.step(`${id}/${plan.n}/commit`, async (call) => {
    const reading = await readWork(flow, plan, await takeOver(flow, plan));
    if (reading.status === 'unreadable') return { ...nothing, unreadable: reading.reason };
    const { tree, incidents } = reading;
    workshop.probe(`${id}/${plan.n}/commit: tree written`);
    const isChanged = tree !== (await treeOf(objects.git, plan.from));
    const commit = isChanged
      ? await writeCommit(objects.git, {
          tree,
          parents: [plan.from],
          message: messageFor(flow, plan),
          at: startOf(flow.state, id),
        })
      : plan.from;
    if (isChanged) await objects.publish(commit, [plan.from]);
    workshop.probe(`${id}/${plan.n}/commit: commit written`);
    if (played.outcome !== 'ok') {
      if (!isChanged) return nothing;
      const ref = keptRef(context.run, flow.slug, plan.n);
      await flow.refs.set(ref, commit);
      call.emit({
        type: 'work.kept',
        step: id,
        attempt: plan.n,
        data: { ref, commit, why: `attempt ${plan.n}: ${played.outcome}` },
      });
      return nothing;
    }
    await keepOwnCommits(flow, plan, commit);
    await flow.refs.set(`refs/heads/${plan.branch}`, commit);
    const files = await diffFiles(objects.git, plan.base, commit);
    call.emit({
      type: 'step.committed',
      step: id,
      attempt: plan.n,
      data: { commit, tree, parent: plan.from, files, ...(incidents.length > 0 ? { incidents } : {}) },
    });
    return { commit, changedFiles: files.map((file) => file.path), unreadable: null, incidents };
  });
}

/** The agent's own commits: the branch gets one commit with its files, and another state of them may be in these. */
async function keepOwnCommits(
  { refs, context, slug, workshop }: TaskFlow,
  plan: AttemptPlan,
  commit: string,
): Promise<void> {
  const tip = await refs.read(`refs/heads/${plan.branch}`);
  if (tip === null || tip === plan.from || tip === commit || (await isAncestor(workshop.git, tip, plan.from)))
    return;
  await refs.set(`${keptRef(context.run, slug, plan.n)}-own`, tip);
}

const nothing: Committed = { commit: null, changedFiles: null, unreadable: null, incidents: [] };

/**
 * The folder of an attempt that an earlier holder of the run may have played. It is moved to our own folder, so that the
 * earlier holder finds nothing to change or remove if it wakes up.
 */
async function takeOver(flow: TaskFlow, { path }: AttemptPlan): Promise<string> {
  const own = join(flow.premises.worktrees, basename(path));
  if (path === own || existsSync(own)) return own;
  const holders = dirname(flow.premises.worktrees);
  const names = await readdir(holders).catch(() => []);
  const places = [path, ...names.map((name) => join(holders, name, basename(path)))];
  const found = places.find((place) => existsSync(place));
  if (found === undefined) return path;
  await rename(found, own);
  return own;
}

function messageFor(flow: TaskFlow, plan: AttemptPlan): string {
  const { task } = stepOf(flow.state, flow.id);
  const title = task.title.split(/\r?\n/, 1)[0] ?? '';
  return `${title}\n\nJoinery-Run: ${flow.context.run}\nJoinery-Task: ${task.id}\nJoinery-Attempt: ${plan.n}`;
}
