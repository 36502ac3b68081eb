import { type RunRoom, withRuns } from '#app/run-room.ts';
import { deliver } from '#app/send-signal.ts';
import type { Invocation, Run } from '#cli/args/invocation.ts';
import { chooseRun, runIds } from '#crew/state/catalogue.ts';
import { hasEnded } from '#crew/state/state.ts';
import { visibleLine } from '#lib/visible.ts';
import { UsageError } from '#schema/errors.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { QuestionsReport } from '#schema/run.ts';
import type { questionsTable } from './questions.table.ts';

type Asked = QuestionsReport['questions'][number];

export const run: Run<typeof questionsTable> = (invocation) =>
  withRuns(invocation, async (room) => {
    const [action, id, answer] = invocation.positionals;
    const all = questionsOf(invocation, room);
    if (action === 'answer') {
      const chosen = find(all, id, answer);
      const payload = { question: chosen.id, answer: answer ?? '' };
      await deliver(
        room,
        chosen.run,
        { name: 'answer', payload },
        (state) => state.questions.get(chosen.id)?.answer !== null,
      );
      return print(
        invocation,
        questionsOf(invocation, room).filter((each) => each.id === chosen.id && each.run === chosen.run),
      );
    }
    return print(
      invocation,
      all.filter((each) => invocation.options.all === true || each.answer === null),
    );
  });

function questionsOf({ options }: Invocation<typeof questionsTable>, { runs, state }: RunRoom): Asked[] {
  const ids = options.run === undefined ? runIds(runs.engine) : [chooseRun(runs.engine, options.run, 'any')];
  return ids.flatMap((id) => {
    const known = state(id);
    if (hasEnded(known) && !options.all && options.run === undefined) return [];
    return [...known.questions.values()].map(({ question, answer }) => ({ ...question, run: id, answer }));
  });
}

function find(all: readonly Asked[], id: string | undefined, answer: string | undefined): Asked {
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

function print({ globals, terminal }: Invocation<typeof questionsTable>, questions: Asked[]) {
  const report: QuestionsReport = { schema: 'joinery/questions@1', questions };
  if (globals.json) terminal.printJson(report);
  else terminal.print(questions.map(render).join('\n\n') || 'No open questions.');
  return exitCodes.ok;
}

function render(asked: Asked): string {
  const answered = asked.answer === null ? '' : ` → ${asked.answer}`;
  return [
    `${asked.id} (run ${asked.run})${answered}`,
    `  ${visibleLine(asked.text)}`,
    ...asked.evidence.map((line) => `  - ${visibleLine(line)}`),
    ...asked.options.map(
      ({ value, effect }) => `  ${value}${value === asked.default ? ' (default)' : ''}: ${effect}`,
    ),
    ...(asked.deadline ? [`  until ${asked.deadline}`] : []),
  ].join('\n');
}
