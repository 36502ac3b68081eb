import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { judgedFolder } from '#agents/desk.ts';
import { programEnvironment } from '#app/workplace/program-environment.ts';
import { readBaseRules } from '#gates/definitions/base-rules.ts';
import { selectGates } from '#gates/definitions/select.ts';
import { ownBaseline } from '#gates/run/own-baseline.ts';
import { runGates } from '#gates/run/run-gates.ts';
import { provideDependencies } from '#gates/runner/dependencies.ts';
import { gateTerms } from '#gates/runner/gate-environment.ts';
import { withOwnWorktree } from '#gates/runner/own-worktree.ts';
import { openEvidenceStore } from '#gates/runner/store.ts';
import { Git } from '#git/call/git.ts';
import { changedFiles, treeOf, writeCommit } from '#git/merges/branches.ts';
import { createScratch } from '#git/objects/scratch.ts';
import { openVerifiedObjects } from '#git/objects/verified-objects.ts';
import { filesOfCommit } from '#git/trees/files-at.ts';
import { treeWithChanges } from '#git/trees/pick-changes.ts';
import { diffTrees, GitTree } from '#git/trees/tree.ts';
import { readCheckoutSettings } from '#git/worktrees/checkout-settings.ts';
import { FolderReader } from '#git/worktrees/folder-tree.ts';
import { openWorktreeReader } from '#git/worktrees/worktree-tree.ts';
import { createWorktree, removeWorktree } from '#git/worktrees/worktrees.ts';
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
  const { gates } = await readBaseRules(room.base, filesOfCommit(room.repository.git, room.base));
  return gates;
}

/** Lets an agent work on a defect in a separate worktree: no user's checkout changes. */
export async function workOn(
  { room, consultant, name, env }: DefectPlace,
  { role, n, prompt, from, message, scope, wallMs }: Job,
): Promise<JobResult & { readonly text: string }> {
  const { repository, config, state } = room;
  const folder = join(state, 'worktrees', `defect-${name}`);
  mkdirSync(folder, { recursive: true });
  // Git records real paths.
  const desk = join(realpathSync(folder), `${role}-${n}`);
  mkdirSync(desk, { recursive: true });
  const path = join(desk, judgedFolder);
  const settings = await readCheckoutSettings(repository);
  const lasting = new Git({ cwd: repository.commonDir, isDurable: true });
  const objects = await openVerifiedObjects(repository, lasting, join(state, 'scratch', 'defects'), from);
  const { git } = objects;
  const fromTree = await treeOf(git, from);
  const base = await GitTree.read(git, from);
  const except = config.worktree.folders;
  // Read without git: an agent that works there could configure programs for git to run.
  const reader = new FolderReader({ path, scratch: objects, base, settings, except, purpose: 'work' });
  const read = async () => {
    const reading = await reader.read().catch(() => null);
    return reading?.nested.length === 0 ? reading.tree : null;
  };
  try {
    const reason = `joinery: defect ${name}`;
    await createWorktree(
      { repository, scratch: objects, settings },
      { path, branch: null, commit: from, reason },
    );
    await provideDependencies(
      config.worktree,
      repository.workTree,
      path,
      programEnvironment(env, config.gates.env),
    );
    const reply = await consultant.work(
      { role, n, prompt, tier: 'standard', ...(wallMs === undefined ? {} : { wallMs }) },
      { path, isUntouched: async () => (await read()) === fromTree },
    );
    const { outcome, reason: why, consultation, text } = reply;
    const tree = outcome === 'ok' ? await read() : null;
    if (tree === null)
      return { outcome, reason: why || unread, commit: null, kept: [], reverted: [], consultation, text };
    const [changes = []] = await diffTrees(git, [[fromTree, tree]], { renames: false });
    const scoped = scopeChanges(
      scope,
      changes.map(({ path: file, before }) => ({ path: file, isNew: before === null })),
    );
    const kept = changes.filter((change) => scoped.kept.includes(change.path));
    if (kept.length === 0) return { outcome, reason: why, commit: null, ...scoped, consultation, text };
    const index = join(state, `index-defect-${name.replaceAll('/', '-')}-${process.pid}`);
    const commit = await writeCommit(git, {
      tree: await treeWithChanges(git, index, fromTree, kept),
      parents: [from],
      message,
      at: new Date().toISOString(),
    });
    await objects.publish(commit, [from]);
    return { outcome, reason: why, commit, ...scoped, consultation, text };
  } finally {
    await removeWorktree(repository, path);
    await objects.remove();
  }
}

const unread = 'its worktree could not be read, or holds a repository of its own';

/** Runs the gates of the base commit on one commit and compares with another, each in a worktree no agent has seen. */
export async function prove(
  { room, env, signal, progress }: Omit<DefectPlace, 'consultant'>,
  definitions: GateDefinitions,
  commit: string,
  comparedWith: string,
  which: Parameters<DefectEffects['prove']>[2],
): Promise<Shown> {
  const { repository, config, state, base } = room;
  const store = openEvidenceStore(state);
  const scratch = await createScratch(repository, join(store.folder, 'scratch'));
  const except = config.worktree.folders;
  const variables = programEnvironment(env, config.gates.env);
  const provide = (path: string) =>
    provideDependencies(config.worktree, repository.workTree, path, variables);
  const reason = 'joinery: proof of a defect';
  const own = { repository, scratch, folder: store.folder, provide };
  try {
    const changes = await changedFiles(repository.git, base, commit);
    const all = selectGates(
      definitions,
      changes.map(({ path }) => path),
      'full',
    );
    const wanted = all.filter(({ kind }: Gate) => which === 'all' || kind === 'test');
    return await withOwnWorktree({ ...own, commit, reason }, async (path) => {
      const results = await runGates(wanted, {
        place: {
          store,
          worktree: await openWorktreeReader(repository, scratch, path, except),
          ...gateTerms(config, env, variables),
          signal,
          run: null,
          task: null,
          attempt: null,
        },
        baseline: ownBaseline({
          ...{ ...own, commit: comparedWith, except },
          dependencies: 'run',
          isOptional: false,
        }),
        progress,
      });
      return {
        newFailures: results.flatMap(({ newFailures }) => newFailures),
        knownFailures: results.flatMap(({ knownFailures }) => knownFailures),
        gates: results.map(({ gate, status, reason: why }) => ({ gate: gate.id, status, reason: why })),
        evidence: results.flatMap(({ evidence }) => (evidence === null ? [] : [evidence])),
      };
    });
  } finally {
    await scratch.remove();
  }
}
