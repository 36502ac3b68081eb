import { expect, test } from 'vitest';
import { GitRepository } from '../support/git-repository.ts';
import { joinery, temporaryFolder } from '../support/joinery.ts';
import { serve } from '../support/serving.ts';

test('an address that other machines can reach must be allowed explicitly', async () => {
  const { dir } = new GitRepository();
  const { code, stdout } = await joinery(['ui', '--host', '0.0.0.0', '--json'], { cwd: dir });
  expect([code, JSON.parse(stdout).error.code]).toEqual([3, 'remote-not-allowed']);
  expect(JSON.parse(stdout).error.message).toContain('everyone with the link could steer your runs');
});

test('check --ui prints its report, serves it until Ctrl-C and exits with the code of the check', async () => {
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
