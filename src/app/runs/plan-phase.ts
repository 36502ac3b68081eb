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
import { planEvents } from '#crew/steer/questions.ts';
import type { Reply } from '#planning/answers/consult.ts';
import type { StepCall } from '#schema/durable-port.ts';
import type { EventDraft, Phase } from '#schema/event.ts';
import type { Plan } from '#schema/plan.ts';
import type { PlanReport, VerifyReport } from '#schema/planning.ts';
import type { RunRoom } from './run-room.ts';

type Here = Pick<Surroundings, 'env' | 'terminal'>;

/** Spec → plan → verified by another agent. Every answer of an agent is recorded before it is used. */
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
      const round = roundOf(state);
      const durable = { ...room, consultant: durableConsultant(room, flow, round) };
      const wish = wishOf(flow);
      const planned = await plan(durable, wish, flow, { round, file, cwd });
      if (planned === null) return;
      const verified = await verify(durable, wish, flow, { round, file, cwd, plan: planned });
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

/** A person looked at it and wants it worked on as it is. */
function isAccepted({ questions }: RunState): boolean {
  const asked = [...questions.values()].filter(({ question }) => question.kind === 'plan');
  return asked.at(-1)?.answer === 'accept';
}

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

/** Asks through the room's own consultant; an answer that is in the log is not asked for again. */
function durableConsultant(room: PlanRoom, flow: PhaseFlow, round: number): PlanRoom['consultant'] {
  return (wish) => {
    const inner = room.consultant(wish);
    return {
      ...inner,
      consult: (question) =>
        recorded(flow, `consult/${round}/${question.role}/${question.n}`, async (call): Promise<Reply> => {
          const reply = await inner.consult(question);
          // Ended by us: there was no answer.
          flow.stop.throwIfAborted();
          call.emit({ type: 'run.consulted', data: reply.consultation });
          return reply;
        }),
    };
  };
}

interface Station {
  readonly round: number;
  /** Where the plan lies while it is worked on, outside of anybody's checkout. */
  readonly file: string;
  readonly cwd: string;
}

async function plan(
  room: PlanRoom,
  wish: ConsultWish,
  flow: PhaseFlow,
  { round, file, cwd }: Station,
): Promise<Plan | null> {
  const { context, state } = flow;
  const report = await recorded(flow, `plan/${round}`, async (call): Promise<PlanReport> => {
    begin(flow, 'plan', state.spec?.path ?? '');
    mkdirSync(dirname(file), { recursive: true });
    const made = await makePlan(room, {
      ...wish,
      cwd,
      spec: state.spec?.path ?? '',
      out: file,
      // A fork wants another plan, not the one that was made before.
      force: round > 0 || state.fork?.at === 'plan',
      ...(state.fork?.at === 'plan' ? { context: state.fork.context } : {}),
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
    // Whatever a process that was cut off left of it.
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
  if (report.status === 'pass' || isAccepted(state)) return verified;
  if (!isAsked(state)) context.append(planEvents(state, problemOf(report), Date.now()));
  return null;
}

/** The answer that leads on is there, or the question is. */
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

/** Shown in the live view; shown again after a crash, which does no harm. */
function begin({ context }: PhaseFlow, phase: Phase, detail: string): void {
  context.append([{ type: 'run.phase', data: { phase, status: 'begun', detail } }]);
}

function ending(
  { context }: PhaseFlow,
  phase: Phase,
  isGood: boolean,
  detail: string,
  report: object,
): EventDraft {
  const artifact = context.keep(`${JSON.stringify(report, null, 2)}\n`);
  return { type: 'run.phase', data: { phase, status: isGood ? 'done' : 'failed', detail, artifact } };
}

/** A step whose result is a document of ours. */
async function recorded<T>(
  { context }: PhaseFlow,
  key: string,
  run: (call: StepCall) => Promise<T>,
): Promise<T> {
  const text = await context.step(key, async (call) => JSON.stringify(await run(call)));
  return JSON.parse(text) as T;
}
