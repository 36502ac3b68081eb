import type { Override } from '#config/read-config.ts';
import { loadConfig } from '#config/read-config.ts';
import { createRun } from '#crew/run-plan.ts';
import { startOrder } from '#crew/steer/schedule.ts';
import { definitionsAt } from '#crew/task/definitions.ts';
import type { Workshop } from '#crew/workshop.ts';
import { readRef } from '#git/branches.ts';
import { GitError } from '#git/git-error.ts';
import type { Plan } from '#schema/plan.ts';
import { defaultSettings, type RunSettings } from '#schema/run.ts';
import type { Scenario } from '#schema/scenario.ts';
import { demandAgents, type RunRoom } from './run-room.ts';

export interface WantedRun {
  readonly plan: Plan;
  readonly settings: RunSettings;
  /** A commit-ish; undefined: the one of the plan, else HEAD. */
  readonly base: string | undefined;
}

/** A run that can start: its agents are installed, its base is known, its gates can be read. */
export interface PreparedRun {
  readonly base: string;
  readonly baseRef: string;
  /** Tasks in the order in which they start, the longest path first. */
  readonly order: readonly string[];
  readonly workshop: Workshop;
  /** Records the run and returns its id. */
  create(): string;
}

export async function prepareRun(
  room: RunRoom,
  { plan, settings, base: wanted }: WantedRun,
): Promise<PreparedRun> {
  const workshop = room.workshop(settings);
  demandAgents(
    workshop,
    plan.tasks.map(({ agent }) => agent ?? settings.agent),
  );
  const baseRef = wanted ?? plan.base ?? 'HEAD';
  const base = await readRef(room.repository.git, baseRef);
  if (base === null) {
    throw new GitError('unknown-ref', `there is no commit named ${JSON.stringify(baseRef)}`, {
      hint: 'name another: --base <rev>',
    });
  }
  // Gates come from the base: if they cannot be read, say so now and not after the first attempt.
  await definitionsAt(room.repository, base);
  return {
    base,
    baseRef,
    order: startOrder(plan),
    workshop,
    create: () => createRun(workshop, { plan, base, baseRef, settings }),
  };
}

interface RunWishes {
  readonly agent: string;
  readonly isAutopilot: boolean;
  readonly scenario: Scenario | null;
  readonly flags: readonly Override[];
}

/** What was typed over what the project says. */
export async function settingsOfRun(
  { repository }: RunRoom,
  env: NodeJS.ProcessEnv,
  { agent, isAutopilot, scenario, flags }: RunWishes,
): Promise<RunSettings> {
  const { values } = await loadConfig({ root: repository.workTree, env, flags });
  const { run, budget, prices } = values;
  const toMs = (minutes: number) => Math.ceil(minutes * 60_000);
  return {
    ...defaultSettings,
    agent,
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
    scenario,
  };
}
