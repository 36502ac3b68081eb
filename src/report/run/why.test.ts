import { expect, test } from 'vitest';
import type { WhyReport } from '#schema/why-report.ts';
import { renderWhy } from './why.ts';

const attempt = (n: number): WhyReport['attempts'][number] => ({
  n,
  tier: 'standard',
  outcome: 'ok',
  verdict: 'revise',
  failure: null,
  reasons: ['one.test.ts was deleted, and with it one test', 'another'],
  remarks: ['wrote-outside: src/add.js', 'left-processes: 7'],
  said: "I can't help\nwith that.",
  commit: 'abcdef1234567890',
  kept: 'refs/joinery/r/kept/a-1',
  log: '/state/logs/r/a-1.log',
});

const report: WhyReport = {
  schema: 'joinery/why@1',
  run: 'r',
  task: 'a',
  title: 'A\u001b[31m title',
  status: 'escalated',
  reason: 'no progress',
  failure: { class: 'implementation-error', why: 'the same findings' },
  meaning: 'the work is wrong',
  attempts: [1, 2, 3, 4, 5].map(attempt),
  blockedBy: [],
  next: ['joinery questions answer a-2 retry', 'joinery resume r'],
};

test('the story has at most ten lines and ends with the next command', () => {
  const lines = renderWhy(report);
  expect(lines.length).toBeLessThanOrEqual(10);
  expect(lines[0]).toBe('Task a (A\\x1b[31m title): escalated, 5 attempts');
  expect(lines.join('\n')).toContain('one.test.ts was deleted, and with it one test (and 1 more)');
  expect(lines).toContain('Remarks: wrote-outside: src/add.js (and 1 more)');
  expect(lines).toContain("It said: I can't help with that.");
  expect(lines).toContain('Log: /state/logs/r/a-1.log');
  expect(lines.at(-1)).toBe('Next: joinery questions answer a-2 retry');
});

test('a task that never started says what it waits for', () => {
  const lines = renderWhy({ ...report, failure: null, attempts: [], blockedBy: ['b', 'c'], next: [] });
  expect(lines).toEqual([
    'Task a (A\\x1b[31m title): escalated, never tried',
    'no progress',
    'It waits for b, c.',
  ]);
});
