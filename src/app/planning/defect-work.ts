import { join } from 'node:path';
import { programEnvironment } from '#app/workplace/program-environment.ts';
import { provideDependencies } from '#crew/task/dependencies.ts';
import { readBaseRules } from '#gates/definitions/base-rules.ts';
import { selectGates } from '#gates/definitions/select.ts';
import { runGates } from '#gates/run/run-gates.ts';
import { withOwnWorktree } from '#gates/runner/own-worktree.ts';
import { openEvidenceStore } from '#gates/runner/store.ts';
import { changedFiles, writeCommit } from '#git/branches.ts';
import { readFilesAt } from '#git/files-at.ts';
import { Git } from '#git/git.ts';
import { treeWithChanges } from '#git/pick-changes.ts';
import { createScratch } from '#git/scratch.ts';
import { diffTrees } from '#git/tree.ts';
import { openWorktreeReader } from '#git/worktree-tree.ts';
import { createDetachedWorktree, readWorktree, removeWorktree } from '#git/worktrees.ts';
import type { DefectEffects, Job, JobResult, Shown } from '#planning/defect/flow.ts';
import { scopeChanges } from '#planning/defect/scope.ts';
import type { Gate, GateDefinitions } from '#schema/gates.ts';
import type { Consultant } from './consult-agent.ts';
import type { PlanRoom } from './plan-room.ts';

export interface DefectPlace {
  readonly room: PlanRoom;
  readonly consultant: Consultant;
  readonly name: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  progress(text: string): void;
}

export async function gatesAt({ room }: Pick<DefectPlace, 'room'>): Promise<GateDefinitions> {
  const { gates } = await readBaseRules(room.base, (paths) =>
    readFilesAt(room.repository.git, room.base, paths),
  );
  return gates;
}

/** An agent at work on a defect, in a worktree of ours: nobody's checkout is touched. */
export async function workOn(
  { room, consultant, name, env }: DefectPlace,
  { role, n, prompt, from, message, scope }: Job,
): Promise<JobResult> {
  const { repository, config, state } = room;
  const path = join(state, 'worktrees', `defect-${name}`, `${role}-${n}`);
  const except = config.worktree.folders;
  const git = new Git({ cwd: repository.commonDir, isDurable: true });
  const fromTree = await git.text(['rev-parse', '--verify', '--end-of-options', `${from}^{tree}`]);
  const read = async () => {
    const reading = await readWorktree(repository, path, except);
    return reading.status === 'read' ? reading.tree : null;
  };
  try {
    await createDetachedWorktree(repository, path, from, `joinery: defect ${name}`);
    await provideDependencies(config.worktree, repository.workTree, path, programEnvironment(env));
    const reply = await consultant.work(
      { role, n, prompt, tier: 'standard' },
      { path, isUntouched: async () => (await read()) === fromTree },
    );
    const { outcome, reason, consultation } = reply;
    const tree = outcome === 'ok' ? await read() : null;
    if (tree === null) return { outcome, reason, commit: null, kept: [], reverted: [], consultation };
    const [changes = []] = await diffTrees(git, [[fromTree, tree]], { renames: false });
    const scoped = scopeChanges(
      scope,
      changes.map(({ path: file, before }) => ({ path: file, isNew: before === null })),
    );
    const kept = changes.filter((change) => scoped.kept.includes(change.path));
    if (kept.length === 0) return { outcome, reason, commit: null, ...scoped, consultation };
    const index = join(state, `index-defect-${process.pid}`);
    const commit = await writeCommit(git, {
      tree: await treeWithChanges(git, index, fromTree, kept),
      parents: [from],
      message,
      at: new Date().toISOString(),
    });
    return { outcome, reason, commit, ...scoped, consultation };
  } finally {
    await removeWorktree(repository, path);
  }
}

/** Gates of the base commit on one commit, compared with another one, each in a worktree that no agent has seen. */
export async function prove(
  { room, env, signal, progress }: DefectPlace,
  definitions: GateDefinitions,
  commit: string,
  comparedWith: string,
  which: Parameters<DefectEffects['prove']>[2],
): Promise<Shown> {
  const { repository, config, state, base } = room;
  const store = openEvidenceStore(state);
  const scratch = await createScratch(repository, join(store.folder, 'scratch'));
  const except = config.worktree.folders;
  const variables = programEnvironment(env);
  const provide = (path: string) =>
    provideDependencies(config.worktree, repository.workTree, path, variables);
  const reason = 'joinery: proof of a defect';
  try {
    const changes = await changedFiles(repository.git, base, commit);
    const all = selectGates(
      definitions,
      changes.map(({ path }) => path),
      'full',
    );
    const wanted = all.filter(({ kind }: Gate) => which === 'all' || kind === 'test');
    return await withOwnWorktree(
      { repository, folder: store.folder, commit, reason, provide },
      async (path) => {
        const results = await runGates(wanted, {
          place: {
            store,
            worktree: await openWorktreeReader(repository, scratch, path, except),
            env: variables,
            maxLogBytes: config.gates.logBytes,
            signal,
            run: null,
            task: null,
            attempt: null,
          },
          baseline: {
            ...{ repository, scratch, commit: comparedWith, provide, except },
            dependencies: 'run',
            isOptional: false,
          },
          progress,
        });
        return {
          newFailures: results.flatMap(({ newFailures }) => newFailures),
          knownFailures: results.flatMap(({ knownFailures }) => knownFailures),
          gates: results.map(({ gate, status, reason: why }) => ({ gate: gate.id, status, reason: why })),
          evidence: results.flatMap(({ evidence }) => (evidence === null ? [] : [evidence])),
        };
      },
    );
  } finally {
    await scratch.remove();
  }
}
