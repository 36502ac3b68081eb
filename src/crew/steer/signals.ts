import { z } from 'zod';
import { hasEnded, openQuestions, type RunState } from '#crew/state/state.ts';
import type { FlowContext, Signal } from '#schema/durable-port.ts';
import type { EventDraft } from '#schema/event.ts';
import { Budget } from '#schema/spending.ts';
import { answerEvents } from './questions.ts';

/** What other processes may ask of a run. */
export const RunSignal = z.discriminatedUnion('name', [
  z.object({ name: z.literal('cancel'), payload: z.null() }),
  z.object({ name: z.literal('retry'), payload: z.object({ task: z.string(), context: z.string() }) }),
  z.object({ name: z.literal('answer'), payload: z.object({ question: z.string(), answer: z.string() }) }),
  z.object({ name: z.literal('budget'), payload: Budget }),
]);
export type RunSignal = z.infer<typeof RunSignal>;

/** Records each waiting signal's effect once. True when the run is to be cancelled. */
export async function answerSignals(context: FlowContext, state: RunState): Promise<boolean> {
  let isCancelled = false;
  for (const signal of context.signals()) {
    const wish = await context.step(`signal/${signal.id}`, (call) => {
      const { events, isCancel } = effectOf(state, signal);
      for (const event of events) call.emit(event);
      return isCancel;
    });
    isCancelled ||= wish;
  }
  return isCancelled;
}

/** A wish that no longer fits (answered meanwhile, settled meanwhile) has no effect; it was too late. */
function effectOf(state: RunState, signal: Signal): { events: EventDraft[]; isCancel: boolean } {
  const parsed = RunSignal.safeParse(signal);
  if (!parsed.success) return { events: [], isCancel: false };
  const wish = parsed.data;
  switch (wish.name) {
    case 'cancel':
      return { events: [], isCancel: !hasEnded(state) };
    case 'retry':
      return { events: retryEvents(state, wish.payload.task, wish.payload.context), isCancel: false };
    case 'budget':
      return { events: budgetedEvents(state, wish.payload), isCancel: false };
    case 'answer': {
      const asked = state.questions.get(wish.payload.question);
      const isValid = asked?.question.options.some((option) => option.value === wish.payload.answer);
      if (!asked || asked.answer !== null || !isValid) return { events: [], isCancel: false };
      return { events: answerEvents(state, asked.question, wish.payload.answer, 'person'), isCancel: false };
    }
  }
}

/** A budget named by a person also answers the question for one. */
function budgetedEvents(state: RunState, budget: Budget): EventDraft[] {
  if (hasEnded(state)) return [];
  const answered = openQuestions(state)
    .filter(({ kind }) => kind === 'budget')
    .map(
      ({ id }): EventDraft => ({ type: 'question.answered', data: { id, answer: 'raise', by: 'person' } }),
    );
  return [...answered, { type: 'run.budgeted', data: budget }];
}

function retryEvents(state: RunState, task: string, context: string): EventDraft[] {
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
        data: { id: question.id, answer: 'retry', by: 'person' },
      }),
    );
  return [...reopened, ...answered, { type: 'step.retried', step: task, data: { context, by: 'person' } }];
}
