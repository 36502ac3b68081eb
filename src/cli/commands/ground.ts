import { thisHost } from '#app/host.ts';
import { readOwnPackage } from '#app/own-package.ts';
import { programEnvironment } from '#app/program-environment.ts';
import { readPlan } from '#app/read-plan.ts';
import type { Invocation, Run } from '#cli/args/invocation.ts';
import { pageOf } from '#cli/terminal/page.ts';
import { flagsOf, loadConfig } from '#config/read-config.ts';
import { openRepository, type Repository } from '#git/repository.ts';
import { type Assignment, groundBranch } from '#grounding/ground-branch.ts';
import { UsageError } from '#schema/errors.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import { GroundReport } from '#schema/grounding.ts';
import { cacheDir, stateDir } from '#schema/paths.ts';
import { groundTable } from './ground.table.ts';

const exits = { pass: exitCodes.ok, fail: exitCodes.findings, inconclusive: exitCodes.needsPerson } as const;

export const run: Run<typeof groundTable> = async (invocation) => {
  const { options, positionals, cwd, env, terminal, onInterrupt } = invocation;
  const repository = await openRepository(cwd);
  const { values, warnings } = await loadConfig({
    root: repository.workTree,
    env,
    flags: flagsOf(groundTable, options),
  });
  for (const warning of warnings) terminal.warn(warning);
  terminal.progress('reading the branch');
  const report = await groundBranch({
    repository,
    branch: positionals[0] ?? '',
    base: values.base ?? null,
    files: options.files === undefined ? null : filesOf(options.files),
    assignment: assignmentOf(invocation, repository),
    cacheDir: cacheDir(thisHost(env)),
    onInterrupt,
  });
  terminal.settle();
  terminal.print(await render(report, invocation));
  return exits[report.status];
};

/** What a plan says about the branch; null without one. */
function assignmentOf(
  { options, cwd, env }: Invocation<typeof groundTable>,
  { commonDir, workTree }: Repository,
): Assignment | null {
  if (options.plan === undefined) {
    if (options.task === undefined) return null;
    throw new UsageError({
      code: 'no-plan',
      message: `there is no plan that task ${options.task} could stand in`,
      hint: `joinery ground <branch> --plan plan.json --task ${options.task}`,
    });
  }
  if (options.files !== undefined) {
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
    const variables = programEnvironment(env);
    return {
      plan,
      task,
      env: variables,
      folder: stateDir(thisHost(env), commonDir),
      async provide({ worktree }, path) {
        const { provideDependencies } = await import('#crew/task/dependencies.ts');
        await provideDependencies(worktree, workTree, path, variables);
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

function filesOf(text: string): string[] {
  const files = text.split(',').map((file) => file.trim());
  const bad = files.find((file) => file === '' || file.startsWith('/') || file.split('/').includes('..'));
  if (bad === undefined) return files;
  throw new UsageError({
    code: 'bad-files',
    message: `${JSON.stringify(bad)} is no path from the top of the repository`,
    hint: 'joinery ground <branch> --files src/a.ts,docs/',
  });
}

/** Only the format that was asked for is loaded. */
async function render(
  report: GroundReport,
  { options, globals, terminal, env }: Invocation<typeof groundTable>,
): Promise<string> {
  switch (globals.json ? 'json' : options.format) {
    case 'json': {
      const { printJson } = await import('#report/text/json.ts');
      return printJson(GroundReport.parse(report));
    }
    case 'sarif': {
      const { renderGroundSarif } = await import('#report/ground/sarif.ts');
      return renderGroundSarif(report, { version: readOwnPackage().version });
    }
    case 'junit': {
      const { renderGroundJunit } = await import('#report/ground/junit.ts');
      return renderGroundJunit(report);
    }
    case 'terminal': {
      const { renderGroundTerminal } = await import('#report/ground/terminal.ts');
      return renderGroundTerminal(report, pageOf(terminal, env));
    }
  }
}
