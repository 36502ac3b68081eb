import { existsSync, realpathSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { chooseRun, runIds, stateOfRun } from '../engine/catalogue.ts';
import { provideDependencies } from '../engine/dependencies.ts';
import { stateFolder } from '../engine/state-folder.ts';
import { openRunStore } from '../engine/workshop.ts';
import { readBaseConfig } from '../evidence/base-config.ts';
import { readGateDefinitions } from '../evidence/gates/definitions.ts';
import type { GateRoom } from '../evidence/gates/run-gates.ts';
import { selectGates } from '../evidence/gates/select.ts';
import type { ProofPlace } from '../evidence/runner/record.ts';
import { type EvidenceStore, openEvidenceStore } from '../evidence/runner/store.ts';
import { readRef } from '../git/branches.ts';
import { GitError } from '../git/git-error.ts';
import { defaultBranch } from '../git/refs.ts';
import { openRepository, type Repository } from '../git/repository.ts';
import { createScratch, type Scratch } from '../git/scratch.ts';
import { diffTrees } from '../git/tree.ts';
import { openWorktreeReader } from '../git/worktree-tree.ts';
import type { Config } from '../model/config.ts';
import { UsageError } from '../model/errors.ts';
import type { Gate, GateDefinitions, GateMode } from '../model/gates.ts';
import { loadConfig } from './config.ts';
import type { Invocation } from './invocation.ts';

interface Wanted {
  readonly task?: string | undefined;
  readonly worktree?: string | undefined;
  readonly base?: string | undefined;
}

/** The work that gates and claims are about: a worktree, where its rules come from, and the task it belongs to. */
export interface EvidenceRoom {
  readonly repository: Repository;
  /** The config of the commit the rules come from. */
  readonly config: Config;
  readonly definitions: GateDefinitions;
  readonly scratch: Scratch;
  readonly store: EvidenceStore;
  readonly place: ProofPlace;
  readonly baseline: GateRoom['baseline'];
  /** The tree as it is now. */
  readonly tree: string;
  gates(mode: GateMode): Gate[];
  /** What the task said it would change; empty without a task. */
  readonly declared: readonly string[];
}

/** Finds out what is meant, whoever asks: a person in a repository, or an agent in the worktree of its task. */
export async function withEvidence<T>(
  invocation: Pick<Invocation, 'cwd' | 'env' | 'terminal' | 'onInterrupt'>,
  wanted: Wanted,
  body: (room: EvidenceRoom) => Promise<T>,
): Promise<T> {
  const { cwd, env, onInterrupt } = invocation;
  const start = wanted.worktree === undefined ? cwd : resolve(cwd, wanted.worktree);
  if (!existsSync(start)) {
    throw new UsageError({
      code: 'no-such-directory',
      message: `there is no folder ${start}`,
      hint: 'list worktrees with: git worktree list',
    });
  }
  const repository = await openRepository(start);
  const work = await findWork(repository, env, wanted);
  const store = openEvidenceStore(stateFolder(repository.commonDir, env).root);
  const scratch = await createScratch(repository, join(store.folder, 'scratch'));
  const stop = new AbortController();
  const ended = Promise.withResolvers<void>();
  const forget = onInterrupt(() => {
    stop.abort();
    return ended.promise;
  });
  try {
    const config = await readBaseConfig(repository, work.rules);
    const except = config.worktree.folders;
    const worktree = await openWorktreeReader(repository, scratch, work.worktree, except);
    const variables = programEnvironment(env);
    const definitions = await readGateDefinitions(repository, work.rules, config);
    const tree = await worktree.tree();
    const baseTree = await treeOf(scratch, work.base);
    const [changes = []] = await diffTrees(scratch.git, [[baseTree, tree]], { renames: false });
    const files = [...work.declared, ...changes.map(({ path }) => path)];
    const { run, task, attempt } = work;
    return await body({
      repository,
      config,
      definitions,
      scratch,
      store,
      place: {
        store,
        worktree,
        env: variables,
        maxLogBytes: config.gates.logBytes,
        signal: stop.signal,
        run,
        task,
        attempt,
      },
      baseline: {
        repository,
        scratch,
        commit: work.base,
        provide: (path) => provideDependencies(config.worktree, work.worktree, path, variables),
        except,
      },
      tree,
      gates: (mode) => selectGates(definitions, files, mode),
      declared: work.declared,
    });
  } finally {
    await scratch.remove();
    ended.resolve();
    forget();
  }
}

function treeOf(scratch: Scratch, commit: string): Promise<string> {
  return scratch.git.text(['rev-parse', '--verify', '--end-of-options', `${commit}^{tree}`]);
}

interface Work {
  readonly worktree: string;
  /** Commit that gates and settings are read from. */
  readonly rules: string;
  /** Commit the work is compared with. */
  readonly base: string;
  readonly declared: readonly string[];
  readonly run: string | null;
  readonly task: string | null;
  readonly attempt: number | null;
}

async function findWork(repository: Repository, env: NodeJS.ProcessEnv, wanted: Wanted): Promise<Work> {
  const top = repository.workTree;
  const ofTask = findTask(repository, env, wanted);
  if (ofTask) return ofTask;
  if (top === null) {
    throw new UsageError({
      code: 'no-worktree',
      message: 'a bare repository has no files to run gates on',
      hint: 'go into a worktree of it: git worktree list',
    });
  }
  const ref = wanted.base ?? loadConfig({ root: top, env }).values.base ?? (await defaultBranch(repository));
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
  return { worktree, rules: base, base, declared: [], run: null, task: null, attempt: null };
}

/** The task that was named, that the environment speaks of, or whose worktree we are in. */
function findTask(repository: Repository, env: NodeJS.ProcessEnv, wanted: Wanted): Work | null {
  const folders = stateFolder(repository.commonDir, env);
  const top = repository.workTree === null ? null : realpathSync(repository.workTree);
  const worktrees = join(folders.root, 'worktrees') + sep;
  const inside = top?.startsWith(worktrees) ? top.slice(worktrees.length).split(sep)[0] : undefined;
  const named = inside ?? (wanted.task === undefined ? undefined : env.JOINERY_RUN);
  if (wanted.task === undefined && inside === undefined) return null;
  if (!existsSync(folders.database)) {
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

/** Variables that git sets in hooks would point a gate's git at another index or repository. */
const ofHooks =
  /^GIT_(DIR|WORK_TREE|INDEX_FILE|PREFIX|COMMON_DIR|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES)$/;

function programEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !ofHooks.test(entry[0]),
    ),
  );
}
