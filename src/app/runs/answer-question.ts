import { runIds } from '#crew/state/catalogue.ts';
import { hasEnded } from '#crew/state/state.ts';
import { UsageError } from '#schema/errors.ts';
import type { QuestionsReport } from '#schema/run.ts';
import type { RunRoom } from './run-room.ts';
import { deliver } from './send-signal.ts';

export type AskedQuestion = QuestionsReport['questions'][number];

interface Scope {
  readonly run: string | undefined;
  /** Answered ones and those of ended runs too. */
  readonly all: boolean;
}

export function listQuestions(room: RunRoom, scope: Scope): AskedQuestion[] {
  return questionsOf(room, scope).filter(({ answer }) => scope.all || answer === null);
}

/** Answers a question, waits until the answer took effect, and returns the question with it. */
export async function answerQuestion(
  room: RunRoom,
  scope: Scope,
  id: string | undefined,
  answer: string | undefined,
): Promise<AskedQuestion[]> {
  const chosen = find(questionsOf(room, scope), id, answer);
  const payload = { question: chosen.id, answer: answer ?? '' };
  await deliver(
    room,
    chosen.run,
    { name: 'answer', payload },
    (state) => state.questions.get(chosen.id)?.answer !== null,
  );
  return questionsOf(room, scope).filter((each) => each.id === chosen.id && each.run === chosen.run);
}

function questionsOf({ runs, state, choose }: RunRoom, { run, all }: Scope): AskedQuestion[] {
  const ids = run === undefined ? runIds(runs.engine) : [choose(run)];
  return ids.flatMap((id) => {
    const known = state(id);
    if (hasEnded(known) && !all && run === undefined) return [];
    return [...known.questions.values()].map(({ question, answer }) => ({ ...question, run: id, answer }));
  });
}

function find(
  all: readonly AskedQuestion[],
  id: string | undefined,
  answer: string | undefined,
): AskedQuestion {
  const open = all.filter((each) => each.answer === null);
  const matching = open.filter((each) => each.id === id);
  const [chosen] = matching;
  const complain = (code: string, message: string, hint: string) => new UsageError({ code, message, hint });
  if (!chosen) {
    const hint =
      open.length > 0
        ? `open questions: ${open.map((each) => each.id).join(', ')}`
        : 'joinery questions list';
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
  const values = chosen.options.map(({ value }) => value);
  if (answer === undefined || !values.includes(answer)) {
    throw complain(
      'unknown-answer',
      `${answer ?? 'nothing'} is no answer to ${id}`,
      `one of: ${values.join(', ')}`,
    );
  }
  return chosen;
}
