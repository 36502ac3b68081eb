import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createWorktree, restoreWorktree } from '#git/worktrees.ts';
import { type AttemptPlan, environmentOf } from './attempt.ts';
import { provideDependencies } from './dependencies.ts';
import { scratchFolders } from './environment.ts';
import { scratchOf, type TaskFlow } from './run-task.ts';
import { fileClock, isWrittenSince } from './written-since.ts';

/** Where the work of an attempt is put to the test: nothing in it comes from the agent but what was committed. */
export interface CleanRoom {
  readonly env: Readonly<Record<string, string>>;
  /** Dependencies as the agent first got them, never as it left them. */
  provide(worktree: string): Promise<unknown>;
  /** As it was at the beginning, whatever ran here since. */
  restore(): Promise<void>;
  /** Before each command: dependencies that the one before wrote to are provided anew; what it built stays. */
  prepare(): Promise<void>;
}

/** Temporary files and caches are fresh too: what lies in a cache may win over the source it was made from. */
export async function openCleanRoom(
  flow: TaskFlow,
  plan: AttemptPlan,
  commit: string,
  phase: 'criteria' | 'gates',
): Promise<CleanRoom> {
  const { context, workshop } = flow;
  const { repository, provisioning } = workshop;
  const scratch = join(scratchOf(flow), `${phase}-${plan.n}`);
  const { tmp, cache } = scratchFolders(scratch);
  await rm(scratch, { recursive: true, force: true, maxRetries: 3 });
  await Promise.all([tmp, cache].map((folder) => mkdir(folder, { recursive: true })));
  const env = environmentOf(flow, plan, scratch);
  const provide = (path: string) => provideDependencies(provisioning, repository.workTree, path, env);
  const clock = join(scratch, 'clock');
  let provided: { readonly folders: readonly string[]; readonly at: bigint } = { folders: [], at: 0n };
  const provideHere = async () => {
    const { folders } = await provide(plan.path);
    provided = { folders: folders.map((folder) => join(plan.path, folder)), at: fileClock(clock) };
  };
  const restore = async () => {
    await restoreWorktree(repository, plan.path, commit, []);
    await provideHere();
  };
  const prepare = async () => {
    const { folders, at } = provided;
    const areShared = provisioning.mode === 'hardlink';
    const written = await Promise.all(folders.map((folder) => isWrittenSince(folder, at, areShared)));
    if (!written.includes(true)) return;
    for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    await provideHere();
  };
  if (existsSync(plan.path)) await restore();
  else {
    const reason = `joinery run ${context.run} task ${flow.id}`;
    const { path, branch } = plan;
    await createWorktree(repository, flow.refs, { path, branch, from: commit, reason });
    await provideHere();
  }
  return { env, provide, restore, prepare };
}
