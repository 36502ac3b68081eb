import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#test/support/joinery.ts';
import { checkerEnvironment } from './checker-environment.ts';
import { type CheckerFailure, runChecker } from './containment.ts';
import { Effort } from './effort.ts';

const run = (timeLimitMs: number) => ({
  cwd: temporaryFolder(),
  timeLimitMs,
  effort: new Effort(),
  onInterrupt: () => () => {},
});

test('a checker gets what it needs to run, but no secret and no folder of the branch', () => {
  const env = checkerEnvironment({
    PATH: 'node_modules/.bin:/usr/bin::./bin',
    HOME: '/home/u',
    LC_ALL: 'C',
    FAKE_SECRET_TOKEN: 'sekrit',
    PYTHONPATH: '.',
    NODE_OPTIONS: '--require ./evil.js',
    MYPYPATH: 'stubs',
    LD_PRELOAD: '/tmp/evil.so',
  });
  expect(env).toMatchObject({ PATH: '/usr/bin', HOME: '/home/u', LC_ALL: 'C' });
  for (const name of ['FAKE_SECRET_TOKEN', 'PYTHONPATH', 'NODE_OPTIONS', 'MYPYPATH', 'LD_PRELOAD'])
    expect(env[name]).toBeUndefined();
});

test('the answer of a checker is its output and its exit code', async () => {
  const answer = await runChecker('/bin/sh', ['-c', 'cat; echo no >&2; exit 3'], {
    ...run(5000),
    input: 'hello',
  });
  expect(answer).toEqual({ code: 3, stdout: 'hello', stderr: 'no\n' });
});

test('a missing program is distinguished from one that fails', async () => {
  const failure = await runChecker('/nonexistent/mypy', [], run(5000)).catch(
    (error: CheckerFailure) => error,
  );
  expect(failure).toMatchObject({ kind: 'unloadable' });
});

test.skipIf(process.platform !== 'linux')(
  'processes that a checker leaves behind are ended, even in another session',
  async () => {
    const here = run(5000);
    await runChecker('/bin/sh', ['-c', `setsid sh -c 'echo $$ > pid; exec sleep 60' & sleep 0.3`], here);
    const pid = readFileSync(join(here.cwd, 'pid'), 'utf8').trim();
    await expect.poll(() => isRunning(pid)).toBe(false);
  },
);

test('a checker that exceeds its CPU time is ended and reported', async () => {
  const failure = await runChecker('/bin/sh', ['-c', 'while :; do :; done'], run(600)).catch(
    (error: CheckerFailure) => error,
  );
  expect(failure).toMatchObject({ kind: 'timeout', isCutOff: true });
});

/** An ended process stays listed until its parent has waited for it. */
function isRunning(pid: string): boolean {
  const stat = `/proc/${pid}/stat`;
  return existsSync(stat) && !/\) Z /.test(readFileSync(stat, 'utf8'));
}
