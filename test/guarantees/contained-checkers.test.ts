import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CheckReport } from '#schema/check-report.ts';
import { GitRepository } from '../support/git-repository.ts';
import { executable, joinery, temporaryFolder } from '../support/joinery.ts';

/** A project whose own compiler is this code, in node_modules as on a user's disk. */
function projectWith(compiler: string) {
  const repository = new GitRepository();
  repository.commit({
    '.gitignore': 'node_modules\n',
    'tsconfig.json': '{"compilerOptions":{"types":[]},"include":["*.ts"]}',
    'a.ts': 'export const a: number = 1;\n',
  });
  repository.branch('one', { 'b.ts': 'export const b = 1;\n' });
  repository.branch('two', { 'c.ts': 'export const c = 1;\n' });
  const pids = join(repository.dir, 'node_modules/pids');
  repository.write({
    'node_modules/typescript/package.json': '{"name":"typescript","version":"5.0.0"}',
    'node_modules/typescript/lib/typescript.js': `
      const { spawn } = require('node:child_process');
      const helper = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
      require('node:fs').writeFileSync(${JSON.stringify(pids)}, process.pid + ' ' + helper.pid);
      ${compiler}`,
  });
  const cache = temporaryFolder();
  const env = { JOINERY_CACHE_DIR: cache, JOINERY_STATE_DIR: cache };
  return { cwd: repository.dir, env, pids };
}

async function checkWith(compiler: string, seconds: number, args: readonly string[] = []) {
  const { cwd, env, pids } = projectWith(compiler);
  const limit = { JOINERY_CHECKER_TIMEOUT: String(seconds) };
  const outcome = await joinery(['check', '--json', ...args], { cwd, env: { ...env, ...limit } });
  await allEnded(pids);
  const report = CheckReport.parse(JSON.parse(outcome.stdout));
  expect(JSON.stringify(report)).toBe(JSON.stringify(JSON.parse(outcome.stdout)));
  return { ...outcome, report };
}

/** The compiler and everything it started. */
async function allEnded(pids: string): Promise<void> {
  expect(existsSync(pids)).toBe(true);
  for (const pid of readFileSync(pids, 'utf8').split(' ')) await ended(Number(pid));
}

async function ended(pid: number): Promise<void> {
  await expect.poll(() => isRunning(pid), { timeout: 5000 }).toBe(false);
}

/** An ended process whose parent is gone may stay listed until it is reaped. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  if (process.platform !== 'linux') return true;
  return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

test('a compiler that crashes is replaced by the next, and the report says so', async () => {
  const { code, report } = await checkWith('process.abort();', 60);
  expect(code).toBe(0);
  expect(report.checkers?.[0]).toMatchObject({ origin: 'joinery', version: '7.0.2' });
  expect(report.degraded[0]?.reason).toMatch(/TypeScript 5\.0\.0 of the project: it was ended by SIGABRT/);
});

test('a compiler that hangs is ended with everything it started, and the rest of the check continues', async () => {
  const { code, report } = await checkWith('for (;;) {}', 1);
  expect(code).toBe(0);
  expect(report.degraded).toEqual([
    { check: 'types', reason: expect.stringContaining('it gave no answer within 1 s of CPU time') },
  ]);
});

test('a compiler that is interrupted at files that branches changed makes the check inconclusive, however it was requested', async () => {
  const hangs = "module.exports = { version: '5.0.0', getParsedCommandLineOfConfigFile() { for (;;) {} } };";
  const { code, report } = await checkWith(hangs, 1);
  expect({ code, status: report.status, degraded: report.degraded }).toEqual({
    code: 2,
    status: 'undecided',
    degraded: [],
  });
  expect(report.inconclusive).toEqual([
    {
      check: 'types',
      reason: expect.stringContaining('tsconfig.json: TypeScript 5.0.0 of the project: it gave no answer'),
    },
  ]);
});

test('so does a Python checker, but one that does not even start does not', async () => {
  const repository = new GitRepository();
  repository.commit({ '.gitignore': '.venv\n', 'mypy.ini': '[mypy]\n', 'a.py': 'a = 1\n' });
  repository.branch('one', { 'b.py': 'b = 1\n' });
  repository.branch('two', { 'c.py': 'c = 1\n' });
  const cache = temporaryFolder();
  const env = { JOINERY_CACHE_DIR: cache, JOINERY_STATE_DIR: cache, JOINERY_CHECKER_TIMEOUT: '2' };
  const check = async (mypy: string) => {
    repository.write({ '.venv/bin/mypy': `#!/bin/sh\n${mypy}\n` });
    chmodSync(join(repository.dir, '.venv/bin/mypy'), 0o755);
    const { code, stdout } = await joinery(['check', '--json'], { cwd: repository.dir, env });
    return { code, report: CheckReport.parse(JSON.parse(stdout)) };
  };
  const slow = await check('if [ "$1" = --version ]; then echo mypy 1.0.0; else exec sleep 100; fi');
  expect(slow.code).toBe(2);
  expect(slow.report.inconclusive).toEqual([
    { check: 'mypy', reason: 'it gave no answer within 2 s of CPU time' },
  ]);
  const dead = await check('exec sleep 100');
  expect(dead.code).toBe(0);
  expect(dead.report.degraded).toEqual([
    { check: 'mypy', reason: 'it gave no answer within 2 s of CPU time' },
  ]);
});

test('a compiler that sleeps forever is ended as well', async () => {
  const sleep = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);';
  const { code, report } = await checkWith(sleep, 1);
  expect(code).toBe(0);
  expect(report.degraded).toMatchObject([{ check: 'types', reason: expect.stringContaining('1 s') }]);
});

test('a compiler that has to wait gets its time: only its CPU time counts', async () => {
  const real = createRequire(import.meta.url).resolve('typescript-5.9');
  const limit = 4;
  // Twice as long as the limit in total, and never longer than that at once.
  const { report } = await checkWith(
    `for (let count = 0; count < 4; count++) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${limit * 500});
      const end = process.cpuUsage().user + 50_000;
      while (process.cpuUsage().user < end);
    }
    module.exports = require(${JSON.stringify(real)});`,
    limit,
  );
  expect(report.degraded).toEqual([]);
  expect(report.checkers).toMatchObject([{ origin: 'project', version: '5.0.0' }]);
});

test('a compiler that gave no answer about a tree is not asked about it again', async () => {
  const { cwd, env, pids } = projectWith('for (;;) {}');
  const again = async (seconds: string) => {
    rmSync(pids, { force: true });
    const { stdout } = await joinery(['check', '--json'], {
      cwd,
      env: { ...env, JOINERY_CHECKER_TIMEOUT: seconds },
    });
    return { wasAsked: existsSync(pids), degraded: CheckReport.parse(JSON.parse(stdout)).degraded };
  };
  const first = await again('1');
  expect(first).toMatchObject({ wasAsked: true, degraded: [{ reason: expect.stringContaining('1 s') }] });
  expect(await again('1')).toEqual({ ...first, wasAsked: false });
  expect(await again('2')).toMatchObject({ wasAsked: true });
});

test('a compiler that floods its output is ended too; if types were demanded, the check does not pass', async () => {
  const { code, report, stderr } = await checkWith(
    "const text = 'x'.repeat(1_000_000); for (;;) { require('node:fs').writeSync(2, text); process.stdout.write(text); }",
    1,
    ['--confirm', 'types'],
  );
  expect(code).toBe(2);
  expect(report.status).toBe('undecided');
  expect(report.inconclusive[0]?.reason).toMatch(/1 s|ended/);
  expect(stderr.length).toBeLessThan(10_000);
});

test('an interrupted check ends its compiler', async () => {
  const { cwd, env, pids } = projectWith('for (;;) {}');
  const child = spawn(process.execPath, [executable, 'check'], { cwd, env: { ...process.env, ...env } });
  const exit = new Promise((resolve) => child.once('exit', resolve));
  await expect
    .poll(() => existsSync(pids) && readFileSync(pids, 'utf8').includes(' '), { timeout: 30_000 })
    .toBe(true);
  child.kill('SIGINT');
  expect(await exit).toBe(130);
  await allEnded(pids);
});
