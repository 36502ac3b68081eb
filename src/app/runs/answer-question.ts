import type { Decision } from '#app/workplace/decision.ts';
import { runIds, stateIfWhole } from '#crew/state/catalogue.ts';
import { hasEnded } from '#crew/state/state.ts';
import { EngineError } from '#durable/engine-error.ts';
import { UsageError } from '#schema/errors.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { QuestionsReport } from '#schema/run.ts';
import { assertCanLand } from './can-land.ts';
import { stateNow } from './report-run.ts';
import type { RunRoom } from './run-room.ts';
import { deliver } from './send-signal.ts';

export type AskedQuestion = QuestionsReport['questions'][number];

interface Scope {
  readonly run: string | undefined;
  /** Include answered questions and those of ended runs. */
  readonly all: boolean;
}

export async function listQuestions(room: RunRoom, scope: Scope): Promise<AskedQuestion[]> {
  const listed: AskedQuestion[] = [];
  for (const asked of questionsOf(room, scope)) {
    if (!scope.all && asked.answer !== null) continue;
    if (scope.all || asked.kind !== 'land' || (await stateNow(room, asked.run)).landed === null)
      listed.push(asked);
  }
  return listed;
}

/** Answers a question, waits until the answer takes effect, and returns the question with it. */
export async function answerQuestion(
  room: RunRoom,
  decision: Decision,
  scope: Scope,
  id: string | undefined,
  words: { readonly answer: string | undefined; readonly text: string | undefined },
): Promise<AskedQuestion[]> {
  const chosen = find(questionsOf(room, scope), id);
  const payload = { question: chosen.id, ...understand(chosen, words) };
  await assertCanLand(room, room.state(chosen.run), chosen, payload.answer);
  await deliver(
    room,
    chosen.run,
    { name: 'answer', payload },
    decision,
    (state) => state.questions.get(chosen.id)?.answer !== null,
  );
  const now = questionsOf(room, scope).filter((each) => each.id === chosen.id && each.run === chosen.run);
  const taken = now[0]?.answer ?? null;
  assertOpen(chosen.run, { question: chosen, answer: taken }, payload.answer);
  return now;
}

/** Refuses a question that already has another answer. */
export function assertOpen(
  run: string,
  { question, answer: taken }: { readonly question: { readonly id: string }; readonly answer: string | null },
  answer: string,
): void {
  if (taken === null || taken === answer) return;
  throw new EngineError('too-late', `${question.id} was already answered: ${taken}`, {
    exitCode: exitCodes.needsPerson,
    hint: `joinery status ${run}`,
  });
}

export function hasEndedNow({ state }: Pick<RunRoom, 'state'>, run: string): boolean {
  return hasEnded(state(run));
}

function questionsOf({ runs, state, choose }: RunRoom, { run, all }: Scope): AskedQuestion[] {
  const ids = run === undefined ? runIds(runs.engine) : [choose(run)];
  return ids.flatMap((id) => {
    // A damaged log of one run does not hide the questions of the others.
    const known = run === undefined ? stateIfWhole(runs.engine, id) : state(id);
    if (known === null) return [];
    if (hasEnded(known) && !all && run === undefined) return [];
    return [...known.questions.values()].map(({ question, answer }) => ({ ...question, run: id, answer }));
  });
}

/** One of the options; a whole sentence means: retry, and pass this on to the agent. */
export function understand(
  { id, options }: Pick<AskedQuestion, 'id' | 'options'>,
  { answer, text }: { readonly answer: string | undefined; readonly text: string | undefined },
): { answer: string; text: string } {
  const values = options.map(({ value }) => value);
  const takesText = values.includes('retry');
  if (answer !== undefined && values.includes(answer) && (text === undefined || answer === 'retry'))
    return { answer, text: text ?? '' };
  // A single word is a misspelt option.
  if (takesText && text === undefined && answer !== undefined && /\S\s+\S/.test(answer))
    return { answer: 'retry', text: answer };
  throw new UsageError({
    code: 'unknown-answer',
    message:
      answer !== undefined && values.includes(answer)
        ? `${answer} takes no text`
        : `${answer ?? 'nothing'} is not an answer to ${id}`,
    hint: `one of: ${values.join(', ')}${takesText ? '; or a sentence for the agent, which tries again with it' : ''}`,
  });
}

function find(all: readonly AskedQuestion[], id: string | undefined): AskedQuestion {
  const open = all.filter((each) => each.answer === null);
  const matching = open.filter((each) => each.id === id);
  const [chosen] = matching;
  const complain = (code: string, message: string, hint: string) => new UsageError({ code, message, hint });
  if (!chosen) {
    const hint =
      open.length > 0 ? `open questions: ${open.map((each) => each.id).join(', ')}` : 'joinery questions';
    throw complain(
      'unknown-question',
      id === undefined ? 'which question?' : `there is no open question ${id}`,
      hint,
    );
  }
  if (matching.length > 1) {
    const named = matching.map((each) => each.run).join(', ');
    throw complain(
      'ambiguous-question',
      `question ${id} is open in several runs: ${named}`,
      'add --run <id>',
    );
  }
  return chosen;
}
