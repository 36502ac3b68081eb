import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '#test/support/joinery.ts';
import { startGuarded } from './start-guarded.ts';
import { endStrays, findStrays, processClock } from './strays.ts';

const isLinux = process.platform === 'linux';

/** Two forks, a new session, no environment: nothing a guard looks for identifies it. */
function daemon(body: string): string {
  return `(env -i setsid /bin/sh -c 'echo $$ > pid; ${body}' >/dev/null 2>&1 </dev/null &) &`;
}

async function leave(script: string) {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'sub'));
  const since = processClock();
  const { ended, stdout, stderr } = startGuarded({
    argv: ['/bin/sh', '-c', `${script}\nwhile [ ! -s pid ]; do sleep 0.05; done`],
    cwd: folder,
    env: { PATH: process.env.PATH ?? '' },
    mark: 'test/strays/1',
    box: null,
  });
  stdout.resume();
  stderr.resume();
  const end = await ended;
  const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
  return { folder, since, pid, end };
}

function isRunning(pid: number): boolean {
  const stat = `/proc/${pid}/stat`;
  return existsSync(stat) && !/\) Z /.test(readFileSync(stat, 'utf8'));
}

describe.skipIf(!isLinux)('a daemon that an agent left', () => {
  test.each([
    ['works in its folder', 'exec sleep 60', 'its working folder'],
    ['holds a file of it open', 'exec 3>sub/held; cd /; exec sleep 60', 'a file it holds open'],
  ])('is found when it %s, and ended', async (_, body, evidence) => {
    const { folder, since, pid, end } = await leave(daemon(body));
    expect(end).toMatchObject({ how: 'exited', leftovers: [] });
    expect(isRunning(pid)).toBe(true);
    expect(await endStrays([folder], since)).toMatchObject([{ pid, evidence }]);
    expect(isRunning(pid)).toBe(false);
  });

  test('is ended although it ignores signals and restarts itself', async () => {
    const { folder, since } = await leave(daemon('trap "" TERM; while :; do sleep 0.05; done'));
    expect((await endStrays([folder], since)).length).toBeGreaterThan(0);
    expect(findStrays([folder], since)).toEqual([]);
  });
});

describe.skipIf(!isLinux)('no stray', () => {
  test('is a program that Joinery started in the folder', async () => {
    const folder = temporaryFolder();
    const since = processClock();
    const child = spawn('sleep', ['30'], { cwd: folder, stdio: 'ignore' });
    try {
      expect(findStrays([folder], since)).toEqual([]);
    } finally {
      child.kill('SIGKILL');
    }
  });

  test('is a daemon that existed before or works elsewhere', async () => {
    const { folder, since, pid } = await leave(daemon('exec sleep 60'));
    expect(findStrays([`${folder}-2`], since)).toEqual([]);
    expect(findStrays([folder], (processClock() ?? 0) + 100)).toEqual([]);
    process.kill(pid, 'SIGKILL');
  });
});
