import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Workshop } from '#crew/workshop.ts';
import { openVerifiedObjects, type VerifiedObjects } from '#git/objects/verified-objects.ts';
import type { RunRefs } from '#git/refs/run-refs.ts';
import { type CheckoutSettings, readCheckoutSettings } from '#git/worktrees/checkout-settings.ts';
import type { WorktreeSource } from '#git/worktrees/worktrees.ts';
import { fileClock } from '#lib/file-clock.ts';
import type { FlowContext } from '#schema/durable-port.ts';
import { isSettled, type RunState } from './state.ts';

/** What one holder of a run works with and does not share with other processes. */
export interface Premises {
  /** Everything a verdict depends on is read from here, never from the repository that agents can write to. */
  readonly objects: VerifiedObjects;
  readonly settings: CheckoutSettings;
  readonly worktrees: string;
  readonly scratch: string;
  readonly source: WorktreeSource;
  /** The time by the clock of the file system, before the first agent of this holder started. */
  readonly since: bigint;
  close(): Promise<void>;
}

/** Opened before the first agent of this holder starts. */
export async function openPremises(
  workshop: Workshop,
  context: FlowContext,
  refs: RunRefs,
  state: RunState,
): Promise<Premises> {
  const { repository, git } = workshop;
  const { worktrees, scratch } = holderFolders(workshop, context);
  await Promise.all([worktrees, scratch].map((folder) => mkdir(folder, { recursive: true })));
  const since = fileClock(join(scratch, 'clock'));
  const settings = await settingsOf(workshop, context);
  const objects = await openVerifiedObjects(
    repository,
    git,
    join(scratch, 'objects'),
    state.base,
    commitsInUse(state),
  );
  return {
    objects,
    settings,
    worktrees,
    scratch,
    since,
    source: { repository, scratch: objects, settings, mayRemove: () => refs.assertHeld() },
    close: () => rm(join(scratch, 'objects'), { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** A holder that was replaced while it slept finds its own folders when it wakes up, not its successor's. */
function holderFolders(
  { folders }: Pick<Workshop, 'folders'>,
  { run, token }: Pick<FlowContext, 'run' | 'token'>,
): { readonly worktrees: string; readonly scratch: string } {
  const name = `holder-${token}`;
  return { worktrees: join(folders.worktrees(run), name), scratch: join(folders.scratch(run), name) };
}

/** The settings when the run started: an agent may have changed them since. */
async function settingsOf({ repository }: Workshop, context: FlowContext): Promise<CheckoutSettings> {
  const text = await context.step('settings', async () =>
    JSON.stringify(await readCheckoutSettings(repository)),
  );
  return JSON.parse(text) as CheckoutSettings;
}

/** The commits that unsettled tasks continue from. */
function commitsInUse(state: RunState): string[] {
  const open = [...state.steps.values()].filter((step) => !isSettled(step));
  const attempts = open.flatMap(({ attempts: all }) => all.slice(-1));
  const commits = [
    state.integration.commit,
    ...open.flatMap(({ commit, rework }) => [commit, rework?.start?.commit ?? null]),
    ...open.flatMap(({ rework }) => (rework?.takes ?? []).map((id) => state.steps.get(id)?.commit ?? null)),
    ...attempts.flatMap(({ base, from, commit, kept, review }) => [
      base,
      from,
      commit,
      kept,
      review?.start ?? null,
    ]),
  ];
  return [...new Set(commits.filter((commit) => commit !== null))];
}
