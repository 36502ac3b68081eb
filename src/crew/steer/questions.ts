import { describeChange } from '#contract/change/change.ts';
import { raisedBudget, sumOf } from '#crew/state/ledger.ts';
import { type RunState, stepOf, whyUnproven } from '#crew/state/state.ts';
import type { ContractChange } from '#schema/contract.ts';
import type { EventDraft } from '#schema/event.ts';
import type { KnownFinding } from '#schema/integration.ts';
import type { Question, RunSettings } from '#schema/run.ts';
import { type Budget, formatBudget, formatSpent } from '#schema/spending.ts';
import { contractedEvents } from './contract-changes.ts';
import type { Halt } from './schedule.ts';

/** Escalates the step and asks a person; on autopilot the default is used at once and logged. */
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

/** A task requests a contract change. Unless a person accepts it, the task continues with the current contract. */
export function contractEvents(
  state: RunState,
  id: string,
  changes: readonly ContractChange[],
  now: number,
): EventDraft[] {
  const step = stepOf(state, id);
  const said = changes.map(describeChange);
  const wouldTell = contractedEvents(state, id, changes, 'person').flatMap(({ data }) => data.told);
  const question: Question = {
    id: `contract-${id}-${step.attempts.length}`,
    about: id,
    kind: 'contract',
    text: `Task ${id} asks for a change of the contract: ${said.join('; ')}`,
    options: [
      { value: 'accept', effect: 'change the contract and notify the tasks that depend on it' },
      { value: 'refuse', effect: 'keep the contract; the task continues with it' },
      { value: 'stop', effect: 'end the run' },
    ],
    evidence: [
      `branch ${step.branch}`,
      ...(step.commit ? [`commit ${step.commit}`] : []),
      ...[...new Set(wouldTell)].map((task) => `depends on it: ${task} (${stepOf(state, task).status})`),
    ],
    default: 'refuse',
    deadline: deadlineOf(state.settings, now),
    changes: [...changes],
  };
  const reason = `it asks for a change of the contract: ${said.join('; ')}`;
  const isAnswered = state.settings.autonomy === 'autopilot';
  return [
    { type: 'step.escalated', step: id, data: { reason, conflict: false } },
    ...asked(state.settings, question),
    ...(isAnswered ? afterContract(state, question, 'refuse', '', 'autopilot') : []),
  ];
}

/** After a decision about the contract the task continues from its last commit and learns the decision. */
function afterContract(
  state: RunState,
  { about, changes = [] }: Question,
  answer: string,
  text: string,
  by: 'person' | 'deadline' | 'autopilot',
): EventDraft[] {
  const id = about ?? '';
  if (answer !== 'accept' && answer !== 'refuse') return [];
  const said = changes.map(describeChange).join('; ');
  const decided =
    answer === 'accept'
      ? `The contract was changed as you asked: ${said}`
      : `The contract does not change. You requested: ${said}`;
  const context = text === '' ? decided : `${decided}\n${text}`;
  return [
    ...(answer === 'accept' && by !== 'autopilot' ? contractedEvents(state, id, changes, by) : []),
    { type: 'step.retried', step: id, data: { context, by, keepsWork: true } },
  ];
}

/** Only a person can approve more money: this question is asked on autopilot too. */
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
    text: `${halt.reason ?? `${halt.failed} of the ${halt.settled} ended tasks failed`}: continue with the rest?`,
    options: [
      { value: 'continue', effect: 'start the remaining tasks anyway' },
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

/** Default answers of expired questions. */
export function overdueAnswers(state: RunState, now: number): EventDraft[] {
  return [...state.questions.values()]
    .filter(
      ({ question, answer }) =>
        answer === null && question.deadline !== null && Date.parse(question.deadline) <= now,
    )
    .flatMap(({ question }) =>
      answerEvents(state, question, { answer: question.default, text: '', by: 'deadline' }),
    );
}

/** The effect of an answer. It applies to one question only. */
export function answerEvents(
  state: RunState,
  question: Question,
  {
    answer,
    text,
    by,
    who,
  }: {
    readonly answer: string;
    readonly text: string;
    readonly by: 'person' | 'deadline';
    /** Which person. */
    readonly who?: string;
  },
): EventDraft[] {
  const answered: EventDraft = {
    type: 'question.answered',
    data: { id: question.id, answer, by, ...(who === undefined ? {} : { who }) },
  };
  if (question.kind === 'halt')
    return answer === 'continue' ? [answered, { type: 'run.unhalted', data: {} }] : [answered];
  if (question.kind === 'budget')
    return answer === 'raise' ? [answered, { type: 'run.budgeted', data: raisedBudget(state) }] : [answered];
  if (question.kind === 'land')
    return answer === 'land'
      ? [
          answered,
          {
            type: 'run.landing',
            // A yes includes permission to update the clean checkout.
            data: {
              ...{ mayUpdateCheckout: by === 'person', isPartial: state.isPartial },
              ...(by === 'person' && whyUnproven(state) !== null ? { unproven: 'person' } : {}),
            },
          },
        ]
      : [answered];
  if (question.kind === 'findings') return [answered, ...settledEvents(question, answer, by)];
  if (question.kind === 'plan') return [answered];
  if (question.kind === 'contract')
    return stepOf(state, question.about ?? '').status === 'escalated'
      ? [answered, ...afterContract(state, question, answer, text, by)]
      : [answered];
  const id = question.about ?? '';
  const canRetry = answer === 'retry' && stepOf(state, id).status === 'escalated';
  return canRetry ? [answered, { type: 'step.retried', step: id, data: { context: text, by } }] : [answered];
}

/** What would land has findings that would break it and that nobody has judged: a person decides, or the policy leaves them out. */
export function findingsEvents(
  state: RunState,
  findings: readonly KnownFinding[],
  now: number,
): EventDraft[] {
  const question: Question = {
    id: `findings-${state.seq + 1}`,
    about: null,
    kind: 'findings',
    text: `${findings.length === 1 ? '1 finding' : `${findings.length} findings`} would break ${state.target ?? 'the target'}, and nobody has judged ${findings.length === 1 ? 'it' : 'them'}: ${findings.map(({ message }) => message).join('; ')}`,
    options: [
      { value: 'accept', effect: 'go on with them: they are no reason to wait' },
      { value: 'leave', effect: 'leave the work that has to change behind, and go on with the rest' },
      { value: 'keep', effect: `leave everything on ${state.integration.branch}` },
    ],
    evidence: findings.map(({ rule, id, places }) => `${rule} ${id.slice(0, 8)} ${places[0] ?? ''}`.trim()),
    default: 'leave',
    deadline: deadlineOf(state.settings, now),
    findings: findings.map(({ id }) => id),
  };
  const isAnswered = state.settings.autonomy === 'autopilot';
  return [...asked(state.settings, question), ...(isAnswered ? settledEvents(question, 'leave', '') : [])];
}

function settledEvents({ findings = [] }: Question, answer: string, by: string): EventDraft[] {
  if (answer === 'keep') return [];
  const accept =
    answer === 'accept' ? findings.map((id) => ({ id, reason: 'a person answered: accept', by })) : [];
  return [{ type: 'run.settled', data: { accept, isPartial: answer === 'leave' } }];
}

/** Only a person decides to move their branch: the default does not move it. */
export function landEvents(
  state: RunState,
  { reason, next }: { readonly reason?: string; readonly next?: string },
  now: number,
): EventDraft[] {
  const target = state.target ?? 'the target';
  const question: Question = {
    id: `land-${state.seq + 1}`,
    about: null,
    kind: 'land',
    text: `land? ${reason ?? whyUnproven(state) ?? `The work is proven and would move ${target}`}${next === undefined ? '' : `. Finish it: ${next}`}`,
    options: [
      { value: 'land', effect: `move ${target} to the proven commit, with its checkout if that is clean` },
      { value: 'keep', effect: `leave it on ${state.integration.branch}` },
    ],
    evidence: [`branch ${state.integration.branch}`, `commit ${state.integration.commit}`],
    default: 'keep',
    deadline: deadlineOf(state.settings, now),
    ...(reason === undefined ? {} : { reason }),
    ...(next === undefined ? {} : { next }),
  };
  // With --land, report that it did not land.
  const isAnswered = state.settings.land === 'ask' && state.settings.autonomy === 'autopilot';
  return [
    { type: 'question.asked', data: question },
    ...(isAnswered
      ? [
          {
            type: 'question.answered' as const,
            data: { id: question.id, answer: 'keep', by: 'autopilot' as const },
          },
        ]
      : []),
  ];
}

/** What a question of the plan phase is about; its id starts with it. */
type PlanStage = 'plan' | 'challenge-spec' | 'challenge-plan';

/** Whether a person chose to continue anyway, since they last asked for a new plan. */
export function isAcceptedPlan({ questions }: RunState, stage: PlanStage): boolean {
  const asked = [...questions.values()].filter(({ question }) => question.kind === 'plan');
  const last = asked.findLastIndex(({ answer }) => answer === 'again');
  return asked
    .slice(last + 1)
    .some(({ question, answer }) => answer === 'accept' && question.id.replace(/-\d+$/, '') === stage);
}

/** A plan with problems. No task starts before a person decides how to continue. */
export function planEvents(
  state: RunState,
  problem: { readonly text: string; readonly evidence: readonly string[]; readonly canGoOn: boolean },
  now: number,
  about: PlanStage = 'plan',
): EventDraft[] {
  const question: Question = {
    id: `${about}-${state.seq + 1}`,
    about: null,
    kind: 'plan',
    text: problem.text,
    options: [
      { value: 'again', effect: 'read the spec again and make a new plan' },
      ...(problem.canGoOn ? [{ value: 'accept', effect: 'work on the plan as it is' }] : []),
      { value: 'stop', effect: 'end the run' },
    ],
    evidence: [...problem.evidence],
    default: 'stop',
    deadline: deadlineOf(state.settings, now),
  };
  return asked(state.settings, question);
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
