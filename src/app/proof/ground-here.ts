import { thisHost } from '#app/workplace/host.ts';
import { programEnvironment } from '#app/workplace/program-environment.ts';
import { projectBase } from '#app/workplace/project-base.ts';
import { readPlan } from '#app/workplace/read-plan.ts';
import { stateOf } from '#app/workplace/state-of.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { loadConfig, type Override } from '#config/read-config.ts';
import { openRepository, type Repository } from '#git/call/repository.ts';
import { type Assignment, groundBranch } from '#grounding/judge/ground-branch.ts';
import { shellWord } from '#lib/shell-word.ts';
import { UsageError } from '#schema/errors.ts';
import type { GroundReport } from '#schema/grounding.ts';
import { cacheDir } from '#schema/paths.ts';

export interface GroundWishes {
  readonly branch: string;
  /** Files the work may change; null: not declared. */
  readonly files: readonly string[] | null;
  readonly plan: string | undefined;
  readonly task: string | undefined;
  readonly flags: readonly Override[];
}

/** Checks that a branch's work is real: in scope, tested, nothing faked. */
export async function groundHere(surroundings: Surroundings, wishes: GroundWishes): Promise<GroundReport> {
  const { cwd, env, terminal, onInterrupt } = surroundings;
  const repository = await openRepository(cwd);
  const { flags } = wishes;
  const config = await loadConfig({ root: repository.workTree, env, flags });
  for (const warning of config.warnings) terminal.warn(warning);
  terminal.progress('reading the branch');
  return groundBranch({
    repository,
    branch: wishes.branch,
    base: await projectBase(repository, config, { env, flags }, terminal.warn),
    files: wishes.files,
    assignment: assignmentOf(wishes, surroundings, repository),
    cacheDir: cacheDir(thisHost(env)),
    onInterrupt,
  });
}

/** The plan's entry for the branch; null without a plan. */
function assignmentOf(
  options: GroundWishes,
  { cwd, env }: Pick<Surroundings, 'cwd' | 'env'>,
  { commonDir, workTree }: Repository,
): Assignment | null {
  if (options.plan === undefined) {
    if (options.task === undefined) return null;
    throw new UsageError({
      code: 'no-plan',
      message: `--task ${options.task} needs a plan`,
      hint: `joinery ground <branch> --plan plan.json --task ${shellWord(options.task)}`,
    });
  }
  if (options.files !== null) {
    throw new UsageError({
      code: 'declared-twice',
      message: 'the plan says what was to be changed, and so does --files',
      hint: 'leave one of them out',
    });
  }
  const plan = readPlan(cwd, options.plan);
  const wanted = options.task ?? (plan.tasks.length === 1 ? plan.tasks[0]?.id : undefined);
  const task = plan.tasks.find(({ id }) => id === wanted);
  if (task) {
    return {
      plan,
      task,
      environment: (config) => programEnvironment(env, config.gates.env),
      folder: stateOf(env, commonDir),
      async provide(config, path) {
        const { provideDependencies } = await import('#gates/runner/dependencies.ts');
        await provideDependencies(config.worktree, workTree, path, programEnvironment(env, config.gates.env));
      },
    };
  }
  throw new UsageError({
    code: 'unknown-task',
    message:
      wanted === undefined
        ? `${options.plan} has ${plan.tasks.length} tasks`
        : `${options.plan} has no task ${wanted}`,
    hint: `name one with --task: ${plan.tasks.map(({ id }) => id).join(', ')}`,
  });
}
