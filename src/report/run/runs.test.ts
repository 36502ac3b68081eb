import { expect, test } from 'vitest';
import type { RunsReport } from '#schema/run.ts';
import { renderRuns } from './runs.ts';

type Run = RunsReport['runs'][number];

function line(run: Partial<Run>): string {
  const whole = { run: 'abc', status: 'running', createdAt: '2026-11-18T16:03:00Z', accepted: 1, tasks: 3 };
  return renderRuns({ runs: [{ ...whole, questions: 0, holder: null, ...run }] } as unknown as RunsReport);
}

test('a run that no process drives is interrupted, as status says', () => {
  expect(line({})).toBe('abc  interrupted    2026-11-18T16:03  1/3  joinery resume abc');
  expect(line({ holder: 'host:1' })).toBe('abc  running        2026-11-18T16:03  1/3  driven by host:1');
});

test('one question is not several', () => {
  expect(line({ status: 'awaiting_human', questions: 1 })).toMatch(/ 1 question$/);
  expect(line({ status: 'awaiting_human', questions: 2 })).toMatch(/ 2 questions$/);
});
