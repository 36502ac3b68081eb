import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { GitRepository } from '../support/git-repository.ts';
import { executable, joinery, temporaryFolder } from '../support/joinery.ts';

interface Served {
  readonly child: ChildProcess;
  /** What it printed until the text appeared. */
  until(text: string): Promise<string>;
  /** Ctrl-C; the exit code. */
  interrupt(): Promise<number | null>;
}

function serve(cwd: string, env: NodeJS.ProcessEnv, ...args: string[]): Served {
  const child = spawn(process.execPath, [executable, ...args], {
    cwd,
    env: { ...process.env, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  let printed = '';
  let wake = () => {};
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    wake();
  });
  closed.then(() => wake());
  return {
    child,
    async until(text) {
      while (!printed.includes(text)) {
        if (child.exitCode !== null) throw new Error(`it has ended: ${printed}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return printed;
    },
    interrupt() {
      child.kill('SIGINT');
      return closed;
    },
  };
}

test('an address that others can reach needs to be allowed', async () => {
  const { dir } = new GitRepository();
  const { code, stdout } = await joinery(['ui', '--host', '0.0.0.0', '--json'], { cwd: dir });
  expect([code, JSON.parse(stdout).error.code]).toEqual([3, 'remote-not-allowed']);
  expect(JSON.parse(stdout).error.message).toContain('everyone with the link could steer your runs');
});

test('check --ui prints its report, serves it until Ctrl-C and ends with the code of the check', async () => {
  const repo = new GitRepository();
  repo.commit({ 'src/user.ts': 'export interface User {\n  email: string;\n}\n' });
  repo.branch('a', { 'src/user.ts': 'export interface User {\n  mail: string;\n}\n' });
  repo.branch('b', {
    'src/b.ts': "import type { User } from './user.ts';\nexport const to = (user: User) => user.email;\n",
  });
  const env = { JOINERY_STATE_DIR: temporaryFolder(), JOINERY_CACHE_DIR: temporaryFolder() };
  const served = serve(repo.dir, env, 'check', 'main', 'a', 'b', '--ui');
  const printed = await served.until('?ticket=');
  expect(printed).toContain('User.email');
  const link = /http:\S+ticket=\S+/.exec(printed)?.[0] ?? '';
  const entered = await fetch(link, { redirect: 'manual' });
  expect([entered.status, entered.headers.get('location')]).toEqual([303, '/seams']);
  expect(await served.interrupt()).toBe(1);
});

test('the demo shows a crew, a workflow and a visitor, and leaves nothing behind', async () => {
  const outside = temporaryFolder();
  const served = serve(outside, { TMPDIR: outside }, 'ui', '--demo', '--json', '--no-open');
  const { url, key } = JSON.parse(await served.until('}')) as {
    url: string;
    key: string;
  };
  const home = async () => {
    const answer = await fetch(new URL('/api/v1/home', url), { headers: { authorization: `Bearer ${key}` } });
    const { runs, workflows, visitors, check } = (await answer.json()) as Record<string, unknown[]>;
    return [runs?.length, workflows?.length, visitors?.length, check !== null];
  };
  await expect.poll(home, { timeout: 60_000 }).toEqual([1, 1, 1, true]);
  expect(await served.interrupt()).toBe(0);
  expect(readdirSync(outside).filter((name) => name.startsWith('joinery-ui-demo'))).toEqual([]);
});
