import { join } from 'node:path';
import { contractStep } from '#app/contracts/contract-step.ts';
import { thisHost } from '#app/workplace/host.ts';
import { programEnvironment } from '#app/workplace/program-environment.ts';
import { stateOf } from '#app/workplace/state-of.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import type { BranchTip } from '#check/branches/branch-tips.ts';
import { checkBranches, judgingBy } from '#check/check.ts';
import type { Config } from '#config/settings.ts';
import { integrationBranch } from '#crew/state/names.ts';
import { readBaseConfig, readBaseRules } from '#gates/definitions/base-rules.ts';
import { ownBaseline } from '#gates/run/own-baseline.ts';
import { runGates } from '#gates/run/run-gates.ts';
import { provideDependencies } from '#gates/runner/dependencies.ts';
import { gateTerms } from '#gates/runner/gate-environment.ts';
import { withOwnWorktree } from '#gates/runner/own-worktree.ts';
import { openEvidenceStore } from '#gates/runner/store.ts';
import { Git } from '#git/call/git.ts';
import type { Repository } from '#git/call/repository.ts';
import { createScratch, type Scratch } from '#git/objects/scratch.ts';
import { filesOfCommit } from '#git/trees/files-at.ts';
import { openWorktreeReader } from '#git/worktrees/worktree-tree.ts';
import { integrate } from '#integrate/integrate.ts';
import type { Integration, IntegrationRequest } from '#integrate/integration.ts';
import type { Resolution, TextConflict } from '#integrate/merge/merge-branches.ts';
import { receiptDigest, storeReceipt, writeLandingCommit } from '#integrate/receipt/receipt.ts';
import type { Suites } from '#integrate/suite/suite.ts';
import { withOwnCommand } from '#process/own-command.ts';
import type { CheckReport } from '#schema/check-report.ts';
import type { Contract } from '#schema/contract.ts';
import type { AcceptedLoss, IntegrationReport, Receipt } from '#schema/integration.ts';
import { cacheDir } from '#schema/paths.ts';
import type { Acceptance } from '#schema/verdict.ts';
import { suitesHere } from './suites-here.ts';

export interface IntegrationRoom {
  readonly repository: Repository;
  readonly git: Git;
  readonly scratch: Scratch;
  readonly config: Config;
  readonly env: NodeJS.ProcessEnv;
  readonly state: string;
}

type Here = Pick<Surroundings, 'env' | 'onInterrupt'>;

/** Opens what an integration works with, for as long as `body` runs. */
export async function withIntegrationRoom<T>(
  { env, onInterrupt }: Here,
  repository: Repository,
  config: Config,
  body: (room: IntegrationRoom) => Promise<T>,
): Promise<T> {
  const git = new Git({ cwd: repository.commonDir, isDurable: true });
  const state = stateOf(env, repository.commonDir);
  const scratch = await createScratch(repository, join(state, 'integrate'));
  const forget = onInterrupt(scratch.remove);
  try {
    return await body({ repository, git, scratch, config, env, state });
  } finally {
    await scratch.remove();
    forget();
  }
}

export interface IntegrationWish {
  /** Id of the receipt and of the integration branch. */
  readonly id: string;
  readonly target: BranchTip;
  /** In landing order. */
  readonly branches: readonly BranchTip[];
  readonly isPartial: boolean;
  /** Losses that a person accepts. */
  readonly decisions: readonly AcceptedLoss[];
  /** Findings that a person accepts. */
  readonly accept: readonly Acceptance[];
  /** Who decided that it may land although nothing was run on it; undefined: nobody. */
  readonly unproven?: string | undefined;
  /** Part of the commits: the same request gives the same commit ids. */
  readonly at: string;
  /** The command that finishes it. */
  readonly next: string;
  /** The contract between the branches; null if there is none. */
  readonly contract: Contract | null;
  /** The tasks whose work is on a branch; undefined outside a run. */
  readonly tasksOf?: (ref: string) => readonly string[];
  /** Asked about text conflicts; undefined: conflicts remain. */
  readonly resolve?: (conflict: TextConflict) => Promise<Resolution>;
  /** Only report: no landing commit, no receipt. */
  readonly isDryRun?: boolean;
  /** Called at the points where a crash must be survivable; tests crash there. */
  readonly probe?: (point: string) => void;
}

/**
 * Builds what would land and proves it. Writes the landing commit and its receipt; no branch moves. `ready` in the
 * report means that only the target has to move.
 */
export async function proveIntegration(
  room: IntegrationRoom,
  around: Pick<Surroundings, 'terminal' | 'onInterrupt'>,
  wish: IntegrationWish,
): Promise<IntegrationReport> {
  const { git } = room;
  const { id, target, at, isDryRun = false, probe = () => {}, unproven } = wish;
  const outcome = await tryToIntegrate(room, around, wish);
  const next = outcome.unrun === null || unproven !== undefined ? wish.next : `${wish.next} --unproven`;
  const common = {
    schema: 'joinery/integrate@1' as const,
    id,
    target: { ref: target.ref, before: target.commit, after: null },
    merged: outcome.merged.map((tip) => ({ ...tip })),
    left: [...outcome.left],
    lost: [...outcome.lost],
    findings: [...outcome.findings],
    steps: [...outcome.steps],
    ...(outcome.unrun === null ? {} : { unproven: { reason: outcome.unrun, by: unproven ?? null } }),
  };
  const { receipt } = outcome;
  if (outcome.status !== 'ready' || !receipt) {
    const status = outcome.status === 'ready' ? 'undecided' : outcome.status;
    return { ...common, status, integration: null, receipt: null, next: null };
  }
  if (isDryRun) {
    const skipped = { name: 'land', status: 'skipped', detail: 'not asked for' } as const;
    return {
      ...common,
      steps: [...common.steps, skipped],
      status: 'ready',
      integration: null,
      receipt: null,
      next,
    };
  }
  probe('integrate: proven');
  const commit = await writeLandingCommit(git, { receipt, at });
  probe('integrate: landing commit written');
  await storeReceipt(git, receipt);
  probe('integrate: receipt stored');
  return {
    ...common,
    status: 'ready',
    integration: { branch: integrationBranch(id), commit },
    receipt: receiptDigest(receipt),
    next,
  };
}

/** The steps of an integration, with what they need of this machine. */
async function tryToIntegrate(
  room: IntegrationRoom,
  around: Pick<Surroundings, 'terminal' | 'onInterrupt'>,
  wish: IntegrationWish,
): Promise<Integration> {
  const suites = await suitesHere(room, around, wish.target.commit);
  try {
    return await integrate(requestOf(room, around, wish, suites));
  } finally {
    suites.close();
  }
}

function requestOf(
  room: IntegrationRoom,
  around: Pick<Surroundings, 'terminal' | 'onInterrupt'>,
  {
    id,
    target,
    branches,
    isPartial,
    decisions,
    accept,
    unproven,
    at,
    contract,
    tasksOf,
    resolve,
  }: IntegrationWish,
  suites: Suites,
): IntegrationRequest {
  const { git, scratch } = room;
  const accepted = [...accept];
  const { progress } = around.terminal;
  return {
    git,
    scratch: scratch.git,
    folder: scratch.dir,
    id,
    target,
    branches,
    isPartial,
    decisions,
    check: async (base, others) => {
      const report = await checkTips(
        room,
        around,
        { at, settingsAt: target.commit, accept: accepted },
        base,
        others,
      );
      // After a merge the same cause is between the target and what remains, under another id.
      for (const finding of report.findings) {
        const by = accepted.find(({ id: known }) => finding.id.startsWith(known));
        if (by && finding.accepted !== undefined) accepted.push({ ...by, id: finding.rootCause });
      }
      return report;
    },
    tasksOf,
    contract: async (commit, merged) => {
      if (contract === null) return null;
      const tasks = tasksOf && new Set(merged.flatMap(({ ref }) => tasksOf(ref)));
      return contractStep(scratch.git, contract, {
        target,
        merged,
        commit,
        tasks: isPartial ? tasks : undefined,
      });
    },
    resolve: resolve ?? null,
    gates: (commit) => gatesOn(room, target.commit, commit, progress),
    suites,
    unproven: unproven ?? null,
    at,
    progress,
  };
}

interface Judging {
  readonly at: string;
  /** The commit whose settings judge: the target as it is, whatever the branches change in them. */
  readonly settingsAt: string;
  readonly accept: readonly Acceptance[];
}

/** `joinery check` on exactly these commits. */
export async function checkTips(
  { repository, config, env }: IntegrationRoom,
  { terminal, onInterrupt }: Pick<Surroundings, 'terminal' | 'onInterrupt'>,
  { at, settingsAt, accept }: Judging,
  base: BranchTip,
  others: readonly BranchTip[],
): Promise<CheckReport> {
  const judging = await readBaseConfig(settingsAt, filesOfCommit(repository.git, settingsAt));
  const { report } = await checkBranches({
    repository,
    base: base.ref,
    branches: others.map((tip) => tip.ref),
    commits: new Map([base, ...others].map((tip) => [tip.ref, tip.commit])),
    cacheDir: cacheDir(thisHost(env)),
    maxCacheBytes: config.cache.maxBytes,
    ...judgingBy(judging),
    policy: { ...judging, accept },
    today: at.slice(0, 10),
    progress: terminal.progress,
    onInterrupt,
  });
  return report;
}

/** Runs the gates that the target defines, except its tests, on another commit, in a separate worktree. */
async function gatesOn(
  { repository, scratch, env, state }: IntegrationRoom,
  base: string,
  commit: string,
  progress: (text: string) => void,
): Promise<Receipt['evidence'] | null> {
  const { config, gates } = await readBaseRules(base, filesOfCommit(repository.git, base));
  const others = gates.gates.filter(({ kind }) => kind !== 'test');
  if (others.length === 0) return null;
  const store = openEvidenceStore(state);
  // As in a run: a gate may call `joinery` by name.
  const variables = programEnvironment(withOwnCommand(env, state), config.gates.env);
  const provide = (path: string) =>
    provideDependencies(config.worktree, repository.workTree, path, variables);
  const except = config.worktree.folders;
  const own = { repository, scratch, folder: store.folder, provide };
  return withOwnWorktree({ ...own, commit, reason: 'joinery: the gates of an integration' }, async (path) => {
    const worktree = await openWorktreeReader(repository, scratch, path, except);
    const results = await runGates(others, {
      place: {
        store,
        worktree,
        ...gateTerms(config, env, variables),
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
