import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { allowedEnvironment, withholding } from '#process/allowed-environment.ts';
import { GitRepository } from '#test/support/git-repository.ts';
import { temporaryFolder } from '#test/support/joinery.ts';
import { taskEnvironment } from './environment.ts';

const place = { run: 'r', task: 't', slug: 't', mark: 'm', ports: [1, 1] as const };

/** The variables that Codex passes to its shell: none with these words in its name. */
function asCodex(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/KEY|SECRET|TOKEN/i.test(name)));
}

test.each([
  ['as it is', (env: Readonly<Record<string, string>>) => env],
  ['without variables that look like keys', asCodex],
])('git of a task works, knows the identity of the person, and has nowhere to push: %s', (_, handedOn) => {
  const home = temporaryFolder();
  writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = Somebody\n');
  const remote = new GitRepository({ bare: true });
  const repository = new GitRepository();
  repository.commit({ 'a.txt': 'a\n' });
  repository.git('remote', 'add', 'origin', remote.dir);
  const { GIT_CONFIG_GLOBAL: _own, ...inherited } = process.env;
  const env = taskEnvironment({ ...place, scratch: join(home, 'scratch') }, { ...inherited, HOME: home });
  const git = (...args: string[]) =>
    spawnSync('git', args, { cwd: repository.dir, env: handedOn(env), encoding: 'utf8' });
  expect(git('status', '--short')).toMatchObject({ status: 0, stderr: '' });
  expect(git('config', 'user.name').stdout).toBe('Somebody\n');
  expect(git('push', 'origin', 'HEAD:evil').stderr).toContain('joinery-does-not-push');
  expect(remote.git('branch', '--list')).toBe('');
});

test('programs of a task find what the person has on PATH, not what we were started with', () => {
  const inherited = {
    PATH: '/own:/ours:/theirs',
    JOINERY_NODE_FOLDER: '/ours',
    NODE: '/ours/node',
    HOME: '/h',
  };
  const env = taskEnvironment({ ...place, scratch: temporaryFolder() }, inherited);
  expect(env).toMatchObject({ PATH: '/own:/theirs' });
  expect(Object.keys(env).filter((name) => /^NODE$|NODE_FOLDER/.test(name))).toEqual([]);
});

test('what is not on the list is withheld, and its value is removed from texts', () => {
  const env = {
    PATH: '/bin',
    MY_TOKEN: 'sekrit-value-123',
    DATABASE_URL: 'db://x:12345',
    LC_ALL: 'C',
    SHORT: 'abc',
  };
  const given = allowedEnvironment(env, ['DATABASE_*']);
  expect(given).toEqual({ PATH: '/bin', DATABASE_URL: 'db://x:12345', LC_ALL: 'C' });
  expect(withholding(env, given)('a sekrit-value-123 b db://x:12345 abc')).toBe(
    'a [MY_TOKEN] b db://x:12345 abc',
  );
});
