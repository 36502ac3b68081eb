import { expect, test } from 'vitest';
import { runDecidingWork } from '../support/deciding-work.ts';

test('contained work that tries to decide reaches no run, and its gate is told what it tried', async () => {
  const { log, report, before, after } = await runDecidingWork({ JOINERY_SANDBOX: '' });
  expect(log).not.toContain('LET IN');
  expect(log).not.toContain('obey me');
  expect(log).toMatch(/node check\.cjs \(pid \d+\) tried to decide and was refused: joinery steer/);
  expect(after).toBe(before);
  expect(report.containment).toContain('contained (bubblewrap');
});
