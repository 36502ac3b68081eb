import { join } from 'node:path';
import { openConsultant } from '#app/planning/consult-agent.ts';
import { type AgentWish, consulting } from '#app/planning/consulting.ts';
import { type DefectPlace, gatesAt, prove } from '#app/planning/defect-work.ts';
import type { ConsultWish, PlanRoom } from '#app/planning/plan-room.ts';
import { thisHost } from '#app/workplace/host.ts';
import { projectBase } from '#app/workplace/project-base.ts';
import { readPlan } from '#app/workplace/read-plan.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { loadConfig } from '#config/read-config.ts';
import { openRepository } from '#git/call/repository.ts';
import { defaultBranch, isWorktreePath } from '#git/refs/refs.ts';
import { readFilesAt } from '#git/trees/files-at.ts';
import type { GitTree } from '#git/trees/tree.ts';
import type { FileChange } from '#grounding/change/change.ts';
import { groundBranch } from '#grounding/judge/ground-branch.ts';
import { type OpenBranch, withBranch } from '#grounding/judge/open-branch.ts';
import { familyOf } from '#review/consensus/consensus.ts';
import { governingGuides, mergeGuides } from '#review/guides/governing-guides.ts';
import { memoriesOf, recalled } from '#review/memory/memories-of.ts';
import {
  type Answer,
  type ReviewEffects,
  type Reviewed,
  reviewChange,
  type Seat,
} from '#review/review-change.ts';
import { UsageError } from '#schema/errors.ts';
import { cacheDir } from '#schema/paths.ts';
import type { ReviewReport } from '#schema/review.ts';
import { openMemory } from './memory-here.ts';
import { readChangeHere } from './open-here.ts';
import { proveFindings } from './prove-findings.ts';
import { riskOf } from './risk-here.ts';

export interface ReviewWish extends AgentWish {
  readonly branch: string;
  /** `claude`, `codex:gpt-5`; empty: two of the agent that is installed. */
  readonly reviewers: readonly string[];
  readonly plan: string | undefined;
  readonly task: string | undefined;
  readonly mayRebut: boolean;
  readonly runsGates: boolean;
  readonly provesByTest: boolean;
  readonly timeoutSeconds: number;
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
  const seats = seatsOf(wish);
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
    return withBranch(request, (open) =>
      reviewOpened(here, wish, {
        room,
        ask,
        open,
        cache,
        about,
        checks: all,
        seats: seats.length > 0 ? seats : twoOf(ask.agent),
        place,
        definitions,
        goal: task?.description ?? '',
        criteria: task?.acceptance.map(({ text }) => text) ?? [],
      }),
    );
  });
}

interface Asking {
  readonly room: PlanRoom;
  readonly ask: ConsultWish;
  readonly open: OpenBranch;
  readonly cache: string;
  readonly about: Pick<ReviewReport, 'base' | 'branch'>;
  readonly checks: ReviewReport['checks'];
  readonly seats: readonly Seat[];
  readonly place: Omit<DefectPlace, 'consultant'>;
  readonly definitions: Awaited<ReturnType<typeof gatesAt>>;
  readonly goal: string;
  readonly criteria: readonly string[];
}

async function reviewOpened(here: Surroundings, wish: ReviewWish, asking: Asking): Promise<ReviewReport> {
  const { room, ask, open, cache, seats, place, definitions } = asking;
  const { repository, config, state } = room;
  const { change, read } = await readChangeHere(open);
  const order = (await riskOf(open, cache)).files.map(({ path }) => path);
  const tree = await repository.git.text(['rev-parse', '--verify', '--end-of-options', `${open.tip}^{tree}`]);
  const consultant = openConsultant({
    ...{ repository, config, env: here.env, folder: join(state, 'scratch'), tree },
    ...ask,
    agentOf: (role) => ask.roles[role] ?? ask.agent,
  });
  const remember = recallFor(repository, here.env, change.files, order, read.after);
  const testGates = definitions.gates.filter(({ kind }) => kind === 'test');
  const effects: ReviewEffects = {
    askReviewer: (seat, round, prompt): Promise<Answer> =>
      consultant.consult({
        ...{ role: 'reviewer', n: round, prompt, place: 'code', tier: 'strong' },
        seat: { name: seat.name, agent: seat.agent, model: seat.model },
        wallMs: wish.timeoutSeconds * 1000,
      }),
    askAssessor: (n, prompt) =>
      consultant.consult({ role: 'assessor', n, prompt, place: 'code', tier: 'strong' }),
    prove:
      wish.provesByTest && testGates.length > 0
        ? (findings) => proveFindings({ ...place, consultant }, testGates, open.tip, findings)
        : null,
    log: here.terminal.warn,
  };
  try {
    const reviewed = await reviewChange(
      {
        subject: {
          branch: wish.branch,
          base: asking.about.base.ref,
          files: change.files,
          order,
          guides: await guidesOf(
            room,
            open,
            change.files.map(({ path }) => path),
          ),
          goal: asking.goal,
          criteria: asking.criteria,
          memory: remember.lines,
        },
        roles: { reviewer: room.role('reviewer').text, assessor: room.role('assessor').text },
        seats,
        mayRebut: wish.mayRebut,
        resume: resumeCommand(wish),
      },
      effects,
    );
    remember.keep(reviewed);
    return { schema: 'joinery/review@1', ...asking.about, checks: [...asking.checks], order, ...reviewed };
  } finally {
    await consultant.close();
  }
}

/** What earlier reviews left about these files, and where this one leaves its own. The memory of a file is about its content on the branch. */
function recallFor(
  repository: PlanRoom['repository'],
  env: NodeJS.ProcessEnv,
  files: readonly FileChange[],
  order: readonly string[],
  tip: GitTree,
) {
  const known = openMemory(repository, env, false);
  const words = [...order, ...files.flatMap(({ lines }) => lines.added.slice(0, 20).map(({ text }) => text))];
  const onBranch = (path: string) => tip.blob(path) ?? null;
  const lines = known ? recalled(known.search(words.join(' '), 50), onBranch) : [];
  known?.close();
  return {
    lines,
    keep(reviewed: Reviewed) {
      const memories = memoriesOf(reviewed, onBranch, new Date().toISOString());
      if (memories.length === 0) return;
      const store = openMemory(repository, env, true);
      store?.add(memories);
      store?.close();
    },
  };
}

/** Guides as they stand on the base: a branch does not write its reviewers' instructions. */
async function guidesOf({ repository }: PlanRoom, { tree, base }: OpenBranch, paths: readonly string[]) {
  const names = Map.groupBy(
    tree.matching((path) => path.endsWith('.md')),
    (path) => path.slice(0, Math.max(0, path.lastIndexOf('/'))),
  );
  const namesIn = (folder: string) =>
    (names.get(folder) ?? []).map((path) => path.slice(path.lastIndexOf('/') + 1));
  const { guides } = mergeGuides(paths.map((path) => governingGuides(path, namesIn)));
  const texts = await readFilesAt(repository.git, base, guides);
  return guides.flatMap((path) => {
    const text = texts.get(path);
    return text === undefined ? [] : [{ path, text }];
  });
}

async function runAll(
  place: Omit<DefectPlace, 'consultant'>,
  definitions: Asking['definitions'],
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

/** `codex:gpt-5` twice is `codex` and `codex-2`. */
function seatsOf({ reviewers }: ReviewWish): Seat[] {
  const counts = new Map<string, number>();
  return reviewers.map((typed) => {
    const [agent = '', model = null] = typed.split(':');
    const number = (counts.get(agent) ?? 0) + 1;
    counts.set(agent, number);
    return {
      name: number === 1 ? agent : `${agent}-${number}`,
      agent,
      model,
      family: familyOf(agent, model),
    };
  });
}

function twoOf(agent: string): Seat[] {
  return [agent, `${agent}-2`].map((name) => ({ name, agent, model: null, family: familyOf(agent, null) }));
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
