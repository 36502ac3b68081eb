import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makePlan } from '#app/planning/make-plan.ts';
import { writePlan } from '#app/planning/plan-file.ts';
import { type ConsultWish, type PlanRoom, withPlanRoom } from '#app/planning/plan-room.ts';
import { verifyPlanFile } from '#app/planning/verify-plan-file.ts';
import { readPlan } from '#app/workplace/read-plan.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { taskBranch, taskSlugs } from '#crew/state/names.ts';
import type { RunState } from '#crew/state/state.ts';
import type { PhaseFlow } from '#crew/steer/phases.ts';
import { isAcceptedPlan, planEvents } from '#crew/steer/questions.ts';
import type { Reply } from '#planning/answers/consult.ts';
import type { ChallengeReport } from '#schema/challenge.ts';
import type { Plan } from '#schema/plan.ts';
import type { PlanReport, VerifyReport } from '#schema/planning.ts';
import type { Challenged } from '#schema/run.ts';
import { challenge, forArchitect, mayRevise, objectionsOf } from './challenge-phase.ts';
import { begin, ending, recorded } from './phase-log.ts';
import type { RunRoom } from './run-room.ts';

type Here = Pick<Surroundings, 'env' | 'terminal'>;

/** Spec → plan → verified by another agent. Every agent answer is recorded before it is used. */
export function planPhase(
  here: Here,
  { repository, runs }: Pick<RunRoom, 'repository' | 'runs'>,
): (flow: PhaseFlow) => Promise<void> {
  return async (flow) => {
    const { state, context } = flow;
    const cwd = repository.workTree ?? repository.commonDir;
    const { terminal, env } = here;
    const file = join(runs.folders.root, 'plans', `${context.run}.plan.json`);
    await withPlanRoom({ cwd, env, base: state.base, warn: terminal.warn }, async (room) => {
      const station = { round: roundOf(state), file, cwd };
      const planned = await challengedPlan(room, flow, station);
      if (planned === null) return;
      const durable = withLog(room, flow, station.round, 0);
      const verified = await verify(durable, wishOf(flow), flow, { ...station, plan: planned });
      if (verified !== null) record(flow, verified);
    });
  };
}

/** How often a person asked for another plan. */
function roundOf({ questions }: RunState): number {
  return [...questions.values()].filter(
    ({ question, answer }) => question.kind === 'plan' && answer === 'again',
  ).length;
}

/** A plan without open objections, if a challenger is configured; null: a person is asked. */
async function challengedPlan(room: PlanRoom, flow: PhaseFlow, station: Station): Promise<Plan | null> {
  const { state, context } = flow;
  const { challenge: wanted = [] } = state.settings;
  const { round } = station;
  const ask = (stage: 'challenge-spec' | 'challenge-plan', said: ChallengeReport): null => {
    if (!isAsked(state)) context.append(planEvents(state, objectionsOf(said), Date.now(), stage));
    return null;
  };
  const attack = (kind: Challenged, cycle: number, { path, text }: { path: string; text: string }) =>
    challenge(withLog(room, flow, round, cycle), wishOf(flow), flow, round, cycle, { kind, path, text });
  if (wanted.includes('spec')) {
    const said = await attack('spec', 0, room.spec(state.spec?.path ?? ''));
    if (said.verdict !== 'approve' && !isAcceptedPlan(state, 'challenge-spec'))
      return ask('challenge-spec', said);
  }
  let before: ChallengeReport | null = null;
  for (let cycle = 0; ; cycle++) {
    const made = await plan(withLog(room, flow, round, cycle), wishOf(flow), flow, station, cycle, before);
    if (made === null || !wanted.includes('plan')) return made;
    const text = `${JSON.stringify(made, null, 2)}\n`;
    const said = await attack('plan', cycle, { path: 'plan.json', text });
    if (said.verdict === 'approve') return made;
    if (!mayRevise(said, before, cycle))
      return isAcceptedPlan(state, 'challenge-plan') ? made : ask('challenge-plan', said);
    before = said;
  }
}

/** Each cycle of a round numbers its questions separately. */
function withLog(room: PlanRoom, flow: PhaseFlow, round: number, cycle: number): PlanRoom {
  return { ...room, consultant: durableConsultant(room, flow, round, cycle * numbersPerCycle) };
}

const numbersPerCycle = 10;

function wishOf({ state, stop }: PhaseFlow): ConsultWish {
  const { agent, roles, scenario } = state.settings;
  return {
    agent,
    model: state.fork?.model ?? undefined,
    roles,
    scenario,
    signal: stop,
    report() {},
  };
}

/** Asks through the room's consultant; an answer in the log is not requested again. */
function durableConsultant(
  room: PlanRoom,
  flow: PhaseFlow,
  round: number,
  before: number,
): PlanRoom['consultant'] {
  return (wish) => {
    const inner = room.consultant(wish);
    return {
      ...inner,
      consult: (asked) => {
        const question = { ...asked, n: before + asked.n };
        const key = `consult/${round}/${question.role}/${question.n}`;
        return recorded(flow, key, async (call): Promise<Reply> => {
          const reply = await inner.consult(question);
          // Joinery stopped the agent: there is no answer.
          flow.stop.throwIfAborted();
          call.emit({ type: 'run.consulted', data: reply.consultation });
          return reply;
        });
      },
    };
  };
}

interface Station {
  readonly round: number;
  /** Where the plan is while it is worked on, outside any checkout. */
  readonly file: string;
  readonly cwd: string;
}

async function plan(
  room: PlanRoom,
  wish: ConsultWish,
  flow: PhaseFlow,
  { round, file, cwd }: Station,
  cycle: number,
  objections: ChallengeReport | null,
): Promise<Plan | null> {
  const { context, state } = flow;
  const given = state.fork?.at === 'plan' ? state.fork.context : '';
  const told = [given, objections === null ? '' : forArchitect(objections)].filter((text) => text !== '');
  const key = cycle === 0 ? `plan/${round}` : `plan/${round}.${cycle}`;
  const report = await recorded(flow, key, async (call): Promise<PlanReport> => {
    begin(flow, 'plan', state.spec?.path ?? '');
    mkdirSync(dirname(file), { recursive: true });
    const made = await makePlan(room, {
      ...wish,
      cwd,
      spec: state.spec?.path ?? '',
      out: file,
      // A fork wants a new plan, not the cached one.
      force: round > 0 || cycle > 0 || state.fork?.at === 'plan',
      ...(told.length > 0 ? { context: told.join('\n\n') } : {}),
      order: 'auto',
      skipAudit: false,
      skipGuardian: false,
      vision: undefined,
    });
    flow.stop.throwIfAborted();
    const tasks = made.plan?.tasks.length ?? 0;
    const detail =
      made.status === 'planned'
        ? `${tasks} ${tasks === 1 ? 'task' : 'tasks'}${made.isCached ? ', as planned before' : ''}`
        : made.reason;
    call.emit(ending(flow, 'plan', made.status === 'planned', detail, made));
    for (const what of made.degraded) call.emit({ type: 'run.degraded', data: { what: `plan: ${what}` } });
    return made;
  });
  if (report.status === 'planned' && report.plan) return report.plan;
  if (report.status === 'refused') {
    const problems = [report.reason, ...report.problems].join('; ');
    context.append([{ type: 'run.ended', data: { status: 'failed', reason: problems } }]);
    return null;
  }
  if (!isAsked(state))
    context.append(
      planEvents(state, { text: report.reason, evidence: report.problems, canGoOn: false }, Date.now()),
    );
  return null;
}

async function verify(
  room: PlanRoom,
  wish: ConsultWish,
  flow: PhaseFlow,
  { round, file, cwd, plan: made }: Station & { readonly plan: Plan },
): Promise<Plan | null> {
  const { context, state } = flow;
  const { report, plan: verified } = await recorded(flow, `verify/${round}`, async (call) => {
    begin(flow, 'verify', '');
    // Overwrites what an interrupted process left.
    writePlan(file, made);
    const checked = await verifyPlanFile(room, {
      ...wish,
      cwd,
      plan: file,
      spec: undefined,
      mayFix: true,
      warn: () => {},
    });
    flow.stop.throwIfAborted();
    const { covered, requirements } = checked.counts;
    const detail = `${checked.status}: ${covered} of ${requirements} requirements covered${checked.fixes.length > 0 ? `, ${checked.fixes.length} fixes` : ''}`;
    call.emit(ending(flow, 'verify', checked.status === 'pass', detail, checked));
    return { report: checked, plan: readPlan(cwd, file) };
  });
  if (report.status === 'pass' || isAcceptedPlan(state, 'plan')) return verified;
  if (!isAsked(state)) context.append(planEvents(state, problemOf(report), Date.now()));
  return null;
}

/** The question about the plan is still open. */
function isAsked({ questions }: RunState): boolean {
  return [...questions.values()].some(({ question, answer }) => question.kind === 'plan' && answer === null);
}

function problemOf(report: VerifyReport) {
  const human = report.needsHuman.map(
    ({ file, issue, specSays, planSays, options }) =>
      `${file === '' ? '' : `${file}: `}${issue} (spec: ${specSays}; plan: ${planSays}; options: ${options.join(' | ')})`,
  );
  const failures = report.rounds.at(-1)?.failures.map(({ message }) => message) ?? [];
  return {
    text: `the plan is not verified: ${report.reason || report.status}`,
    evidence: [...human, ...failures],
    canGoOn: true,
  };
}

function record({ context, state }: PhaseFlow, plan: Plan): void {
  const slugs = taskSlugs(plan);
  const branches = Object.fromEntries([...slugs].map(([id, slug]) => [id, taskBranch(context.run, slug)]));
  if (state.plan.tasks.length === 0) context.append([{ type: 'run.planned', data: { plan, branches } }]);
}
