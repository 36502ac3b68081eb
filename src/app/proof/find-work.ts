import { existsSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { projectBase } from '#app/workplace/project-base.ts';
import { stateOf } from '#app/workplace/state-of.ts';
import { loadConfig } from '#config/read-config.ts';
import { openRunStore } from '#crew/run-store.ts';
import { chooseRun, runIds, stateOfRun } from '#crew/state/catalogue.ts';
import { GitError } from '#git/call/git-error.ts';
import type { Repository } from '#git/call/repository.ts';
import { readRef } from '#git/merges/branches.ts';
import { defaultBranch } from '#git/refs/refs.ts';
import { parseJsonFile } from '#lib/parse-json.ts';
import { UsageError } from '#schema/errors.ts';
import { Work } from '#schema/gates.ts';

/** What was typed. */
export interface WantedWork {
  readonly task?: string | undefined;
  readonly worktree?: string | undefined;
  readonly base?: string | undefined;
}

/** The work that gates and claims are about. */
export interface FoundWork {
  readonly worktree: string;
  /** Commit that gates and settings are read from. */
  readonly rules: string;
  /** Commit the work is compared with. */
  readonly base: string;
  readonly declared: readonly string[];
  readonly run: string | null;
  readonly task: string | null;
  readonly attempt: number | null;
  /** A warning about the base for the user. */
  readonly remark?: string;
}

export async function findWork(
  repository: Repository,
  env: NodeJS.ProcessEnv,
  wanted: WantedWork,
  warn: (warning: string) => void = () => {},
): Promise<FoundWork> {
  const top = repository.workTree;
  const ofTask = readWork(top, env, wanted) ?? findTask(repository, env, wanted);
  if (ofTask) return ofTask;
  if (top === null) {
    throw new UsageError({
      code: 'no-worktree',
      message: 'a bare repository has no files to run gates on',
      hint: 'go into a worktree of it: git worktree list',
    });
  }
  const ref = wanted.base ?? (await ownBase(repository, top, env, warn)) ?? (await defaultBranch(repository));
  const named = await readRef(repository.git, ref);
  const head = await readRef(repository.git, 'HEAD');
  if (named === null || head === null) {
    throw new GitError(
      'unknown-ref',
      named === null ? `there is no commit named ${JSON.stringify(ref)}` : 'nothing was committed yet',
      {
        hint: named === null ? 'name another: --base <rev>' : 'commit the gates first: git commit',
      },
    );
  }
  const merge = await repository.git.run(['merge-base', named, head], { accept: [0, 1] });
  const base = wanted.base === undefined && merge.code === 0 ? merge.stdout.toString('utf8').trim() : named;
  const worktree = realpathSync(top);
  const found = { worktree, rules: base, base, declared: [], run: null, task: null, attempt: null };
  const branch = await repository.git.run(['symbolic-ref', '--short', '-q', 'HEAD'], { accept: [0, 1] });
  // If a local branch moved onto the work, the work would be compared with itself.
  const isOwn = wanted.base === undefined && base === head && branch.stdout.toString('utf8').trim() !== ref;
  const remark = `${ref} holds all commits of this branch: they are judged by their own gates; to name another base: --base <rev>`;
  return isOwn ? { ...found, remark } : found;
}

async function ownBase(
  repository: Repository,
  top: string,
  env: NodeJS.ProcessEnv,
  warn: (warning: string) => void,
): Promise<string | null> {
  return projectBase(repository, await loadConfig({ root: top, env }), { env, flags: [] }, warn);
}

/** The file the run wrote for the programs of the task, if we are in the task's worktree. */
function readWork(top: string | null, env: NodeJS.ProcessEnv, wanted: WantedWork): FoundWork | null {
  if (top === null || !env.JOINERY_WORK || wanted.base !== undefined) return null;
  const work = Work.safeParse(parseJsonFile(env.JOINERY_WORK)).data;
  const isMeant = work?.worktree === realpathSync(top) && (wanted.task ?? work.task) === work.task;
  return work && isMeant ? work : null;
}

function realIfThere(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

/** The task that was named, that the environment names, or whose worktree we are in. */
function findTask(repository: Repository, env: NodeJS.ProcessEnv, wanted: WantedWork): FoundWork | null {
  const root = realIfThere(stateOf(env, repository.commonDir));
  const top = repository.workTree === null ? null : realpathSync(repository.workTree);
  const worktrees = join(root, 'worktrees') + sep;
  const inside = top?.startsWith(worktrees) ? top.slice(worktrees.length).split(sep)[0] : undefined;
  const named = inside ?? (wanted.task === undefined ? undefined : env.JOINERY_RUN);
  if (wanted.task === undefined && inside === undefined) return null;
  if (!existsSync(join(root, 'runs.db'))) {
    throw new UsageError({
      code: 'no-run',
      message: `there is no task ${wanted.task ?? ''} here: this repository has no runs`,
      hint: 'run the gates of this checkout without --task: joinery gates',
    });
  }
  const runs = openRunStore(repository, { env });
  try {
    const { engine } = runs;
    const known = named !== undefined && runIds(engine).includes(named) ? named : undefined;
    // Delegates of workflows also have worktrees there, but no task.
    if (wanted.task === undefined && known === undefined) return null;
    const run = known ?? chooseRun(engine, undefined, 'any');
    const state = stateOfRun(engine, run);
    const steps = [...state.steps.values()];
    const step =
      wanted.task === undefined
        ? steps.find(({ attempts }) => attempts.at(-1)?.path === top)
        : steps.find(({ task }) => task.id === wanted.task);
    if (!step) {
      if (wanted.task === undefined) return null;
      throw new UsageError({
        code: 'unknown-task',
        message: `run ${run} has no task ${wanted.task}`,
        hint: `its tasks: ${steps.map(({ task }) => task.id).join(', ')}`,
      });
    }
    const last = step.attempts.at(-1);
    const own = last && existsSync(last.path) ? last.path : top;
    const worktree = wanted.worktree === undefined ? own : top;
    if (worktree === null) return null;
    return {
      worktree,
      rules: state.base,
      base: last?.base ?? state.base,
      declared: step.task.files,
      run,
      task: step.task.id,
      attempt: last?.n ?? null,
    };
  } finally {
    runs.close();
  }
}
