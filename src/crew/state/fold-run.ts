import { describeChange } from '#contract/change/change.ts';
import { IllegalEventError } from '#durable/engine-error.ts';
import type { RunEvent, RunLevelType } from '#schema/event.ts';
import { demand } from './demand.ts';
import { extendRun, reviveDependants } from './extend.ts';
import { spendOnPlanning } from './ledger.ts';
import {
  addTasks,
  hasEnded,
  hasLanded,
  hasNothingToLand,
  isAccepted,
  type RunState,
  staysOnItsBranch,
  stepOf,
} from './state.ts';

/** Applies an event about the run as a whole. */
export function applyToRun(state: RunState, event: RunEvent<RunLevelType>): void {
  switch (event.type) {
    case 'run.opened':
      state.containment = event.data.containment ?? state.containment;
      if (!hasEnded(state)) Object.assign(state, { status: 'running', pausedBy: null });
      break;
    case 'run.paused':
      demand(event, !hasEnded(state), 'the run has ended');
      if (event.data.reason === 'awaiting_human') state.status = 'awaiting_human';
      else state.pausedBy = 'interrupted';
      break;
    case 'run.halted':
      state.isHalted = true;
      break;
    case 'run.unhalted':
      Object.assign(state, { isHalted: false, isHaltWaived: true });
      break;
    case 'run.warned':
      state.isWarned = true;
      break;
    case 'run.overspent':
      state.isOverspent = true;
      break;
    case 'run.budgeted':
      Object.assign(state, { budget: event.data, isWarned: false, isOverspent: false });
      break;
    case 'run.reopened':
      demand(event, hasEnded(state), 'the run has not ended');
      Object.assign(state, { status: 'running', reason: '', isHalted: false });
      break;
    case 'run.signalled':
      break;
    case 'run.refused':
      state.degraded.push(
        `work tried ${event.data.what} and was refused: ${event.data.process} of ${event.data.mark}`,
      );
      break;
    case 'run.degraded':
      state.degraded.push(event.data.what);
      break;
    case 'run.contracted':
      state.plan = { ...state.plan, contract: event.data.contract };
      for (const id of event.data.told)
        stepOf(state, id).news.push(
          `The contract was changed for task ${event.data.task}. ${describeChange(event.data.change)}`,
        );
      break;
    case 'run.phase':
      state.phases.push(event.data);
      break;
    case 'run.forked':
      forkRun(state, event);
      break;
    case 'run.consulted':
      state.consultations.push(event.data);
      spendOnPlanning(state, event.data);
      break;
    case 'run.planned':
      demand(event, state.plan.tasks.length === 0, 'the run has a plan');
      state.plan = event.data.plan;
      addTasks(state, event.data.plan.tasks, event.data.branches);
      break;
    case 'run.extended':
      demand(event, !hasEnded(state), 'the run has ended');
      demand(event, !state.steps.has(event.data.task.id), `there is a task ${event.data.task.id}`);
      extendRun(state, event.data);
      for (const id of event.data.takes) reviveDependants(state, id);
      break;
    case 'run.integrated':
      state.integrations.push(event.data);
      if (event.data.report.integration)
        state.integration = { ...state.integration, commit: event.data.report.integration.commit };
      break;
    case 'run.landing':
      state.settings = {
        ...state.settings,
        land: 'always',
        mayUpdateCheckout: event.data.mayUpdateCheckout,
      };
      Object.assign(state, { isPartial: event.data.isPartial, isKept: false });
      state.decisions.push(...(event.data.decisions ?? []));
      state.accepted.push(...(event.data.accept ?? []));
      state.unproven = event.data.unproven ?? state.unproven;
      break;
    case 'run.settled':
      state.accepted.push(...event.data.accept);
      state.isPartial ||= event.data.isPartial;
      break;
    case 'run.undone':
      demand(event, state.landed?.after === event.data.landed, 'that is not what landed');
      // The result is the integration branch again, until somebody asks to land it once more.
      Object.assign(state, { landed: null, isKept: true });
      state.phases.push({ phase: 'land', status: 'failed', detail: `${event.data.ref} went back` });
      break;
    case 'run.landed':
      state.landed = event.data;
      break;
    case 'run.ended':
      endRun(state, event);
      break;
    case 'question.asked':
      demand(event, !state.questions.has(event.data.id), 'a question is asked once');
      state.questions.set(event.data.id, { question: event.data, answer: null });
      break;
    case 'question.answered':
      answer(state, event);
      break;
    case 'run.created':
      throw new IllegalEventError(event.type, 'a run is created once');
    default:
      event satisfies never;
  }
}

function forkRun(state: RunState, { data, at }: RunEvent<'run.forked'>): void {
  const { agent, context, land, scenario } = data;
  const reused = { ...state.usage };
  const { usd, tokens } = state.budget;
  state.fork = { ...data, reused };
  // The other run paid for what was spent before.
  state.budget = {
    usd: usd === null ? null : usd + reused.usd,
    tokens: tokens === null ? null : tokens + reused.tokens,
  };
  state.settings = {
    ...state.settings,
    land,
    ...(agent === null ? {} : { agent, roles: {} }),
    ...(scenario === null ? {} : { scenario }),
  };
  Object.assign(state, { createdAt: at, status: 'created', pausedBy: null });
  if (context === '') return;
  const named = state.steps.get(data.at.replace(/\/\d+$/, ''));
  for (const step of named ? [named] : state.steps.values()) step.context.push(context);
}

function endRun(state: RunState, event: RunEvent<'run.ended'>): void {
  demand(event, !hasEnded(state), 'the run has ended already');
  if (event.data.status === 'done') {
    const open = [...state.steps.values()].find((step) => !isAccepted(state, step));
    demand(event, open === undefined, `step ${open?.task.id} is ${open?.status}`);
    demand(event, state.steps.size > 0, 'it has no tasks');
    demand(
      event,
      state.landed !== null || staysOnItsBranch(state) || hasNothingToLand(state),
      'its work has not landed',
    );
    const behind = [...state.steps.values()].find((step) => state.landed !== null && !hasLanded(state, step));
    demand(event, behind === undefined, `the work of ${behind?.task.id} stayed behind`);
  }
  Object.assign(state, { status: event.data.status, reason: event.data.reason });
}

function answer(state: RunState, event: RunEvent<'question.answered'>): void {
  const asked = state.questions.get(event.data.id);
  if (!asked) throw new IllegalEventError(event.type, `there is no question ${event.data.id}`);
  demand(event, asked.answer === null, `question ${event.data.id} is answered`);
  const values = asked.question.options.map((option) => option.value);
  demand(event, values.includes(event.data.answer), `the options are ${values.join(', ')}`);
  asked.answer = event.data.answer;
  if (asked.question.kind === 'land' || asked.question.kind === 'findings')
    state.isKept = event.data.answer === 'keep';
}
