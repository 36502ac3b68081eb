import { raisedBudget, sumOf } from '#crew/state/ledger.ts';
import { type RunState, stepOf } from '#crew/state/state.ts';
import type { EventDraft } from '#schema/event.ts';
import type { Question, RunSettings } from '#schema/run.ts';
import { type Budget, formatBudget, formatSpent } from '#schema/spending.ts';
import type { Halt } from './schedule.ts';

/** The step is escalated and a person is asked; on autopilot the default is taken at once, visibly. */
export function escalationEvents(state: RunState, id: string, reason: string, now: number): EventDraft[] {
  const step = stepOf(state, id);
  const attempt = step.attempts.length;
  const question: Question = {
    id: `${id}-${attempt}`,
    about: id,
    kind: 'escalation',
    text: `Task ${id} needs a person: ${reason}`,
    options: [
      { value: 'retry', effect: 'try again from the work accepted so far' },
      { value: 'leave', effect: 'go on without it; what depends on it is skipped' },
      { value: 'stop', effect: 'end the run' },
    ],
    evidence: [
      `branch ${step.branch}`,
      `attempts ${attempt}`,
      ...(step.commit ? [`commit ${step.commit}`] : []),
      ...(step.attempts.at(-1)?.failure ? [`why: joinery why ${id}`] : []),
    ],
    default: 'leave',
    deadline: deadlineOf(state.settings, now),
  };
  return [
    { type: 'step.escalated', step: id, data: { reason, conflict: step.conflict } },
    ...asked(state.settings, question),
  ];
}

/** Money is for a person to give: this question is asked on autopilot too. */
export function budgetQuestion(state: RunState, raised: Budget, now: number): Question {
  const { usage, budget } = state;
  const costs = [...state.steps.values()]
    .map(({ task, attempts }) => ({ id: task.id, ...sumOf(attempts) }))
    .filter(({ tokens, usd }) => tokens > 0 || usd > 0)
    .toSorted((a, b) => b.usd - a.usd || b.tokens - a.tokens);
  return {
    id: `budget-${state.seq + 1}`,
    about: null,
    kind: 'budget',
    text: `${formatSpent(usage)} are spent, the budget is ${formatBudget(budget)}: raise it?`,
    options: [
      { value: 'raise', effect: `go on with a budget of ${formatBudget(raised)}` },
      { value: 'stop', effect: 'end the run' },
    ],
    evidence: costs.slice(0, 10).map((cost) => `${cost.id}: ${formatSpent(cost)}`),
    default: 'stop',
    deadline: deadlineOf(state.settings, now),
  };
}

export function haltEvents(state: RunState, halt: Halt, now: number): EventDraft[] {
  const question: Question = {
    id: `halt-${state.seq}`,
    about: null,
    kind: 'halt',
    text: `${halt.reason ?? `${halt.failed} of the ${halt.settled} tasks that came to an end failed`}: go on with the rest?`,
    options: [
      { value: 'continue', effect: 'start the remaining tasks all the same' },
      { value: 'stop', effect: 'end the run' },
    ],
    evidence: [...state.steps.values()]
      .filter((step) => step.status === 'failed' || step.status === 'escalated')
      .map((step) => `${step.task.id}: ${step.reason}`),
    default: 'stop',
    deadline: deadlineOf(state.settings, now),
  };
  return [{ type: 'run.halted', data: halt }, ...asked(state.settings, question)];
}

/** Answers of questions whose time is over. */
export function overdueAnswers(state: RunState, now: number): EventDraft[] {
  return [...state.questions.values()]
    .filter(
      ({ question, answer }) =>
        answer === null && question.deadline !== null && Date.parse(question.deadline) <= now,
    )
    .flatMap(({ question }) => answerEvents(state, question, question.default, 'deadline'));
}

/** What an answer leads to. It concerns the one question it names and no other. */
export function answerEvents(
  state: RunState,
  question: Question,
  answer: string,
  by: 'person' | 'deadline',
): EventDraft[] {
  const answered: EventDraft = { type: 'question.answered', data: { id: question.id, answer, by } };
  if (question.kind === 'halt')
    return answer === 'continue' ? [answered, { type: 'run.unhalted', data: {} }] : [answered];
  if (question.kind === 'budget')
    return answer === 'raise' ? [answered, { type: 'run.budgeted', data: raisedBudget(state) }] : [answered];
  const id = question.about ?? '';
  const canRetry = answer === 'retry' && stepOf(state, id).status === 'escalated';
  return canRetry ? [answered, { type: 'step.retried', step: id, data: { context: '', by } }] : [answered];
}

function asked(settings: RunSettings, question: Question): EventDraft[] {
  const events: EventDraft[] = [{ type: 'question.asked', data: question }];
  if (settings.autonomy === 'autopilot') {
    events.push({
      type: 'question.answered',
      data: { id: question.id, answer: question.default, by: 'autopilot' },
    });
  }
  return events;
}

function deadlineOf(settings: RunSettings, now: number): string | null {
  return settings.questionDeadlineMs === null
    ? null
    : new Date(now + settings.questionDeadlineMs).toISOString();
}
