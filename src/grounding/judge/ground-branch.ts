import type { BaseRules } from '#gates/definitions/base-rules.ts';
import { readGateInputs } from '#gates/definitions/read-inputs.ts';
import { GitTree } from '#git/trees/tree.ts';
import type { Change, CriterionResult } from '#grounding/change/change.ts';
import { pathsOf } from '#grounding/change/read-change.ts';
import type { Judged } from '#grounding/criteria/ground-criteria.ts';
import type { Grounding } from '#grounding/ground.ts';
import type { GroundReport } from '#schema/grounding.ts';
import type { Plan, Task } from '#schema/plan.ts';
import { judgeApart } from './judge-work.ts';
import { type BranchRequest, type OpenBranch, withBranch } from './open-branch.ts';

/** What a plan says about the work, and how to run criteria that need commands. */
export interface Assignment {
  readonly plan: Plan;
  readonly task: Task;
  /** The environment of their programs. */
  environment(settings: BaseRules['config']): Readonly<Record<string, string>>;
  /** Joinery's folder for worktrees. */
  readonly folder: string;
  provide(settings: BaseRules['config'], worktree: string): Promise<unknown>;
}

export interface GroundRequest extends BranchRequest {
  /** null: nothing is declared. */
  readonly files: readonly string[] | null;
  /** The task this is the work of; null if unknown. */
  readonly assignment: Assignment | null;
}

/** Checks that the work of one branch is real: in scope, tested, nothing faked. */
export function groundBranch(request: GroundRequest): Promise<GroundReport> {
  return withBranch(request, (open) => judge(request, open));
}

async function judge(request: GroundRequest, open: OpenBranch): Promise<GroundReport> {
  const { cacheDir, assignment } = request;
  const { scratch, names, baseRef, base, tree, rules, mergeBase, tip, worktree, signal } = open;
  const declared = assignment?.task.files ?? request.files;
  const work = {
    objects: scratch,
    source: {
      base: mergeBase,
      tip,
      cacheDir,
      maxCacheBytes: rules.config.cache.maxBytes,
      pythonRoots: rules.config.python.roots,
    },
    told: {
      declared,
      granted: [],
      others: assignment ? othersIn(assignment) : [],
      claim: { status: 'none' as const },
      gateInputs: await readGateInputs(names, tree, rules),
      gateRuns: null,
      policy: rules.config.grounding,
    },
  };
  const first = await judgeApart({ ...work, criteria: [] }, { signal });
  const criteria = await criteriaOf(request, first.grounding, {
    ...{ scratch, tip, rules, signal },
    worktree,
  });
  const { grounding, files } =
    criteria.length === 0 ? first : await judgeApart({ ...work, criteria }, { signal });
  const { status, checks, inconclusive } = grounding;
  return {
    schema: 'joinery/ground@1',
    status,
    base: { ref: baseRef, commit: base, mergeBase },
    branch: { ref: request.branch, commit: tip },
    files,
    declared: declared === null ? null : [...declared],
    task: assignment?.task.id ?? null,
    criteria: criteria.map(({ criterion, status: met, detail }) => ({ ...criterion, status: met, detail })),
    checks: [...checks],
    inconclusive: [...inconclusive],
  };
}

/** Without a run the state of other tasks is unknown: dependencies must be done, the others may still be in progress. */
function othersIn({ plan, task }: Assignment): Change['others'] {
  const finished = new Set(task.dependsOn);
  for (const id of finished)
    for (const earlier of plan.tasks.find((each) => each.id === id)?.dependsOn ?? []) finished.add(earlier);
  return plan.tasks
    .filter(({ id }) => id !== task.id)
    .map(({ id, files }) => ({ id, files, isFinished: finished.has(id) }));
}

/** Criteria may execute the work: only if no other check objects to it. */
async function criteriaOf(
  { repository, assignment }: GroundRequest,
  { status }: Pick<Grounding, 'status'>,
  judged: Pick<Judged, 'scratch' | 'worktree' | 'tip' | 'rules' | 'signal'>,
): Promise<CriterionResult[]> {
  if (!assignment || assignment.task.acceptance.length === 0) return [];
  if (status !== 'pass') return [];
  // Loaded on demand: most branches have no criteria that run programs.
  const { groundCriteria } = await import('#grounding/criteria/ground-criteria.ts');
  const paths = pathsOf(await GitTree.read(judged.scratch.git, judged.tip));
  return groundCriteria(assignment, { ...judged, repository, paths });
}
