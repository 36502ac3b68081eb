import { join } from 'node:path';
import { stepOf } from '#crew/state/state.ts';
import type { AttemptPlan, TaskFlow } from '#crew/task/task.ts';
import { writtenDependency } from '#crew/watch/dependencies.ts';
import { type CheckoutMarks, marksOfCheckout, pathsBetween } from '#crew/watch/marks.ts';
import { named } from '#crew/watch/siblings.ts';
import { assertRealFolder } from '#git/worktrees/folder-files.ts';
import { readWorktreeHead } from '#git/worktrees/worktrees.ts';
import { fileClock } from '#lib/file-clock.ts';
import type { StepCall } from '#schema/durable-port.ts';
import type { Incident } from '#schema/run.ts';
import { renewWorktree } from './open-worktree.ts';

/** What an attempt must not change, before the attempt. */
interface Surroundings {
  readonly outside: CheckoutMarks;
  /** Moves of the worktree's HEAD that we made. */
  readonly moves: number;
  /** By the clock of the file system. */
  readonly at: bigint;
}

/** Checks for files that others left in its worktree: they must not become its work. */
export async function enterWorktree(flow: TaskFlow, plan: AttemptPlan, call: StepCall): Promise<void> {
  const changed = await flow.siblings.begin(flow.id, plan.path);
  if (changed?.length === 0) return;
  const why = changed
    ? `was changed before its agent started (${named(changed)})`
    : 'could not be compared with what it was';
  const what = `the worktree of task ${flow.id} ${why} and was created again`;
  call.emit({ type: 'run.degraded', data: { what } });
  await renewWorktree(flow, plan);
}

export async function lookAround(flow: TaskFlow, plan: AttemptPlan): Promise<Surroundings> {
  const { repository } = flow.workshop;
  await flow.refWatch.begin(flow.id, plan.path, plan.branch);
  const [outside, head] = await Promise.all([marksOutside(flow), readWorktreeHead(repository, plan.path)]);
  const at = fileClock(join(flow.premises.scratch, 'clock'));
  return { outside, moves: head?.moves.length ?? 0, at };
}

/** Side effects of the agent, read from git's records and not from its report. */
export async function conductSince(
  flow: TaskFlow,
  plan: AttemptPlan,
  before: Surroundings,
): Promise<Incident[]> {
  const { repository } = flow.workshop;
  const moved = await flow.refWatch.end(flow.id);
  const besides = await flow.siblings.end(flow.id);
  const { provisioning } = flow.workshop;
  const [outside, head, tip, dependency] = await Promise.all([
    marksOutside(flow),
    readWorktreeHead(repository, plan.path),
    flow.refs.read(`refs/heads/${plan.branch}`),
    writtenDependency(provisioning, repository.workTree, before.at),
  ]);
  const all = head?.moves.slice(before.moves) ?? [];
  const moves = all.filter(({ who }) => !flow.refWatch.isForeign(flow.id, who));
  const isElsewhere = head !== null && head.branch !== `refs/heads/${plan.branch}`;
  return [
    ...committed(
      moves.map(({ what }) => what),
      tip !== plan.from,
    ),
    ...switched(moves, isElsewhere, head?.branch ?? null),
    ...replaced(plan.path),
    ...wroteOutside(before.outside, outside, dependency, othersAtWork(flow), flow.id),
    ...moved,
    ...besides,
  ];
}

function committed(moves: readonly string[], hasMoved: boolean): Incident[] {
  const own = moves.filter((what) => /^(commit|merge|rebase|cherry-pick|revert|am|pull)\b/.test(what));
  if (own.length === 0 && !hasMoved) return [];
  const first = own[0] === undefined ? '' : ` (${own[0]})`;
  const detail = `it moved its branch by itself${first}; its files were used, its commits were not`;
  return [{ kind: 'committed', detail, isBlocking: false }];
}

/** Work on another branch is not accepted, however good it is. */
function switched(
  moves: readonly { readonly from: string; readonly to: string; readonly what: string }[],
  isElsewhere: boolean,
  branch: string | null,
): Incident[] {
  const away = moves.filter(
    ({ from, to, what }) => what.startsWith('checkout: ') || (what.startsWith('reset: ') && from !== to),
  );
  if (!isElsewhere && away.length === 0) return [];
  const where = isElsewhere
    ? `it left its branch for ${branch ?? 'none'}`
    : 'it left its branch and came back';
  const how = away[0] === undefined ? '' : ` (${away[0].what})`;
  return [{ kind: 'switched-branch', detail: `${where}${how}`, isBlocking: isElsewhere }];
}

/** A replaced worktree is not read. */
function replaced(path: string): Incident[] {
  try {
    assertRealFolder(path);
    return [];
  } catch {
    const detail = 'its worktree is gone, or something else was put in its place';
    return [{ kind: 'replaced-worktree', detail, isBlocking: true }];
  }
}

/** A remark, not a verdict: a person may have changed the main checkout. */
function wroteOutside(
  before: CheckoutMarks,
  after: CheckoutMarks,
  dependency: string | null,
  others: readonly string[],
  id: string,
): Incident[] {
  const paths = [
    ...pathsBetween(before.files, after.files),
    ...pathsBetween(before.settings, after.settings),
    ...(dependency === null ? [] : [dependency]),
  ];
  if (paths.length === 0) return [];
  const who = others.length === 0 ? 'it' : `one of ${[id, ...others].join(', ')}`;
  const detail = `while it worked, ${named(paths)} changed in the main checkout: ${who}, or somebody else, wrote there`;
  return [{ kind: 'wrote-outside', detail, isBlocking: false }];
}

/** Tasks whose agents ran at the same time: their side effects cannot be told apart. */
function othersAtWork({ state, id }: TaskFlow): string[] {
  const since = stepOf(state, id).attempts.at(-1)?.promptedAt ?? '';
  return [...state.steps.values()]
    .filter(({ task, attempts }) => {
      const isAtWork = attempts.some(
        ({ promptedAt, endedAt }) => promptedAt !== null && (endedAt === null || endedAt >= since),
      );
      return task.id !== id && isAtWork;
    })
    .map(({ task }) => task.id);
}

function marksOutside({ workshop, premises }: TaskFlow): Promise<CheckoutMarks> {
  return marksOfCheckout(workshop.repository, premises.settings, workshop.provisioning.folders);
}
