import { hang } from '#report/text/flow.ts';
import type { Page } from '#report/text/page.ts';
import type { QuestionsReport } from '#schema/run.ts';

type Asked = QuestionsReport['questions'][number];

export function renderQuestions({ questions }: QuestionsReport, { width }: Pick<Page, 'width'>): string {
  const blocks = questions.map((asked) =>
    asked.answer === null ? open(asked, width) : answered(asked, width),
  );
  return blocks.map((lines) => lines.join('\n')).join('\n\n') || 'No open questions.';
}

function open(asked: Asked, width: number): string[] {
  const lines = [
    { label: '  ', text: asked.text },
    ...asked.evidence.map((text) => ({ label: '  - ', text })),
    ...asked.options.map(({ value, effect }) => ({
      label: `  ${value}${value === asked.default ? ' (default)' : ''}: `,
      text: effect,
    })),
  ];
  return [
    `${asked.id} (run ${asked.run})`,
    ...lines.flatMap(({ label, text }) => hang(label, text, { width })),
    // A command stays on one line, so that it can be copied.
    ...(asked.options.some(({ value }) => value === 'retry')
      ? [`  or a sentence for its agent: joinery questions answer ${asked.id} "…"`]
      : []),
    ...(asked.deadline ? [`  until ${asked.deadline}`] : []),
  ];
}

/** The answer and what it does; the question itself was read before. */
function answered({ id, run, answer, options }: Asked, width: number): string[] {
  const effect = options.find(({ value }) => value === answer)?.effect;
  return [
    ...hang('', `${id} (run ${run}) → ${answer}`, { width }),
    ...(effect === undefined ? [] : hang('  ', effect, { width })),
  ];
}
