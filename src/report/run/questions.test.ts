import { expect, test } from 'vitest';
import { QuestionsReport } from '#schema/run.ts';
import { renderQuestions } from './questions.ts';

const asked = {
  id: 'a-2',
  run: 'r',
  about: 'a',
  kind: 'escalation',
  text: 'Task a needs a person: src/a.ts is declared and does not exist',
  options: [
    { value: 'retry', effect: 'try again from the work accepted so far' },
    { value: 'leave', effect: 'go on without it; what depends on it is skipped' },
  ],
  evidence: ['why: joinery why a'],
  default: 'leave',
  deadline: null,
  answer: null,
};

const shown = (more: object) =>
  renderQuestions(
    QuestionsReport.parse({ schema: 'joinery/questions@1', questions: [{ ...asked, ...more }] }),
    { width: 40 },
  );

test('an open question has its options, each wrapped below itself', () => {
  expect(shown({})).toMatchInlineSnapshot(`
    "a-2 (run r)
      Task a needs a person: src/a.ts is
      declared and does not exist
      - why: joinery why a
      retry: try again from the work
             accepted so far
      leave (default): go on without it;
                       what depends on it is
                       skipped
      or a sentence for its agent: joinery questions answer a-2 "…""
  `);
});

test('an answered one has the answer and what it does', () => {
  expect(shown({ answer: 'retry' })).toBe(
    'a-2 (run r) → retry\n  try again from the work accepted so\n  far',
  );
  expect(shown({ answer: 'use the old file' })).toBe('a-2 (run r) → use the old file');
});
