import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { stepOf } from '#crew/state/state.ts';
import { clearWorktree } from '#crew/steer/keep-work.ts';
import { definitionsAt } from '#crew/task/place/definitions.ts';
import { databaseName, scratchFolders, workFile } from '#crew/task/place/environment.ts';
import { environmentOf, scratchOf } from '#crew/task/place/scratch.ts';
import { isWrittenSince } from '#crew/task/place/written-since.ts';
import type { AttemptPlan, TaskFlow } from '#crew/task/task.ts';
import { provideDependencies } from '#gates/runner/dependencies.ts';
import { GitError } from '#git/call/git-error.ts';
import { createWorktree, readWorktreeHead, removeWorktree } from '#git/worktrees/worktrees.ts';
import { ownFolder, writeOwnFile } from '#lib/own-place.ts';
import { allowedEnvironment } from '#process/allowed-environment.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { Work } from '#schema/gates.ts';

/** Each holder creates its own: processes of another holder may still write to the other one. */
export async function openWorktree(flow: TaskFlow, plan: AttemptPlan): Promise<void> {
  const { context, id, workshop } = flow;
  await context.step(`${id}/${plan.n}/worktree@${context.token}`, async (call) => {
    const dependencies = await buildWorktree(flow, plan);
    const ports = workshop.claimPorts(context.run, id);
    const database = databaseName(context.run, flow.slug);
    call.emit({
      type: 'worktree.ready',
      step: id,
      attempt: plan.n,
      data: { head: plan.from, path: plan.path, dependencies, ports, database },
    });
    return null;
  });
}

/** Restores it to its initial state; what somebody wrote there before its agent started is kept. */
export async function renewWorktree(flow: TaskFlow, plan: AttemptPlan): Promise<void> {
  const { workshop, context, premises } = flow;
  await premises.source.mayRemove?.();
  const left = await clearWorktree(workshop, context.run, plan.path);
  if (left?.status === 'stays')
    throw new GitError('worktree-stays', left.what, { exitCode: exitCodes.needsPerson });
  if (left) context.append([{ type: 'run.degraded', data: { what: left.what } }]);
  await buildWorktree(flow, plan);
}

/** Removes it. Its work was committed after `since`: what somebody has written there later is kept under a ref. */
export async function closeWorktree(flow: TaskFlow, plan: AttemptPlan, since: bigint): Promise<void> {
  const { premises, workshop, context } = flow;
  const own = join(premises.worktrees, basename(plan.path));
  for (const path of new Set([plan.path, own])) {
    await premises.source.mayRemove?.();
    const left = (await isUntouched(flow, path, since))
      ? await removeWorktree(workshop.repository, path)
      : await clearWorktree(workshop, context.run, path);
    if (left) context.append([{ type: 'run.degraded', data: { what: left.what } }]);
  }
}

async function isUntouched({ workshop }: TaskFlow, path: string, since: bigint): Promise<boolean> {
  if (!existsSync(path)) return true;
  const { mode, folders } = workshop.provisioning;
  const except = folders.map((folder) => join(path, folder));
  const head = await readWorktreeHead(workshop.repository, path);
  const isOnBranch = head === null || head.branch !== null;
  return isOnBranch && !(await isWrittenSince(path, since, mode === 'hardlink', except));
}

async function buildWorktree(flow: TaskFlow, plan: AttemptPlan) {
  const { workshop, context, premises } = flow;
  const { path, branch, from } = plan;
  const { tmp, cache } = scratchFolders(scratchOf(flow));
  for (const folder of [tmp, cache]) ownFolder(scratchOf(flow), basename(folder));
  await flow.refs.set(`refs/heads/${branch}`, from);
  const reason = `joinery run ${context.run} task ${flow.id}`;
  await createWorktree(premises.source, { path, branch, commit: from, reason });
  writeOwnFile(workFile(scratchOf(flow)), JSON.stringify(workOf(flow, plan)));
  workshop.probe(`${flow.id}/${plan.n}/worktree: made`);
  const { config } = await definitionsAt(premises.objects, flow.state.base);
  const { means } = await provideDependencies(
    workshop.provisioning,
    workshop.repository.workTree,
    plan.path,
    allowedEnvironment(environmentOf(flow, plan), config.gates.env),
  );
  return means;
}

function workOf({ state, context, id }: TaskFlow, plan: AttemptPlan): Work {
  const { task, granted } = stepOf(state, id);
  const declared = [...task.files, ...granted];
  const { n: attempt, path: worktree, base } = plan;
  return { v: 1, run: context.run, task: id, attempt, worktree, rules: state.base, base, declared };
}
