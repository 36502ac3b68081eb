import { join } from 'node:path';
import { thisHost } from '#app/workplace/host.ts';
import { programEnvironment } from '#app/workplace/program-environment.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import type { BranchTip } from '#check/branches/branch-tips.ts';
import { checkBranches } from '#check/check.ts';
import { loadConfig } from '#config/read-config.ts';
import type { Config } from '#config/settings.ts';
import { integrationBranch, newRunId } from '#crew/state/names.ts';
import { provideDependencies } from '#crew/task/dependencies.ts';
import { readBaseRules } from '#gates/definitions/base-rules.ts';
import { ownBaseline } from '#gates/run/own-baseline.ts';
import { runGates } from '#gates/run/run-gates.ts';
import { withOwnWorktree } from '#gates/runner/own-worktree.ts';
import { openEvidenceStore } from '#gates/runner/store.ts';
import { readRef } from '#git/branches.ts';
import { readFilesAt } from '#git/files-at.ts';
import { Git } from '#git/git.ts';
import { GitError } from '#git/git-error.ts';
import { defaultBranch } from '#git/refs.ts';
import { openRepository, type Repository } from '#git/repository.ts';
import { createScratch, type Scratch } from '#git/scratch.ts';
import { openWorktreeReader } from '#git/worktree-tree.ts';
import { integrate } from '#integrate/integrate.ts';
import { type LandingOutcome, land } from '#integrate/land/land.ts';
import { receiptDigest, storeReceipt, writeLandingCommit } from '#integrate/receipt/receipt.ts';
import { compileGlobs } from '#lib/glob.ts';
import { UsageError } from '#schema/errors.ts';
import type { IntegrationReport, Receipt } from '#schema/integration.ts';
import { cacheDir, stateDir } from '#schema/paths.ts';

export interface IntegrationWishes {
  readonly branches: readonly string[];
  /** undefined: the default branch. */
  readonly into: string | undefined;
  readonly isPartial: boolean;
  /** Move the target when everything holds. */
  readonly lands: boolean;
  readonly mayUpdateCheckout: boolean;
}

const mostRounds = 3;

/** Merges branches, proves that nothing was lost and that they fit, and lands them, or nothing. */
export async function integrateHere(
  surroundings: Surroundings,
  wishes: IntegrationWishes,
): Promise<IntegrationReport> {
  const { cwd, env, terminal, onInterrupt } = surroundings;
  const repository = await openRepository(cwd);
  const { values, warnings } = await loadConfig({ root: repository.workTree, env });
  for (const warning of warnings) terminal.warn(warning);
  const git = new Git({ cwd: repository.commonDir, isDurable: true });
  const state = stateDir(thisHost(env), repository.commonDir);
  const scratch = await createScratch(repository, join(state, 'integrate'));
  const forget = onInterrupt(scratch.remove);
  try {
    const place = { repository, git, scratch, config: values, env, state };
    // The target may move while the gates run: then everything is proven again, for the new target.
    for (let round = 1; ; round++) {
      const { report, isOvertaken } = await integrateIn(place, surroundings, wishes);
      if (!isOvertaken || round === mostRounds) return report;
      terminal.warn(`${report.target.ref} moved meanwhile: checking again`);
    }
  } finally {
    await scratch.remove();
    forget();
  }
}

interface Place {
  readonly repository: Repository;
  readonly git: Git;
  readonly scratch: Scratch;
  readonly config: Config;
  readonly env: NodeJS.ProcessEnv;
  readonly state: string;
}

async function integrateIn(
  place: Place,
  { terminal, onInterrupt }: Pick<Surroundings, 'terminal' | 'onInterrupt'>,
  { branches: names, into, isPartial, lands, mayUpdateCheckout }: IntegrationWishes,
): Promise<{ report: IntegrationReport; isOvertaken: boolean }> {
  const { repository, git, scratch, config, env } = place;
  const name = into ?? config.base ?? (await defaultBranch(repository));
  const ref = await branchRef(git, name);
  const target = { ref: name, commit: await commitOf(git, ref) };
  const branches: BranchTip[] = [];
  for (const each of new Set(names)) branches.push({ ref: each, commit: await commitOf(git, each) });
  const id = newRunId();
  const branch = integrationBranch(id);
  const at = new Date().toISOString();
  const outcome = await integrate({
    git,
    scratch: scratch.git,
    id,
    target,
    branches,
    isPartial,
    decisions: [],
    check: async (base, others) => {
      const { report } = await checkBranches({
        repository,
        base: base.ref,
        branches: others.map((tip) => tip.ref),
        commits: new Map([base, ...others].map((tip) => [tip.ref, tip.commit])),
        cacheDir: cacheDir(thisHost(env)),
        maxCacheBytes: config.cache.maxBytes,
        pythonRoots: config.python.roots,
        policy: config,
        confirm: { by: config.confirm, demanded: false, timeLimitMs: config.checkers.timeoutSeconds * 1000 },
        today: at.slice(0, 10),
        progress: terminal.progress,
        onInterrupt,
      });
      return report;
    },
    gates: (commit) => gatesOn(place, target.commit, commit, terminal.progress),
    at,
    progress: terminal.progress,
  });
  const common = {
    schema: 'joinery/integrate@1' as const,
    id,
    merged: outcome.merged.map((tip) => ({ ...tip })),
    left: [...outcome.left],
    lost: [...outcome.lost],
  };
  const { receipt } = outcome;
  const unmoved = { ref: target.ref, before: target.commit, after: null };
  if (outcome.status !== 'ready' || !receipt)
    return still({
      ...common,
      status: outcome.status === 'ready' ? 'inconclusive' : outcome.status,
      target: unmoved,
      integration: null,
      steps: [...outcome.steps],
      receipt: null,
      next: null,
    });
  const landing = await writeLandingCommit(git, { receipt, at });
  await storeReceipt(git, receipt);
  await git.run(['update-ref', `refs/heads/${branch}`, landing]);
  const integration = { branch, commit: landing };
  const digest = receiptDigest(receipt);
  const finish = `joinery integrate ${names.join(' ')} --into ${name} --land`;
  if (!lands) {
    const steps = [
      ...outcome.steps,
      { name: 'land' as const, status: 'skipped' as const, detail: 'not asked for' },
    ];
    return still({
      ...common,
      status: 'ready',
      target: unmoved,
      integration,
      steps,
      receipt: digest,
      next: finish,
    });
  }
  const landed = await land(repository, git, {
    ref,
    from: target.commit,
    to: landing,
    isProtected: compileGlobs(config.run.protected)(name),
    mayUpdateCheckout,
  });
  const isLanded = landed.status === 'landed';
  const steps = [
    ...outcome.steps,
    {
      name: 'land' as const,
      status: isLanded ? ('pass' as const) : ('warn' as const),
      detail: describe(landed, name),
    },
  ];
  return {
    isOvertaken: landed.status === 'moved',
    report: {
      ...common,
      status: isLanded ? 'landed' : 'ready',
      target: { ...unmoved, after: isLanded ? landing : null },
      integration,
      steps,
      receipt: digest,
      next: isLanded ? null : landed.status === 'kept' ? landed.next : finish,
    },
  };
}

function still(report: IntegrationReport): { report: IntegrationReport; isOvertaken: boolean } {
  return { report, isOvertaken: false };
}

function describe(outcome: LandingOutcome, name: string): string {
  switch (outcome.status) {
    case 'landed':
      return `${name} moved`;
    case 'moved':
      return `${name} moved meanwhile, to ${outcome.now?.slice(0, 12) ?? 'nothing'}`;
    case 'kept':
      return outcome.reason;
  }
}

async function branchRef(git: Git, name: string): Promise<string> {
  const full = await git.run(
    ['rev-parse', '--symbolic-full-name', '--verify', '--quiet', '--end-of-options', name],
    {
      accept: [0, 1, 128],
    },
  );
  const ref = full.stdout.toString('utf8').trim();
  if (ref.startsWith('refs/heads/')) return ref;
  throw new UsageError({
    code: 'no-branch',
    message: `${JSON.stringify(name)} is no local branch, so nothing can land on it`,
    hint: 'name one: joinery integrate <branch>… --into main',
  });
}

async function commitOf(git: Git, name: string): Promise<string> {
  const commit = await readRef(git, name);
  if (commit !== null) return commit;
  throw new GitError('unknown-ref', `there is no commit named ${JSON.stringify(name)}`, {
    hint: 'list branches with: git branch --all',
  });
}

/** The gates that the target defines, run on another commit in a worktree of our own. */
async function gatesOn(
  { repository, scratch, env, state }: Place,
  base: string,
  commit: string,
  progress: (text: string) => void,
): Promise<Receipt['evidence'] | null> {
  const { config, gates } = await readBaseRules(base, (paths) => readFilesAt(repository.git, base, paths));
  if (gates.gates.length === 0) return null;
  const store = openEvidenceStore(state);
  const variables = programEnvironment(env);
  const provide = (path: string) =>
    provideDependencies(config.worktree, repository.workTree, path, variables);
  const except = config.worktree.folders;
  const own = { repository, scratch, folder: store.folder, provide };
  return withOwnWorktree({ ...own, commit, reason: 'joinery: the gates of an integration' }, async (path) => {
    const worktree = await openWorktreeReader(repository, scratch, path, except);
    const results = await runGates(gates.gates, {
      place: {
        store,
        worktree,
        env: variables,
        maxLogBytes: config.gates.logBytes,
        run: null,
        task: null,
        attempt: null,
      },
      baseline: ownBaseline({ ...own, commit: base, dependencies: 'run', isOptional: false, except }),
      progress,
    });
    return results.map(({ gate, status, evidence, tree }) => ({
      gate: gate.id,
      status,
      evidence,
      tree: tree ?? '',
    }));
  });
}
