import { homedir } from 'node:os';
import { checkBranches, judgingBy } from '#check/check.ts';
import { isSettled, type RunState, type StepState } from '#crew/state/state.ts';
import { definitionsAt } from '#crew/task/place/definitions.ts';
import type { TaskFlow } from '#crew/task/task.ts';
import type { CheckReport } from '#schema/check-report.ts';
import { cacheDir } from '#schema/paths.ts';

export interface NamedCommit {
  readonly ref: string;
  readonly commit: string;
}

/** `joinery check` on exactly these commits, with the settings of the run's base. */
export async function runCheck(
  { workshop, state, premises }: TaskFlow,
  base: string,
  tips: readonly NamedCommit[],
): Promise<CheckReport> {
  const { config } = await definitionsAt(premises.objects, state.base);
  const { report } = await checkBranches({
    repository: workshop.repository,
    base,
    branches: tips.map(({ ref }) => ref),
    commits: new Map([[base, base], ...tips.map(({ ref, commit }) => [ref, commit] as const)]),
    cacheDir: cacheDir({ env: workshop.env, home: homedir(), platform: process.platform }),
    maxCacheBytes: config.cache.maxBytes,
    ...judgingBy(config),
    today: state.createdAt.slice(0, 10),
  });
  return report;
}

/** Tasks that have committed something and are not settled. */
export function tasksInFlight({ steps }: RunState, id: string): StepState[] {
  return [...steps.values()].filter(
    (step) => step.task.id !== id && !isSettled(step) && step.commit !== null,
  );
}

export function tipOf({ branch, commit }: StepState): NamedCommit {
  return { ref: branch, commit: commit ?? '' };
}

/** Accepted tasks that changed a file, the last one last. */
export function acceptedWith({ steps }: RunState, file: string): string[] {
  return [...steps.values()]
    .filter(({ status, files }) => status === 'accepted' && files.includes(file))
    .map(({ task }) => task.id);
}
