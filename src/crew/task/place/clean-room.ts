import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { AttemptPlan, TaskFlow } from '#crew/task/task.ts';
import { provideDependencies } from '#gates/runner/dependencies.ts';
import { createWorktree, discardWorktree } from '#git/worktrees/worktrees.ts';
import { fileClock } from '#lib/file-clock.ts';
import { allowedEnvironment } from '#process/allowed-environment.ts';
import { removeFolder } from '#process/remove-folder.ts';
import { endStrays, processClock } from '#process/strays.ts';
import { definitionsAt } from './definitions.ts';
import { scratchFolders } from './environment.ts';
import { environmentOf, scratchOf } from './scratch.ts';
import { isWrittenSince } from './written-since.ts';

/** Where the work of an attempt is tested: only its commit comes from the agent. */
export interface CleanRoom {
  /** The commit, checked out in a folder the agent never used. */
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
  /** Provides the dependencies as the agent first got them, not as it left them. */
  provide(worktree: string): Promise<unknown>;
  /** Restores the initial state. */
  restore(): Promise<void>;
  /** Before each command: dependencies that the previous one wrote to are provided again; its build output stays. */
  prepare(): Promise<void>;
  close(): Promise<void>;
}

/** Temporary files and caches are new too: a cached file may take precedence over the source it was made from. */
export async function openCleanRoom(
  flow: TaskFlow,
  plan: AttemptPlan,
  commit: string,
  phase: 'criteria' | 'gates' | 'yardstick' | 'mutant',
): Promise<CleanRoom> {
  const { workshop, premises } = flow;
  const { repository, provisioning } = workshop;
  const scratch = join(scratchOf(flow), `${phase}-${plan.n}`);
  const { tmp, cache } = scratchFolders(scratch);
  await flow.refs.assertHeld();
  await removeFolder(scratch);
  await Promise.all([tmp, cache].map((folder) => mkdir(folder, { recursive: true })));
  const path = freshPath(flow, phase);
  const since = processClock();
  const { config } = await definitionsAt(premises.objects, flow.state.base);
  const env = allowedEnvironment(environmentOf(flow, plan, scratch), config.gates.env);
  const provide = (worktree: string) => provideDependencies(provisioning, repository.workTree, worktree, env);
  const clock = join(scratch, 'clock');
  let provided: { readonly folders: readonly string[]; readonly at: bigint } = { folders: [], at: 0n };
  const provideHere = async () => {
    const { folders } = await provide(path);
    provided = { folders: folders.map((folder) => join(path, folder)), at: fileClock(clock) };
  };
  const restore = async () => {
    await createWorktree(premises.source, { path, branch: null, commit, reason: reasonOf(flow, phase) });
    await provideHere();
  };
  const prepare = async () => {
    const { folders, at } = provided;
    const areShared = provisioning.mode === 'hardlink';
    const written = await Promise.all(folders.map((folder) => isWrittenSince(folder, at, areShared)));
    if (!written.includes(true)) return;
    for (const folder of folders) await removeFolder(folder);
    await provideHere();
  };
  await restore();
  const close = async () => {
    for (const { pid, name, evidence } of await endStrays([path, scratch], since)) {
      const what = `${phase} of task ${flow.id} left daemon ${pid} (${name}) behind, found by ${evidence}; it was ended`;
      flow.context.append([{ type: 'run.degraded', data: { what } }]);
    }
    await discardWorktree(premises.source, path);
  };
  return { path, env, provide, restore, prepare, close };
}

/** A fresh folder with an unpredictable name. */
export function freshPath({ premises, slug }: TaskFlow, what: string): string {
  return join(premises.worktrees, `${slug}-${what}-${randomBytes(6).toString('hex')}`);
}

export function reasonOf({ context, id }: TaskFlow, what: string): string {
  return `joinery run ${context.run} task ${id}: ${what}`;
}
