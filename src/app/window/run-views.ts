import { liveOf } from '#crew/state/live.ts';
import { nextCommands } from '#crew/state/next-commands.ts';
import {
  type AttemptState,
  hasEnded,
  openAttempt,
  openQuestions,
  type RunState,
  type StepState,
} from '#crew/state/state.ts';
import type { DataOf } from '#schema/event.ts';
import { rounded } from '#schema/spending.ts';
import type { AttemptRow, InboxItem, RunRow, RunView, TaskRow } from '#schema/window.ts';

/** The prompt of each attempt: 'task 1' → its hash and sections. */
export type Prompts = ReadonlyMap<string, DataOf<'attempt.prompted'>>;

export function promptKey(task: string, attempt: number): string {
  return `${task} ${attempt}`;
}

export function rowOf(run: string, state: RunState, holder: string | null): RunRow {
  const steps = [...state.steps.values()];
  const count = (...statuses: StepState['status'][]) =>
    steps.filter(({ status }) => statuses.includes(status)).length;
  const { usd, tokens } = rounded(state.usage);
  return {
    run,
    title: titleOf(state),
    status: state.status,
    createdAt: state.createdAt,
    at: state.at,
    accepted: count('accepted'),
    failed: count('failed', 'escalated'),
    tasks: steps.length,
    questions: hasEnded(state) ? 0 : openQuestions(state).length,
    holder,
    usd,
    tokens,
  };
}

function titleOf({ plan, steps, spec }: RunState): string {
  if (plan.spec) return plan.spec.path;
  const [first] = steps.values();
  // Before there is a plan, and when none could be made.
  if (!first) return spec?.path ?? 'A run without tasks';
  const rest = steps.size > 1 ? ` and ${steps.size - 1} more` : '';
  return `${first?.task.title ?? ''}${rest}`;
}

export function viewOf(run: string, state: RunState, holder: string | null, prompts: Prompts): RunView {
  const live = new Map(liveOf(run, state).tasks.map((task) => [task.id, task]));
  return {
    schema: 'joinery/run-view@1',
    run,
    title: titleOf(state),
    status: state.status,
    reason: state.reason,
    base: state.base,
    baseRef: state.baseRef,
    createdAt: state.createdAt,
    at: state.at,
    seq: state.seq,
    isHalted: state.isHalted,
    holder,
    integration: { ...state.integration },
    phases: state.phases.map(({ phase, status, detail }) => ({ phase, status, detail })),
    landed: state.landed && {
      ref: state.landed.ref,
      before: state.landed.before,
      after: state.landed.after,
    },
    tasks: [...state.steps.values()].map((step): TaskRow => {
      const { id, title, description, dependsOn, files } = step.task;
      const shown = live.get(id);
      return {
        id,
        title,
        description,
        dependsOn,
        files: [...files, ...step.granted],
        status: step.status,
        reason: step.reason,
        branch: step.branch,
        commit: step.commit,
        doing: openAttempt(step)?.tool ?? shown?.doing ?? '',
        waitsFor: [...(shown?.waitsFor ?? [])],
        usd: shown?.usd ?? 0,
        tokens: shown?.tokens ?? 0,
        attempts: step.attempts.map((attempt) =>
          attemptOf(attempt, prompts.get(promptKey(id, attempt.n)) ?? null),
        ),
      };
    }),
    questions: [...state.questions.values()].map(({ question, answer }) => ({ ...question, answer })),
    degraded: [...state.degraded],
    cost: rounded(state.usage),
    budget: { ...state.budget },
    next: nextCommands(run, state).map(({ command }) => command),
  };
}

function attemptOf(attempt: AttemptState, prompt: AttemptRow['prompt']): AttemptRow {
  const { n, driver, tier, model, startedAt, endedAt, outcome, verdict, quality, commit, tool } = attempt;
  return {
    n,
    driver,
    tier,
    model,
    startedAt,
    endedAt,
    outcome,
    verdict,
    quality,
    findings: [...attempt.findings],
    incidents: [...attempt.incidents],
    claims: [...attempt.claims],
    grounding: attempt.grounding && {
      status: attempt.grounding.status,
      checks: attempt.grounding.checks,
    },
    failure: attempt.failure,
    usage: rounded(attempt.usage),
    commit,
    tool,
    prompt,
  };
}

/** Items of a run that wait for a person. */
export function inboxOf(run: string, state: RunState): InboxItem[] {
  if (hasEnded(state)) return [];
  const base = { run, finding: null, at: state.at };
  const asked = openQuestions(state);
  const about = new Set(asked.map((question) => question.about));
  return [
    ...asked.map((question) => ({
      ...base,
      kind: 'question' as const,
      title: question.text,
      detail: question.evidence.join('\n'),
      task: question.about,
      question,
    })),
    ...[...state.steps.values()]
      .filter(({ status, task }) => (status === 'failed' || status === 'escalated') && !about.has(task.id))
      .map((step) => ({
        ...base,
        kind: 'task' as const,
        title: `${step.task.title}: ${step.status}`,
        detail: step.reason,
        task: step.task.id,
        question: null,
      })),
  ];
}
