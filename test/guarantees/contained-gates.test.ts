import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { ErrorEnvelope } from '#schema/error-envelope.ts';
import { GatesReport } from '#schema/gates.ts';
import { fingerprint, GitRepository } from '../support/git-repository.ts';
import { executable, joinery, temporaryFolder } from '../support/joinery.ts';
import { sample } from '../support/sampling.ts';

/** Runs one misbehaving gate in a linked worktree; `PIDS` names a file for the processes it starts. */
async function gate(command: string, files: Readonly<Record<string, string>> = {}, timeoutSeconds = 60) {
  const { answer, ...ended } = await play(command, files, timeoutSeconds);
  return { ...ended, result: GatesReport.parse(answer).gates[0] };
}

/** The same for a gate without a result. */
async function unjudged(command: string) {
  const { answer, ...ended } = await play(command, {}, 30);
  return { ...ended, error: ErrorEnvelope.parse(answer).error };
}

async function play(command: string, files: Readonly<Record<string, string>>, timeoutSeconds: number) {
  const repository = new GitRepository();
  repository.commit({
    'joinery.json': JSON.stringify({
      gates: {
        timeoutSeconds,
        logBytes: 1_000_000,
        env: ['PIDS'],
        commands: [{ kind: 'lint', run: command }],
      },
    }),
    'a.txt': 'a\n',
    ...files,
  });
  const outside = temporaryFolder();
  const worktree = join(outside, 'worktree');
  repository.git('worktree', 'add', '-q', '-b', 'work', worktree);
  const checkout = fingerprint(repository.dir);
  const pids = join(outside, 'pids');
  const state = join(outside, 'state');
  const { code, stdout, stderr } = await joinery(['gates', '--json'], {
    cwd: worktree,
    env: { PIDS: pids, JOINERY_STATE_DIR: state, JOINERY_CACHE_DIR: state },
  });
  expect(fingerprint(repository.dir)).toEqual(checkout);
  const started = existsSync(pids) ? readFileSync(pids, 'utf8').trim().split(/\s+/).map(Number) : [];
  for (const pid of started) expect({ pid, isRunning: isRunning(pid) }).toEqual({ pid, isRunning: false });
  return { code, stderr, answer: JSON.parse(stdout), started, worktree };
}

/** An ended process that its parent has not reaped yet no longer runs. */
function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

describe.skipIf(process.platform !== 'linux')('a misbehaving gate is contained and reported:', () => {
  test('hangs', async () => {
    const { code, result, started } = await gate(
      'echo $$ > $PIDS; trap "" INT TERM; while :; do sleep 1; done',
      {},
      2,
    );
    expect(code).toBe(1);
    expect(result).toMatchObject({ status: 'fail', reason: expect.stringMatching(/^timed out after/) });
    expect(started).toHaveLength(1);
  });

  test('forks, and its children leave the session', async () => {
    const script = [
      '(sleep 600 & echo $! >> $PIDS)',
      'setsid sh -c "echo \\$\\$ >> $PIDS; exec sleep 600" >/dev/null 2>&1 < /dev/null &',
      'setsid sh -c "(sleep 600 & echo \\$! >> $PIDS)" &',
      'while [ "$(wc -l < $PIDS)" -lt 3 ]; do sleep 0.05; done',
      'echo done',
    ].join('\n');
    const { code, result, started } = await gate('sh fork.sh', { 'fork.sh': script });
    expect(started).toHaveLength(3);
    expect(result?.status).toBe('pass');
    expect(result?.reason).toMatch(/left process \d+ \(sleep\) behind/);
    expect(code).toBe(0);
  });

  test('floods its output', async () => {
    const { numRuns: megabytes } = sample('megabytes that a gate prints', { normal: 200, soak: 1000 });
    const { code, result } = await gate(
      `head -c ${megabytes}000000 /dev/zero | tr "\\0" "x"; echo; echo the end`,
      {},
      120,
    );
    expect(code).toBe(0);
    const file = result?.log?.file ?? '';
    expect(statSync(file).size).toBeLessThan(1_100_000);
    expect(readFileSync(file, 'utf8')).toMatch(/bytes are left out here[\s\S]*the end\n$/);
  });

  test('changes its own worktree', async () => {
    const { result, worktree } = await gate(
      'echo b >> a.txt; echo new > new.txt; rm -f joinery.json; echo changed',
    );
    expect(result).toMatchObject({
      status: 'fail',
      reason: 'changed its own worktree: a.txt, joinery.json, new.txt',
    });
    expect(existsSync(join(worktree, 'new.txt'))).toBe(true);
  });

  test('needs a terminal', async () => {
    const { code, result } = await gate('printf "sure? " > /dev/tty && read answer < /dev/tty', {}, 30);
    expect(code).toBe(1);
    expect(result).toMatchObject({ status: 'fail', reason: expect.stringMatching(/^exit code/) });
    expect(result?.log?.excerpt.join('\n')).toMatch(/\/dev\/tty/);
    const asks = await gate('read answer', {}, 30);
    expect(asks.result).toMatchObject({ status: 'fail', reason: 'exit code 1' });
  });

  test('kills its parent repeatedly: it cannot be judged here', async () => {
    const { code, error, started } = await unjudged('echo $$ >> $PIDS; kill -9 $PPID; sleep 600');
    expect(code).toBe(5);
    expect(error.code).toBe('guard-killed');
    expect(started).toHaveLength(2);
    const polite = await gate('kill -TERM $PPID; echo went on', {}, 30);
    expect(polite.result?.reason).toMatch(/its guard got SIGTERM/);
  });

  test('is killed from outside, and runs again', async () => {
    const once = 'if [ ! -e $PIDS ]; then echo $$ > $PIDS; kill -9 $$; fi; echo fine';
    const { code, result } = await gate(once, {}, 30);
    expect({ code, status: result?.status }).toEqual({ code: 0, status: 'pass' });
    const always = await gate('kill -9 $$', {}, 30);
    expect(always.result?.status).toBe('fail');
  });

  test('whose guard is killed from outside, and runs again', async () => {
    const once = 'if [ ! -e $PIDS ]; then echo $$ > $PIDS; kill -9 $PPID; sleep 600; fi; echo fine';
    const { code, result } = await gate(once, {}, 30);
    expect({ code, status: result?.status }).toEqual({ code: 0, status: 'pass' });
  });

  test('is interrupted together with Joinery', async () => {
    const repository = new GitRepository();
    const outside = temporaryFolder();
    repository.commit({
      'AGENTS.md': `## Quality Gates\n- lint: \`echo $$ > ${outside}/pid; exec sleep 600\`\n`,
    });
    const checkout = fingerprint(repository.dir);
    const env = { ...process.env, JOINERY_STATE_DIR: outside, JOINERY_CACHE_DIR: outside };
    const child = spawn(process.execPath, [executable, 'gates'], {
      cwd: repository.dir,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said = text(child.stderr);
    const verdict = text(child.stdout);
    const exit = new Promise((resolve) => child.once('exit', resolve));
    const pidFile = join(outside, 'pid');
    await expect
      .poll(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8').endsWith('\n'), { timeout: 30_000 })
      .toBe(true);
    child.kill('SIGINT');
    expect(await exit).toBe(130);
    expect(await said).toMatch(/called off\n.*ran (?:not )?contained.*\n$/);
    expect(await verdict).toBe('Called off: 1 of 1 gate not run to the end.\n');
    const pid = Number(readFileSync(pidFile, 'utf8'));
    await expect.poll(() => isRunning(pid), { timeout: 10_000 }).toBe(false);
    expect(fingerprint(repository.dir)).toEqual(checkout);
  });
});
