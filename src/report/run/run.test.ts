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
  const shown = (more: Partial<RunReport>) => renderRun({ ...report, ...more }, [], { paint: plainPaint });
  expect(shown({ landed })).toContain('  landed: main is now 333333333333');
  expect(shown({})).not.toContain('landed');
});
