import type { Surroundings } from '#app/workplace/surroundings.ts';
import type { BranchTip } from '#check/branches/branch-tips.ts';
import { loadConfig } from '#config/read-config.ts';
import { idOf, newRunId } from '#crew/state/names.ts';
import type { Git } from '#git/call/git.ts';
import { openRepository } from '#git/call/repository.ts';
import { defaultBranch, resolveOneRef } from '#git/refs/refs.ts';
import { finishLandings, type LandingOutcome } from '#integrate/land/land.ts';
import type { Resolution, TextConflict } from '#integrate/merge/merge-branches.ts';
import { compileGlobs } from '#lib/glob.ts';
import { shellWord } from '#lib/shell-word.ts';
import { UsageError } from '#schema/errors.ts';
import type { AcceptedLoss, IntegrationReport } from '#schema/integration.ts';
import type { Scenario } from '#schema/scenario.ts';
import type { Acceptance } from '#schema/verdict.ts';
import { holdResult, isFreeForResult } from './held-result.ts';
import { type IntegrationRoom, proveIntegration, withIntegrationRoom } from './integration-room.ts';
import { type AskPerson, landOrAsk } from './land-or-ask.ts';

export interface IntegrationWishes {
  readonly branches: readonly string[];
  /** undefined: the default branch. */
  readonly into: string | undefined;
  readonly isPartial: boolean;
  /** Move the target if every check passes. */
  readonly lands: boolean;
  readonly mayUpdateCheckout: boolean;
  /** Asks the person at the terminal; null: never ask. */
  readonly ask: AskPerson;
  /** Losses that the person accepts. */
  readonly decisions: readonly AcceptedLoss[];
  /** Findings that the person accepts. */
  readonly accept: readonly Acceptance[];
  /** Who decided that it may land although nothing was run on it. */
  readonly unproven?: string | undefined;
  /** File with the contract between the branches, or with a plan that contains one. */
  readonly contract: string | undefined;
  /** The agent that resolves text conflicts; undefined: none. */
  readonly integrator?: { readonly agent: string; readonly scenario: Scenario | null };
}

const mostRounds = 3;

/** Merges branches, proves that nothing was lost and that they fit, and lands all of them or none. */
export async function integrateHere(
  surroundings: Surroundings,
  wishes: IntegrationWishes,
): Promise<IntegrationReport> {
  const { cwd, env, terminal } = surroundings;
  const repository = await openRepository(cwd);
  const { values, warnings } = await loadConfig({ root: repository.workTree, env });
  for (const warning of warnings) terminal.warn(warning);
  if (wishes.lands) for (const line of await finishLandings(repository)) terminal.warn(line);
  return withIntegrationRoom(surroundings, repository, values, async (room) => {
    // Every round overwrites the result of the previous one.
    let held: HeldResult | null = null;
    try {
      // If the target moves while the gates run, everything is proven again for the new target.
      for (let round = 1; ; round++) {
        const asked = await tipsNow(room, wishes);
        held ??= await holdIdFor(room, asked);
        const { report, isOvertaken } = await integrateIn(room, surroundings, wishes, asked, held.id);
        if (!isOvertaken || round === mostRounds) return report;
        terminal.warn(`${report.target.ref} moved in the meantime: checking again`);
      }
    } finally {
      held?.release();
    }
  });
}

interface AskedTips {
  /** Full name: 'refs/heads/main'. */
  readonly ref: string;
  readonly target: BranchTip;
  readonly branches: readonly BranchTip[];
}

/** Resolves the names to commits now. */
async function tipsNow(
  { repository, git, config }: IntegrationRoom,
  wishes: IntegrationWishes,
): Promise<AskedTips> {
  const name = wishes.into ?? config.base ?? (await defaultBranch(repository));
  const ref = await branchRef(git, name);
  const target = { ref: name, commit: (await resolveOneRef(repository, ref)).commit };
  const branches: BranchTip[] = [];
  for (const each of new Set(wishes.branches)) branches.push(await resolveOneRef(repository, each));
  return { ref, target, branches };
}

/** Id of a result, locked against other processes that would write or remove it. */
interface HeldResult {
  readonly id: string;
  release(): void;
}

/**
 * A second call with the same commits reuses the branch of the first, unless a person has committed there or another
 * process is integrating the same commits.
 */
async function holdIdFor(
  { git, state }: IntegrationRoom,
  { target, branches }: AskedTips,
): Promise<HeldResult> {
  const own = idOf([target.ref, target.commit, ...branches.map(({ commit }) => commit)]);
  const release = holdResult(state, own);
  if (release && (await isFreeForResult(git, own))) return { id: own, release };
  release?.();
  for (;;) {
    const id = newRunId();
    const other = holdResult(state, id);
    if (other) return { id, release: other };
  }
}

async function contractIn(cwd: string, file: string) {
  const { readContract } = await import('#app/contracts/read-contract.ts');
  return readContract(cwd, file);
}

async function integrateIn(
  room: IntegrationRoom,
  surroundings: Pick<Surroundings, 'cwd' | 'terminal' | 'onInterrupt'>,
  wishes: IntegrationWishes,
  { ref, target, branches }: AskedTips,
  id: string,
): Promise<{ report: IntegrationReport; isOvertaken: boolean }> {
  const { branches: names, isPartial, lands, integrator, contract, decisions, accept, unproven } = wishes;
  const { repository, git, config } = room;
  const { cwd } = surroundings;
  const name = target.ref;
  const report = await proveIntegration(room, surroundings, {
    id,
    target,
    branches,
    isPartial,
    decisions,
    accept,
    unproven,
    at: new Date().toISOString(),
    next: `joinery integrate ${names.map(shellWord).join(' ')} --into ${shellWord(name)}${isPartial ? ' --partial' : ''}${integrator ? ` --agent ${integrator.agent}` : ''}${contract === undefined ? '' : ` --contract ${shellWord(contract)}`} --land --update-checkout`,
    contract: contract === undefined ? null : await contractIn(cwd, contract),
    ...(integrator ? { resolve: resolverOf(room, surroundings, integrator, target.commit) } : {}),
  });
  const { integration } = report;
  if (report.status !== 'ready' || !integration) {
    const isOfCheck = report.steps.some((step) => step.name === 'check' && step.status !== 'pass');
    const next = isOfCheck ? `joinery check --base ${[name, ...names].map(shellWord).join(' ')}` : null;
    return { report: { ...report, next: report.next ?? next }, isOvertaken: false };
  }
  await git.run(['update-ref', `refs/heads/${integration.branch}`, integration.commit]);
  if (lands && report.unproven?.by === null) {
    const kept = {
      name: 'land',
      status: 'undecided',
      detail: 'nothing was run on it: --unproven decides',
    } as const;
    return { report: { ...report, steps: [...report.steps, kept] }, isOvertaken: false };
  }
  if (!lands) {
    const skipped = { name: 'land', status: 'skipped', detail: 'not asked for' } as const;
    return { report: { ...report, steps: [...report.steps, skipped] }, isOvertaken: false };
  }
  const landing = {
    ref,
    from: target.commit,
    to: integration.commit,
    isProtected: compileGlobs(config.run.protected)(name),
    mayUpdateCheckout: wishes.mayUpdateCheckout,
  };
  const landed = await landOrAsk(repository, git, landing, wishes.ask);
  return { report: withLanding(report, landed), isOvertaken: landed.status === 'moved' };
}

/** Asks the named agent; Ctrl-C stops it. */
function resolverOf(
  room: IntegrationRoom,
  { onInterrupt }: Pick<Surroundings, 'onInterrupt'>,
  integrator: NonNullable<IntegrationWishes['integrator']>,
  base: string,
): (conflict: TextConflict) => Promise<Resolution> {
  let n = 0;
  return async (conflict) => {
    const stop = new AbortController();
    const ended = Promise.withResolvers<void>();
    const forget = onInterrupt(() => {
      stop.abort('interrupted');
      return ended.promise;
    });
    n += 1;
    try {
      const wish = { ...integrator, signal: stop.signal, n, base };
      const { resolveConflict } = await import('./resolve-conflict.ts');
      return (await resolveConflict(room, conflict, wish)).resolution;
    } finally {
      ended.resolve();
      forget();
    }
  };
}

/** The report of a proven integration, after the attempt to land it. */
function withLanding(report: IntegrationReport, outcome: LandingOutcome): IntegrationReport {
  const isLanded = outcome.status === 'landed';
  const { ref } = report.target;
  return {
    ...report,
    status: isLanded ? 'landed' : 'ready',
    target: { ...report.target, after: isLanded ? (report.integration?.commit ?? null) : null },
    steps: [
      ...report.steps,
      { name: 'land', status: isLanded ? 'pass' : 'warn', detail: describeLanding(outcome, ref) },
    ],
    next: isLanded ? null : outcome.status === 'kept' ? outcome.next : report.next,
  };
}

function describeLanding(outcome: LandingOutcome, name: string): string {
  switch (outcome.status) {
    case 'landed':
      return `${name} moved`;
    case 'moved':
      return `${name} moved in the meantime, to ${outcome.now?.slice(0, 12) ?? 'nothing'}`;
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
    message: `${JSON.stringify(name)} is not a local branch, so nothing can land on it`,
    hint: 'name one: joinery integrate <branch>… --into main',
  });
}
