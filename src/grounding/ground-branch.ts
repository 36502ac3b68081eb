import { join } from 'node:path';
import { type BaseRules, readBaseRules } from '#gates/definitions/base-rules.ts';
import { readGateInputs } from '#gates/definitions/read-inputs.ts';
import { readFilesIn } from '#git/files-at.ts';
import { historySince, noCommonHistory } from '#git/history.ts';
import { ObjectReader } from '#git/object-reader.ts';
import { defaultBranch, isWorktreePath, resolveCommit } from '#git/refs.ts';
import type { Repository } from '#git/repository.ts';
import { createScratch, type Scratch } from '#git/scratch.ts';
import { snapshotWorktree } from '#git/snapshot.ts';
import { GitTree } from '#git/tree.ts';
import type { GroundReport } from '#schema/grounding.ts';
import type { Plan, Task } from '#schema/plan.ts';
import type { Change, CriterionResult } from './change/change.ts';
import { readChange } from './change/read-change.ts';
import type { Judged } from './criteria/ground-criteria.ts';
import { ground } from './ground.ts';

/** What a plan says about the work, and how criteria that ask for commands are run. */
export interface Assignment {
  readonly plan: Plan;
  readonly task: Task;
  readonly env: Readonly<Record<string, string>>;
  /** A folder of ours for worktrees. */
  readonly folder: string;
  provide(settings: BaseRules['config'], worktree: string): Promise<unknown>;
}

export interface GroundRequest {
  readonly repository: Repository;
  readonly branch: string;
  /** null: the repository's default branch. */
  readonly base: string | null;
  /** null: nothing is declared. */
  readonly files: readonly string[] | null;
  /** The task it is the work of; null when nobody says. */
  readonly assignment: Assignment | null;
  readonly cacheDir: string;
  readonly onInterrupt?: (cleanup: () => Promise<void>) => () => void;
}

/** Does the work of one branch stand on the ground? */
export async function groundBranch(request: GroundRequest): Promise<GroundReport> {
  const { repository, cacheDir } = request;
  const scratch = await createScratch(repository, join(cacheDir, 'objects', repository.key));
  const stop = new AbortController();
  const ended = Promise.withResolvers<void>();
  const settled = request.onInterrupt?.(() => {
    stop.abort();
    return ended.promise;
  });
  const names = new ObjectReader(repository.git);
  try {
    return await judge(request, scratch, names, stop.signal);
  } finally {
    names.close();
    await scratch.remove();
    ended.resolve();
    settled?.();
  }
}

async function judge(
  request: GroundRequest,
  scratch: Scratch,
  names: ObjectReader,
  signal: AbortSignal,
): Promise<GroundReport> {
  const { repository, cacheDir, assignment } = request;
  const baseRef = request.base ?? (await defaultBranch(repository));
  const base = await resolveCommit(repository, names, baseRef);
  const snapshot = isWorktreePath(request.branch)
    ? await snapshotWorktree(repository, scratch, request.branch)
    : null;
  const tip = snapshot?.commit ?? (await resolveCommit(repository, names, request.branch));
  const mergeBase = (await historySince(scratch.git, base, [tip])).fork(tip)?.mergeBase ?? null;
  if (mergeBase === null) throw noCommonHistory(baseRef, request.branch, repository.isShallow);
  const tree = await GitTree.read(repository.git, base);
  const rules = await readBaseRules(base, (paths) => readFilesIn(tree, names, paths));
  const declared = assignment?.task.files ?? request.files;
  const change = await readChange(
    {
      git: scratch.git,
      base: mergeBase,
      tip,
      ...(mergeBase === base ? { listing: tree } : {}),
      cacheDir,
      maxCacheBytes: rules.config.cache.maxBytes,
      pythonRoots: rules.config.python.roots,
    },
    {
      declared,
      granted: [],
      others: assignment ? othersIn(assignment) : [],
      claim: { status: 'none' },
      gateInputs: await readGateInputs(names, tree, rules),
      gateRuns: null,
      policy: rules.config.grounding,
    },
  );
  const criteria = await criteriaOf(request, change, {
    ...{ scratch, tip, rules, signal },
    worktree: snapshot?.top ?? null,
  });
  const { status, checks, inconclusive } = ground({ ...change, criteria });
  return {
    schema: 'joinery/ground@1',
    status,
    base: { ref: baseRef, commit: base, mergeBase },
    branch: { ref: request.branch, commit: tip },
    files: change.files.length,
    declared: declared === null ? null : [...declared],
    task: assignment?.task.id ?? null,
    criteria: criteria.map(({ criterion, status: met, detail }) => ({ ...criterion, status: met, detail })),
    checks: [...checks],
    inconclusive: [...inconclusive],
  };
}

/** Without a run nobody knows who is done: what a task builds on has to be, the others may be at work. */
function othersIn({ plan, task }: Assignment): Change['others'] {
  const finished = new Set(task.dependsOn);
  for (const id of finished)
    for (const earlier of plan.tasks.find((each) => each.id === id)?.dependsOn ?? []) finished.add(earlier);
  return plan.tasks
    .filter(({ id }) => id !== task.id)
    .map(({ id, files }) => ({ id, files, isFinished: finished.has(id) }));
}

/** Criteria may run what was written: only when nothing else speaks against it. */
async function criteriaOf(
  { repository, assignment }: GroundRequest,
  change: Omit<Change, 'criteria'>,
  judged: Pick<Judged, 'scratch' | 'worktree' | 'tip' | 'rules' | 'signal'>,
): Promise<CriterionResult[]> {
  if (!assignment || assignment.task.acceptance.length === 0) return [];
  if (ground({ ...change, criteria: [] }).status !== 'pass') return [];
  // What runs programs is loaded only where one may have to run.
  const { groundCriteria } = await import('./criteria/ground-criteria.ts');
  return groundCriteria(assignment, { ...judged, repository, paths: change.tip });
}
