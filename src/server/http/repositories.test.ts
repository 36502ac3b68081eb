import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { HomeView, RepositoryList } from '#schema/window.ts';
import { RepositoryList as ListSchema } from '#schema/window.ts';
import { GitRepository } from '#test/support/git-repository.ts';
import { joinery, temporaryFolder } from '#test/support/joinery.ts';
import { seedRuns } from '#test/support/seed-runs.ts';
import { serve } from '#test/support/serving.ts';
import { type Shown, showRepository } from '#test/support/window.ts';

const list = async (shown: Shown) =>
  ListSchema.parse(await shown.json<RepositoryList>('/api/v1/repositories')).repositories;

/** A second repository of the same person, with a check of two branches that do not fit. */
async function another({ env }: Shown): Promise<GitRepository> {
  const repo = new GitRepository();
  repo.commit({ 'src/user.ts': 'export interface User {\n  email: string;\n}\n' });
  repo.branch('a', { 'src/user.ts': 'export interface User {\n  mail: string;\n}\n' });
  repo.branch('b', {
    'src/b.ts': "import type { User } from './user.ts';\nexport const to = (user: User) => user.email;\n",
  });
  await joinery(['check', 'main', 'a', 'b'], { cwd: repo.dir, env });
  return repo;
}

test('every repository that Joinery has worked in is listed with its open items, and has all addresses', async () => {
  const shown = await showRepository();
  expect((await list(shown)).map(({ isHere }) => isHere)).toEqual([true]);
  const other = await another(shown);
  const [here, row] = await list(shown);
  expect([here?.isHere, here?.waiting, here?.check]).toEqual([true, 0, null]);
  expect(row).toMatchObject({ isHere: false, path: other.dir, waiting: 1, problem: null });
  expect(row?.check?.status).toBe('fail');
  expect(row?.at).toBe(row?.check?.at);
  expect(row?.inbox.map(({ kind }) => kind)).toEqual(['finding']);

  const at = `/api/v1/repositories/${row?.key}`;
  const home = await shown.json<HomeView>(`${at}/home`);
  expect([home.repository.path, home.branches.map(({ ref }) => ref).sort()]).toEqual([other.dir, ['a', 'b']]);
  expect((await shown.json<HomeView>('/api/v1/home')).repository.path).toBe(shown.repo.dir);
  expect((await shown.json<HomeView>(`/api/v1/repositories/${here?.key}/home`)).repository.path).toBe(
    shown.repo.dir,
  );

  // What is written in one repository is visible and steerable only there.
  let run = '';
  await seedRuns(other.dir, shown.env, async ({ create }) => {
    run = create('Work elsewhere');
  });
  expect((await shown.get(`${at}/runs/${run}`)).status).toBe(200);
  expect((await shown.get(`/api/v1/runs/${run}`)).status).toBe(404);
  const sent = await shown.post(`${at}/runs/${run}/cancel`, { id: 'cancel-0001' });
  expect([sent.status, await sent.json()]).toMatchObject([200, { id: 'cancel-0001', isDriven: false }]);
  await expect.poll(async () => (await list(shown))[1]?.runs, { timeout: 10_000 }).toBe(1);
  const cut = new AbortController();
  const stream = await shown.get(`${at}/stream`, { headers: { 'last-event-id': '0' }, signal: cut.signal });
  let text = '';
  for await (const chunk of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    if (text.includes(run)) break;
  }
  cut.abort();
  expect(text).toContain(`"run":"${run}"`);
});

test('a deleted repository is not listed, a copied state folder is not believed, and without a pass there is no access', async () => {
  const shown = await showRepository();
  const other = await another(shown);
  const key = (await list(shown))[1]?.key ?? '';
  const bare = await fetch(new URL(`/api/v1/repositories/${key}/home`, shown.server.url));
  expect(bare.status).toBe(401);
  expect((await shown.get('/api/v1/repositories/none-00000000/home')).status).toBe(404);
  expect((await shown.get('/api/v1/repositories/..%2F..%2Fetc/home')).status).toBe(404);
  const root = shown.env.JOINERY_STATE_DIR ?? '';
  const copy = join(root, 'copied-00000000');
  mkdirSync(copy);
  expect(readdirSync(join(root, key))).toContain('repository.json');
  renameSync(join(root, key, 'repository.json'), join(copy, 'repository.json'));
  expect((await list(shown)).length).toBe(1);
  renameSync(join(copy, 'repository.json'), join(root, key, 'repository.json'));
  expect((await list(shown)).length).toBe(2);
  rmSync(other.dir, { recursive: true, force: true });
  expect((await list(shown)).length).toBe(1);
});

test('outside a repository the dashboard shows the known ones; --only-here shows no other', async () => {
  const shown = await showRepository();
  await another(shown);
  const ask = async (cwd: string, ...args: string[]) => {
    const served = serve(cwd, shown.env, 'ui', '--json', '--no-open', ...args);
    const { url, key } = JSON.parse(await served.until('}')) as { url: string; key: string };
    const get = (path: string) => fetch(new URL(path, url), { headers: { authorization: `Bearer ${key}` } });
    const { repositories } = (await (await get('/api/v1/repositories')).json()) as RepositoryList;
    const home = await get('/api/v1/home');
    await served.interrupt();
    return [repositories.map(({ isHere }) => isHere), home.status];
  };
  expect(await ask(temporaryFolder())).toEqual([[false, false], 404]);
  expect(await ask(shown.repo.dir, '--only-here')).toEqual([[true], 200]);
}, 60_000);
