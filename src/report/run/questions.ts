import { visibleLine } from '#lib/visible.ts';
import type { QuestionsReport } from '#schema/run.ts';

export function renderQuestions({ questions }: QuestionsReport): string {
  return questions.map(render).join('\n\n') || 'No open questions.';
}

function render(asked: QuestionsReport['questions'][number]): string {
  const answered = asked.answer === null ? '' : ` → ${asked.answer}`;
  return [
    `${asked.id} (run ${asked.run})${answered}`,
    `  ${visibleLine(asked.text)}`,
    ...asked.evidence.map((line) => `  - ${visibleLine(line)}`),
    ...asked.options.map(
      ({ value, effect }) => `  ${value}${value === asked.default ? ' (default)' : ''}: ${effect}`,
    ),
    ...(asked.answer === null && asked.options.some(({ value }) => value === 'retry')
      ? [`  or a sentence for its agent: joinery questions answer ${asked.id} "…"`]
      : []),
    ...(asked.deadline ? [`  until ${asked.deadline}`] : []),
  ].join('\n');
}
