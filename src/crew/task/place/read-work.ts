import type { AttemptPlan, TaskFlow } from '#crew/task/task.ts';
import { GitError } from '#git/call/git-error.ts';
import { GitTree } from '#git/trees/tree.ts';
import { FolderReader } from '#git/worktrees/folder-tree.ts';
import type { Incident } from '#schema/run.ts';

export type WorkReading =
  | { readonly status: 'read'; readonly tree: string; readonly incidents: Incident[] }
  /** The agent left it unreadable. */
  | { readonly status: 'unreadable'; readonly reason: string };

/** Reads the files of a worktree into a tree of our own. They are data: nothing there is run, asked or trusted. */
export async function readWork(
  { premises, workshop, stop, context }: TaskFlow,
  plan: AttemptPlan,
  path: string,
): Promise<WorkReading> {
  const { objects, settings } = premises;
  const base = await GitTree.read(objects.git, plan.from);
  const except = workshop.provisioning.folders;
  const signal = AbortSignal.any([context.lost, lateAfter(stop)]);
  const reader = new FolderReader({
    path,
    scratch: objects,
    base,
    settings,
    except,
    purpose: 'work',
    signal,
  });
  try {
    const { tree, nested } = await reader.read();
    return { status: 'read', tree, incidents: nested.map(repositoryWithin) };
  } catch (error) {
    if (error instanceof GitError && error.code === 'unreadable-worktree')
      return { status: 'unreadable', reason: error.message };
    throw error;
  }
}

/** What a stopped agent has written is kept, unless reading it takes too long. */
const longestAfterStopMs = 10_000;

function lateAfter(stop: AbortSignal): AbortSignal {
  const late = new AbortController();
  const begin = () => setTimeout(() => late.abort(), longestAfterStopMs).unref();
  if (stop.aborted) begin();
  else stop.addEventListener('abort', begin, { once: true });
  return late.signal;
}

function repositoryWithin(folder: string): Incident {
  const name = Buffer.from(folder, 'latin1').toString('utf8');
  const detail = `${name} is a repository of its own, so nothing in it was taken; remove ${name}/.git, or have git ignore ${name}`;
  return { kind: 'nested-repository', detail, isBlocking: true };
}
