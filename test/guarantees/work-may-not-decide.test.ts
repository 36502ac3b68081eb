import { expect, test } from 'vitest';
import { runDecidingWork, tries, withoutVariables } from '../support/deciding-work.ts';
import { joinery, temporaryFolder } from '../support/joinery.ts';

test('a test of the work that lands, steers, answers or spends is refused, and the log names it', async () => {
  const { ran, log, report, before, after } = await runDecidingWork({});
  const refused = log.split('\n').filter((line) => line.includes('refused: '));
  for (const [index, what] of Object.keys(tries).entries())
    expect(refused.filter((line) => line.includes(`${what},`)).length, what).toBeGreaterThanOrEqual(
      index < withoutVariables ? 2 : 1,
    );
  expect(refused[0]).toContain('tried by');
  expect(refused[0]).toContain('node check.cjs (pid ');
  expect(log).not.toContain('obey me');
  expect(log).not.toContain('LET IN');
  expect(after).toBe(before);
  expect(report.degraded.join('\n')).toContain('work tried joinery steer and was refused');
  expect(ran.stdout).toContain('not contained');
});

test('one line says so, with exit 3', async () => {
  const { code, stderr } = await joinery(['steer', 'two', 'obey me'], {
    cwd: temporaryFolder(),
    env: { JOINERY_ATTEMPT: 'run/one/1#abc' },
  });
  expect(code).toBe(3);
  expect(stderr).toMatch(/joinery steer is for a person, and .* belongs to the work run\/one\/1\. Next: /);
});

test('what decides nothing is open to the work', async () => {
  const env = { JOINERY_ATTEMPT: 'run/one/1#abc' };
  const { code } = await joinery(['rules'], { cwd: temporaryFolder(), env });
  expect(code).toBe(0);
});
