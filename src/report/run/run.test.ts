import { expect, test } from 'vitest';
import { plainPaint } from '#report/text/paint.ts';
import { RunReport } from '#schema/run.ts';
import { noBudget } from '#schema/spending.ts';
import { renderRun } from './run.ts';

const report = RunReport.parse({
  schema: 'joinery/run@1',
  run: 'r',
  status: 'done',
  base: '0'.repeat(40),
  integration: { branch: 'joinery/r/integration', commit: '1'.repeat(40) },
  tasks: [{ id: 'a', status: 'accepted', branch: 'joinery/r/a', commit: '2'.repeat(40), attempts: 1 }],
  questions: [],
  degraded: [],
  cost: { in: 0, cached: 0, written: 0, out: 0, reasoning: 0, tokens: 0, turns: 0, usd: 0, unpriced: 0 },
  budget: noBudget,
  exitCode: 0,
});

test('a run says where its work is now', () => {
  const landed = { ref: 'main', before: '0'.repeat(40), after: '3'.repeat(40), receipt: 'x' };
  const shown = (more: Partial<RunReport>) =>
    renderRun({ ...report, ...more }, [], { paint: plainPaint, width: 80 });
  expect(shown({ landed })).toContain('  landed: main is now 333333333333');
  expect(shown({})).not.toContain('landed');
});

test('a run that waits says a reason once, what an answer does once, and wraps', () => {
  const reason = 'src/a.ts is declared and does not exist (same problem twice in a row)';
  const task = (id: string) => ({ ...report.tasks[0], id, status: 'escalated', reason });
  const waiting = RunReport.parse({
    ...report,
    status: 'awaiting_human',
    exitCode: 2,
    tasks: [task('a'), task('b')],
    questions: ['a', 'b'].map((id) => ({
      id: `${id}-2`,
      about: id,
      kind: 'escalation',
      text: `Task ${id} needs a person: ${reason}`,
      options: [{ value: 'retry', effect: 'try again' }],
      evidence: [],
      default: 'retry',
      deadline: null,
    })),
    checked: { together: [], not: [{ what: 'joinery/r/a', why: `escalated: ${reason}` }] },
  });
  const next = ['a-2', 'b-2'].map((id) => ({
    command: `joinery questions answer ${id} retry`,
    effect: 'try again from the work accepted so far',
    task: null,
  }));
  expect(renderRun(waiting, next, { paint: plainPaint, width: 60 })).toMatchInlineSnapshot(`
    "Run r: waits for a person, 2 questions
      a  escalated  222222222222  src/a.ts is declared and does
                    not exist (same problem twice in a row)
      b  escalated  222222222222  src/a.ts is declared and does
                    not exist (same problem twice in a row)
      not checked: a (escalated)
      asks a-2: Task a needs a person
      asks b-2: Task b needs a person
    Next:
      joinery questions answer a-2 retry
          try again from the work accepted so far
      joinery questions answer b-2 retry"
  `);
});
