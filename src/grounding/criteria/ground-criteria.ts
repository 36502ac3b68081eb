import { join } from 'node:path';
import type { BaseRules } from '#gates/definitions/base-rules.ts';
import { withOwnWorktree } from '#gates/runner/own-worktree.ts';
import type { Repository } from '#git/call/repository.ts';
import type { Scratch } from '#git/objects/scratch.ts';
import { readFilesAt } from '#git/trees/files-at.ts';
import type { CriterionResult, Paths } from '#grounding/change/change.ts';
import type { Assignment } from '#grounding/judge/ground-branch.ts';
import { runCommand } from './run-command.ts';
import { verifyCriteria } from './verify-criteria.ts';

export interface Judged {
  readonly repository: Repository;
  readonly scratch: Scratch;
  /** The named worktree; null for a ref. */
  readonly worktree: string | null;
  readonly tip: string;
  readonly paths: Paths;
  readonly rules: BaseRules;
  readonly signal: AbortSignal;
}

/** Verifies the criteria of a task on a branch: in its worktree, otherwise in a temporary one. */
export async function groundCriteria(
  { task, environment, folder, provide }: Assignment,
  { repository, scratch, worktree, tip, paths, rules, signal }: Judged,
): Promise<CriterionResult[]> {
  const verifyIn = (cwd: string) =>
    verifyCriteria(task.acceptance, {
      tip: paths,
      gates: rules.gates.gates,
      read: async (path) => (await readFilesAt(scratch.git, tip, [path])).get(path) ?? null,
      run: (gate, path, isNamed) =>
        runCommand(gate, path, isNamed, {
          cwd,
          env: environment(rules.config),
          mark: `ground/${tip.slice(0, 12)}`,
          logFile: join(scratch.dir, 'criterion.log'),
          maxLogBytes: rules.config.gates.logBytes,
          memoryBytes: rules.config.gates.memoryBytes,
          signal,
        }),
    });
  const isRun = task.acceptance.some(({ verifyBy }) => verifyBy === 'test' || verifyBy === 'lint');
  if (worktree !== null) return verifyIn(worktree);
  // Nothing has to run, so nothing is checked out.
  if (!isRun) return verifyIn(scratch.dir);
  return withOwnWorktree(
    {
      repository,
      scratch,
      folder,
      commit: tip,
      reason: `joinery: the criteria of ${task.id}`,
      provide: (path) => provide(rules.config, path),
    },
    verifyIn,
  );
}
