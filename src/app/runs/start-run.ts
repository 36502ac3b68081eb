import { seatsOf } from '#app/review/review-branch.ts';
import { demandCompiled, demandWorkflow } from '#app/workflow/describe-workflows.ts';
import { openCatalogueRoom } from '#app/workflow/workflow-room.ts';
import type { Override } from '#config/read-config.ts';
import { loadConfig } from '#config/read-config.ts';
import { createRun } from '#crew/run-plan.ts';
import { startOrder } from '#crew/steer/schedule.ts';
import { definitionsAt } from '#crew/task/place/definitions.ts';
import type { Workshop } from '#crew/workshop.ts';
import { GitError } from '#git/call/git-error.ts';
import { readRef } from '#git/merges/branches.ts';
import { defaultBranch } from '#git/refs/refs.ts';
import type { Plan } from '#schema/plan.ts';
import { defaultSettings, type RunSettings } from '#schema/run.ts';
import type { Scenario } from '#schema/scenario.ts';
import { demandAgents, type RunRoom } from './run-room.ts';

export interface WantedRun {
  /** What to work on: a plan, or a spec that is planned first. */
  readonly plan: Plan | null;
  readonly spec?: { readonly path: string; readonly sha256: string };
  readonly settings: RunSettings;
  /** A commit-ish; undefined: the one from the plan, else HEAD. */
  readonly base: string | undefined;
  /** Nothing starts, so no agent has to be installed. */
  readonly isDryRun?: boolean;
}

/** A run that can start: its agents are installed, its base is known, its gates can be read. */
export interface PreparedRun {
  readonly base: string;
  readonly baseRef: string;
  /** Branch to land on: 'main'. */
  readonly target: string | null;
  /** Tasks in the order in which they start, the longest path first. */
  readonly order: readonly string[];
  readonly workshop: Workshop;
  /** Records the run and returns its id. */
  create(): string;
}

export async function prepareRun(
  room: RunRoom,
  { plan: given, spec, settings, base: wanted, isDryRun = false }: WantedRun,
): Promise<PreparedRun> {
  const workshop = await room.workshop(settings);
  const plan: Plan = given ?? { schema: 'joinery/plan@1', tasks: [] };
  const challengers = (settings.challenge ?? []).map((kind) => `${kind}-challenger`);
  const asked = given ? [] : ['architect', ...challengers, 'verifier', 'fixer', 'developer'];
  const agentOf = (role: string) => settings.roles[role] ?? settings.agent;
  const agents = [
    ...seatsOf(settings.review?.reviewers ?? []).map(({ agent }) => agent),
    ...asked.map(agentOf),
    ...plan.tasks.map(({ agent }) => agent ?? agentOf('developer')),
  ];
  if (!isDryRun) demandAgents(workshop, agents);
  const baseRef = wanted ?? plan.base ?? 'HEAD';
  const base = await readRef(room.repository.git, baseRef);
  if (base === null) {
    throw new GitError('unknown-ref', `there is no commit named ${JSON.stringify(baseRef)}`, {
      hint: 'name another: --base <rev>',
    });
  }
  await demandWorkflows(room, plan, settings);
  // Gates come from the base: if they are unreadable, fail now and not after the first attempt.
  await definitionsAt(room.repository, base);
  const target = await targetOf(room, baseRef);
  return {
    base,
    baseRef,
    target,
    order: startOrder(plan),
    workshop,
    create: () => createRun(workshop, { plan, base, baseRef, target, settings, ...(spec ? { spec } : {}) }),
  };
}

/** A workflow that is missing or invalid fails before anything starts. */
async function demandWorkflows(room: RunRoom, plan: Plan, { workflow }: RunSettings): Promise<void> {
  const named = [workflow, ...plan.tasks.map((task) => task.workflow)];
  const wanted = new Set(named.filter((name) => name !== undefined && name !== 'none'));
  if (wanted.size === 0) return;
  const { catalogue } = await openCatalogueRoom({
    cwd: room.repository.workTree ?? room.repository.commonDir,
    env: process.env,
    terminal: { warn: () => {}, progress: () => {} },
  });
  for (const name of wanted) demandCompiled(catalogue, demandWorkflow(catalogue, name ?? ''));
}

/** The local branch that the run starts from, otherwise the default branch. */
async function targetOf({ repository, config }: RunRoom, baseRef: string): Promise<string | null> {
  const { git } = repository;
  const names = [baseRef, ...(config.base === undefined ? [] : [config.base])];
  for (const name of names) {
    const full = await git.run(
      ['rev-parse', '--symbolic-full-name', '--verify', '--quiet', '--end-of-options', name],
      { accept: [0, 1, 128] },
    );
    const ref = full.stdout.toString('utf8').trim();
    if (ref.startsWith('refs/heads/')) return ref.slice('refs/heads/'.length);
  }
  const found = await defaultBranch(repository).catch(() => null);
  return found !== null && (await readRef(git, `refs/heads/${found}`)) !== null ? found : null;
}

interface RunWishes {
  readonly agent: string;
  readonly isAutopilot: boolean;
  /** As typed; undefined: the project's setting. */
  readonly land: boolean | undefined;
  readonly mayUpdateCheckout: boolean;
  /** Who decided that the result may land although nothing was run on it. */
  readonly unproven?: string | undefined;
  readonly scenario: Scenario | null;
  readonly flags: readonly Override[];
}

/** Settings as typed, on top of the project's. */
export async function settingsOfRun(
  { repository }: RunRoom,
  env: NodeJS.ProcessEnv,
  { agent, isAutopilot, land, mayUpdateCheckout, unproven, scenario, flags }: RunWishes,
): Promise<RunSettings> {
  const { values } = await loadConfig({ root: repository.workTree, env, flags });
  const { run, budget, prices, agents, review } = values;
  const toMs = (minutes: number) => Math.ceil(minutes * 60_000);
  return {
    ...defaultSettings,
    agent,
    land: land === undefined ? run.land : land ? 'always' : 'never',
    mayUpdateCheckout,
    ...(unproven === undefined ? {} : { unproven }),
    roles: agents.roles ?? {},
    autonomy: isAutopilot ? 'autopilot' : run.autonomy,
    parallel: run.parallel,
    budget: { usd: budget.usd ?? null, tokens: budget.tokens ?? null },
    prices,
    fallback: run.fallback,
    attemptTimeoutMs: toMs(run.attemptMinutes),
    limits: {
      inactivityMs: toMs(run.inactivityMinutes),
      turns: run.attemptTurns ?? null,
      tokens: run.attemptTokens ?? null,
      usd: run.attemptUsd ?? null,
    },
    questionDeadlineMs: run.questionMinutes === undefined ? null : toMs(run.questionMinutes),
    contractChanges: run.contractChanges,
    handoffs: run.handoffs,
    ...(review.reviewers.length > 0 ? { review } : {}),
    ...(run.challenge.length > 0 ? { challenge: run.challenge } : {}),
    ...(run.workflow === undefined ? {} : { workflow: run.workflow }),
    scenario,
  };
}
