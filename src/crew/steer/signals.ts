import { z } from 'zod';
import { hasEnded, isSettled, openQuestions, provable, type RunState } from '#crew/state/state.ts';
import type { FlowContext, Signal } from '#schema/durable-port.ts';
import type { DataOf, EventDraft } from '#schema/event.ts';
import { Acceptance, AcceptedLoss } from '#schema/integration.ts';
import { Budget } from '#schema/spending.ts';
import { answerEvents } from './questions.ts';
import { fixEvents } from './rework.ts';
import { TargetRework, targetReworkEvents } from './target-rework.ts';

/** Requests that other processes may send to a run. */
export const RunSignal = z.discriminatedUnion('name', [
  z.object({ name: z.literal('cancel'), payload: z.null() }),
  // null: one task from what was not accepted.
  z.object({ name: z.literal('rework'), payload: TargetRework.nullable() }),
  z.object({ name: z.literal('retry'), payload: z.object({ task: z.string(), context: z.string() }) }),
  z.object({
    name: z.literal('answer'),
    // `text` goes to the agent of a retried task.
    payload: z.object({ question: z.string(), answer: z.string(), text: z.string().default('') }),
  }),
  z.object({
    name: z.literal('land'),
    payload: z.object({
      mayUpdateCheckout: z.boolean(),
      isPartial: z.boolean(),
      decisions: z.array(AcceptedLoss).default([]),
      accept: z.array(Acceptance).default([]),
      unproven: z.string().optional(),
    }),
  }),
  z.object({ name: z.literal('undone'), payload: z.object({ landed: z.string() }) }),
  z.object({ name: z.literal('budget'), payload: Budget }),
  z.object({
    name: z.literal('steer'),
    payload: z.object({ task: z.string(), text: z.string().min(1) }),
  }),
  // A program of the work that tried to decide. Nothing follows but its record.
  z.object({
    name: z.literal('refused'),
    payload: z.object({ what: z.string(), process: z.string(), mark: z.string(), evidence: z.string() }),
  }),
  z.object({ name: z.literal('stop'), payload: z.object({ task: z.string(), reason: z.string() }) }),
]);
export type RunSignal = z.infer<typeof RunSignal>;

/** Records the effect of each pending signal once. True when the run must be cancelled. */
export async function answerSignals(context: FlowContext, state: RunState): Promise<boolean> {
  let isCancelled = false;
  for (const signal of context.signals()) {
    const wish = await context.step(`signal/${signal.id}`, (call) => {
      const { events, isCancel } = effectOf(context.run, state, signal);
      const { id, name, by } = signal;
      if (by !== undefined) call.emit({ type: 'run.signalled', data: { id, name, by } });
      for (const event of events) call.emit(event);
      return isCancel;
    });
    isCancelled ||= wish;
  }
  return isCancelled;
}

/** A request that came too late (already answered or settled) has no effect. */
function effectOf(run: string, state: RunState, signal: Signal): { events: EventDraft[]; isCancel: boolean } {
  const parsed = RunSignal.safeParse(signal);
  if (!parsed.success) return { events: [], isCancel: false };
  const who = provable(signal.by ?? 'somebody unknown', state);
  const wish = parsed.data;
  switch (wish.name) {
    case 'cancel':
      return { events: [], isCancel: !hasEnded(state) };
    case 'retry':
      return { events: retryEvents(state, wish.payload, who), isCancel: false };
    case 'rework':
      return {
        events: wish.payload ? targetReworkEvents(run, state, wish.payload) : fixEvents(run, state),
        isCancel: false,
      };
    case 'land':
      return { events: landingEvents(state, wish.payload, who), isCancel: false };
    case 'undone':
      return { events: undoneEvents(state, wish.payload.landed), isCancel: false };
    case 'budget':
      return { events: budgetedEvents(state, wish.payload, who), isCancel: false };
    case 'refused':
      return { events: [{ type: 'run.refused', data: wish.payload }], isCancel: false };
    case 'steer':
      return { events: steerEvents(state, wish.payload, who), isCancel: false };
    case 'stop':
      return { events: stopEvents(state, wish.payload, who), isCancel: false };
    case 'answer': {
      const asked = state.questions.get(wish.payload.question);
      const isValid = asked?.question.options.some((option) => option.value === wish.payload.answer);
      if (!asked || asked.answer !== null || !isValid) return { events: [], isCancel: false };
      const { answer, text } = wish.payload;
      return {
        events: answerEvents(state, asked.question, { answer, text, by: 'person', who }),
        isCancel: false,
      };
    }
  }
}

function undoneEvents({ landed }: RunState, commit: string): EventDraft[] {
  if (landed?.after !== commit) return [];
  return [{ type: 'run.undone', data: { ref: landed.ref, landed: commit } }];
}

/** A new budget also answers the open question about it. */
function budgetedEvents(state: RunState, budget: Budget, who: string): EventDraft[] {
  if (hasEnded(state)) return [];
  const answered = openQuestions(state)
    .filter(({ kind }) => kind === 'budget')
    .map(
      ({ id }): EventDraft => ({
        type: 'question.answered',
        data: { id, answer: 'raise', by: 'person', who },
      }),
    );
  return [...answered, { type: 'run.budgeted', data: budget }];
}

/** Lands a result that stayed on its branch or waits for permission. A landed result does not land again. */
function landingEvents(state: RunState, wish: DataOf<'run.landing'>, who: string): EventDraft[] {
  if (state.landed !== null) return [];
  const reopened: EventDraft[] = hasEnded(state)
    ? [{ type: 'run.reopened', data: { reason: 'it is to land' } }]
    : [];
  const answered = openQuestions(state)
    .filter(({ kind }) => kind === 'land')
    .map(
      ({ id }): EventDraft => ({
        type: 'question.answered',
        data: { id, answer: 'land', by: 'person', who },
      }),
    );
  return [...reopened, ...answered, { type: 'run.landing', data: wish }];
}

function steerEvents(
  state: RunState,
  { task, text }: { readonly task: string; readonly text: string },
  who: string,
): EventDraft[] {
  const step = state.steps.get(task);
  if (!step || isSettled(step) || hasEnded(state)) return [];
  return [{ type: 'step.steered', step: task, data: { text, by: 'person', who } }];
}

function stopEvents(
  state: RunState,
  { task, reason: why }: { readonly task: string; readonly reason: string },
  who: string,
): EventDraft[] {
  const step = state.steps.get(task);
  if (!step || isSettled(step) || hasEnded(state)) return [];
  const reason = why === '' ? 'stopped by a person' : `stopped by a person: ${why}`;
  return [{ type: 'step.stopping', step: task, data: { reason, by: 'person', who } }];
}

function retryEvents(
  state: RunState,
  { task, context }: { readonly task: string; readonly context: string },
  who: string,
): EventDraft[] {
  const step = state.steps.get(task);
  if (!step || (step.status !== 'failed' && step.status !== 'escalated')) return [];
  const reopened: EventDraft[] = hasEnded(state)
    ? [{ type: 'run.reopened', data: { reason: `another try of ${task}` } }]
    : [];
  const answered = [...state.questions.values()]
    .filter(({ question, answer }) => question.about === task && answer === null)
    .map(
      ({ question }): EventDraft => ({
        type: 'question.answered',
        data: { id: question.id, answer: 'retry', by: 'person', who },
      }),
    );
  return [...reopened, ...answered, { type: 'step.retried', step: task, data: { context, by: 'person' } }];
}
