import { seatFor } from '#app/planning/consult-agent.ts';
import { type AgentWish, consulting } from '#app/planning/consulting.ts';
import { type DefectPlace, gatesAt, prove } from '#app/planning/defect-work.ts';
import { thisHost } from '#app/workplace/host.ts';
import { readInput } from '#app/workplace/input-file.ts';
import { projectBase } from '#app/workplace/project-base.ts';
import { readPlan } from '#app/workplace/read-plan.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { loadConfig } from '#config/read-config.ts';
import { openRepository } from '#git/call/repository.ts';
import { defaultBranch, isWorktreePath } from '#git/refs/refs.ts';
import { groundBranch } from '#grounding/judge/ground-branch.ts';
import { withBranch } from '#grounding/judge/open-branch.ts';
import { UsageError } from '#schema/errors.ts';
import { cacheDir } from '#schema/paths.ts';
import type { ReviewReport } from '#schema/review.ts';
import type { ReviewSettings } from '#schema/run.ts';
import { Scenario } from '#schema/scenario.ts';
import { readChecklist } from './read-checklist.ts';
import { reviewBranch, seatsOf, twoOf } from './review-branch.ts';

export interface ReviewWish extends AgentWish {
  readonly branch: string;
  /** `claude`, `codex:gpt-5`; empty: the installed agent, twice. */
  readonly reviewers: readonly string[];
  readonly plan: string | undefined;
  readonly task: string | undefined;
  /** File with the handoff of the shaping phase, whose checklist is verified item by item. */
  readonly checklist: string | undefined;
  readonly runsGates: boolean;
  readonly settings: Omit<ReviewSettings, 'reviewers'>;
}

/** Reviews a branch: code first, then reviewers, triage, proof by tests. */
export async function reviewHere(here: Surroundings, wish: ReviewWish): Promise<ReviewReport> {
  if (isWorktreePath(wish.branch)) {
    throw new UsageError({
      code: 'not-committed',
      message: 'a review is about commits, not about a worktree',
      hint: 'commit the work, then: joinery review HEAD',
    });
  }
  const { cwd, env, terminal, onInterrupt } = here;
  const repository = await openRepository(cwd);
  const config = await loadConfig({ root: repository.workTree, env });
  // An agent that is named but not installed fails before anything starts.
  const seats = seatsOf(wish.reviewers);
  const scenario = wish.scenario === undefined ? null : readInput(cwd, wish.scenario, Scenario, 'scenario');
  for (const { agent } of seats) seatFor(agent, config.values, scenario);
  const typed = wish.base ?? (await projectBase(repository, config, { env, flags: [] }, terminal.warn));
  const base = typed ?? (await defaultBranch(repository));
  const task = taskOf(cwd, wish);
  const cache = cacheDir(thisHost(env));
  const request = { repository, branch: wish.branch, base, cacheDir: cache, onInterrupt };
  terminal.progress('checking the branch');
  const grounded = await groundBranch({ ...request, files: task?.files ?? null, assignment: null });
  const checks = grounded.checks.map(({ name, status, detail }) => ({ name, status, detail }));
  const about = {
    base: { ref: base, commit: grounded.base.commit },
    branch: { ref: wish.branch, commit: grounded.branch.commit },
  };
  if (grounded.status !== 'pass') return stopped(about, checks, grounded.status, wish);
  const checklist = wish.checklist === undefined ? [] : readChecklist(cwd, wish.checklist);
  const agent = seats[0]?.agent ?? wish.agent;
  return consulting(here, { ...wish, agent, base }, async (room, ask) => {
    const place = { room, name: 'review', env, signal: ask.signal, progress: terminal.progress };
    const definitions = await gatesAt(place);
    const gates = wish.runsGates
      ? await runAll(place, definitions, grounded.branch.commit, grounded.base.mergeBase)
      : [];
    const all = [...checks, ...gates];
    const red = gates.find(({ status }) => status === 'fail' || status === 'inconclusive');
    if (red) return stopped(about, all, red.status === 'fail' ? 'fail' : 'inconclusive', wish);
    return withBranch(request, async (open) => {
      const { order, ...reviewed } = await reviewBranch({
        ...{ room, ask, open, cache, place, definitions },
        branch: wish.branch,
        baseRef: base,
        seats: seats.length > 0 ? seats : twoOf(ask.agent),
        goal: task?.description ?? '',
        criteria: [...(task?.acceptance.map(({ text }) => text) ?? []), ...checklist],
        hints: { text: task ? `${task.title}\n${task.description}` : '', branch: wish.branch },
        reported: '',
        settings: wish.settings,
        firstNumber: 0,
        resume: resumeCommand(wish),
        warn: terminal.warn,
      });
      return { schema: 'joinery/review@1', ...about, checks: all, order, ...reviewed };
    });
  });
}

async function runAll(
  place: Omit<DefectPlace, 'consultant'>,
  definitions: Awaited<ReturnType<typeof gatesAt>>,
  tip: string,
  mergeBase: string,
): Promise<ReviewReport['checks']> {
  if (definitions.gates.length === 0) return [];
  const { gates } = await prove(place, definitions, tip, mergeBase, 'all');
  return gates.map(({ gate, status, reason }) => ({ name: `gate ${gate}`, status, detail: reason }));
}

function stopped(
  about: Pick<ReviewReport, 'base' | 'branch'>,
  checks: ReviewReport['checks'],
  status: 'fail' | 'inconclusive',
  wish: ReviewWish,
): ReviewReport {
  const red = checks.filter((each) => each.status === 'fail' || each.status === 'inconclusive');
  return {
    schema: 'joinery/review@1',
    verdict: status === 'fail' ? 'revise' : 'uncertain',
    reason: `no reviewer was asked: ${red.map(({ name, detail }) => `${name}: ${detail}`).join('; ')}`,
    ...about,
    stoppedAt: 'checks',
    checks: [...checks],
    order: [],
    taskType: null,
    mutants: null,
    audit: null,
    reviewers: [],
    findings: [],
    triage: null,
    guards: [],
    consensus: { verdict: 'unverified', reviewers: 0, reason: 'no reviewer was asked', disagreements: [] },
    rebuttals: 0,
    criteria: [],
    scopeCreep: [],
    redTests: [],
    cost: [],
    resume: resumeCommand(wish),
  };
}

function resumeCommand({ branch, reviewers }: ReviewWish): string {
  return `joinery review ${branch}${reviewers.length > 0 ? ` --reviewers ${reviewers.join(',')}` : ''}`;
}

function taskOf(cwd: string, { plan, task }: ReviewWish) {
  if (plan === undefined) return null;
  const { tasks } = readPlan(cwd, plan);
  const found = task === undefined && tasks.length === 1 ? tasks[0] : tasks.find(({ id }) => id === task);
  if (found) return found;
  throw new UsageError({
    code: 'unknown-task',
    message: task === undefined ? `${plan} has ${tasks.length} tasks` : `${plan} has no task ${task}`,
    hint: `name one with --task: ${tasks.map(({ id }) => id).join(', ')}`,
  });
}
