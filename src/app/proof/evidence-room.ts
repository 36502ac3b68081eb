import { existsSync, lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { programEnvironment } from '#app/workplace/program-environment.ts';
import { stateOf } from '#app/workplace/state-of.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import type { Config } from '#config/settings.ts';
import { readBaseRules } from '#gates/definitions/base-rules.ts';
import { selectGates } from '#gates/definitions/select.ts';
import { ownBaseline } from '#gates/run/own-baseline.ts';
import type { GateRoom } from '#gates/run/run-gates.ts';
import { provideDependencies } from '#gates/runner/dependencies.ts';
import { gateTerms } from '#gates/runner/gate-environment.ts';
import type { ProofPlace } from '#gates/runner/record.ts';
import { type EvidenceStore, openEvidenceStore, spareRoot } from '#gates/runner/store.ts';
import { openRepository, type Repository } from '#git/call/repository.ts';
import { treeOf } from '#git/merges/branches.ts';
import { createScratch, type Scratch } from '#git/objects/scratch.ts';
import { filesOfCommit } from '#git/trees/files-at.ts';
import { type Change, diffTrees } from '#git/trees/tree.ts';
import { openWorktreeReader } from '#git/worktrees/worktree-tree.ts';
import { EnvironmentError, UsageError } from '#schema/errors.ts';
import type { Gate, GateDefinitions, GateMode } from '#schema/gates.ts';
import { findWork, type WantedWork } from './find-work.ts';

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
  /** Changes against the base. */
  readonly changes: readonly Change[];
  /** Files the task declared; empty without a task. */
  readonly declared: readonly string[];
}

/** Finds the work in question, for a person in a repository or an agent in the worktree of its task. */
export async function withEvidence<T>(
  invocation: Surroundings,
  wanted: WantedWork,
  body: (room: EvidenceRoom) => Promise<T>,
): Promise<T> {
  const { cwd, env, terminal, onInterrupt } = invocation;
  const start = wanted.worktree === undefined ? cwd : resolve(cwd, wanted.worktree);
  if (!existsSync(start)) {
    throw new UsageError({
      code: 'no-such-directory',
      message: `there is no folder ${start}`,
      hint: 'list worktrees with: git worktree list',
    });
  }
  const repository = await openRepository(start);
  const work = await findWork(repository, env, wanted, terminal.warn);
  const { store, scratch, refused } = await openWritable(repository, env);
  if (refused !== null) {
    terminal.warn(`${refused} cannot be written here: what is recorded now is kept in ${store.folder} alone`);
  }
  if (work.remark !== undefined) terminal.warn(work.remark);
  const stop = new AbortController();
  const ended = Promise.withResolvers<void>();
  const forget = onInterrupt(() => {
    stop.abort();
    return ended.promise;
  });
  try {
    const { config, gates: definitions } = await readBaseRules(
      work.rules,
      filesOfCommit(repository.git, work.rules),
    );
    const except = config.worktree.folders;
    const worktree = await openWorktreeReader(repository, scratch, work.worktree, except);
    const variables = programEnvironment(env, config.gates.env);
    const tree = await worktree.tree();
    const baseTree = await treeOf(scratch.git, work.base);
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
        ...gateTerms(config, env, variables),
        signal: stop.signal,
        run,
        task,
        attempt,
      },
      baseline: ownBaseline({
        repository,
        scratch,
        folder: store.folder,
        commit: work.base,
        provide: (path) => provideDependencies(config.worktree, work.worktree, path, variables),
        dependencies: 'worktree',
        isOptional: refused !== null,
        except,
      }),
      tree,
      gates: (mode) => selectGates(definitions, files, mode),
      changes,
      declared: work.declared,
    });
  } finally {
    await scratch.remove();
    ended.resolve();
    forget();
  }
}

/** The state folder; inside a sandbox that only allows temporary folders, a temporary one. */
async function openWritable(
  repository: Repository,
  env: NodeJS.ProcessEnv,
): Promise<{ store: EvidenceStore; scratch: Scratch; refused: string | null }> {
  const root = stateOf(env, repository.commonDir);
  const open = async (folder: string) => {
    const store = openEvidenceStore(folder);
    return { store, scratch: await createScratch(repository, join(store.folder, 'scratch')) };
  };
  try {
    return { ...(await open(root)), refused: null };
  } catch (error) {
    if (!/^(EACCES|EPERM|EROFS)$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
    const spare = spareRoot(env.XDG_CACHE_HOME || tmpdir(), repository.key);
    makeOwn(dirname(spare));
    return { ...(await open(spare)), refused: root };
  }
}

/** Temporary folders are shared: what another user put there is not evidence. */
function makeOwn(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  const isOwn = found.uid === (process.getuid?.() ?? found.uid) && (found.mode & 0o022) === 0;
  if (found.isDirectory() && isOwn) return;
  throw new EnvironmentError({
    code: 'foreign-folder',
    message: `${folder} belongs to somebody else, or others can write to it: what it holds proves nothing`,
    hint: 'choose a place of your own: JOINERY_STATE_DIR=<folder>',
  });
}
