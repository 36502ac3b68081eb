import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CheckView, HomeView, RunView } from '#schema/window.ts';
import { type Shown, showRepository } from '#test/support/window.ts';

const stray = { task: 'greet', do: [{ write: { path: 'elsewhere.txt', content: 'x\n' } }] };
const oneTask = [{ id: 'greet', title: 'Greet the world', files: ['src/greet.ts'] }];

const statesOf = async (shown: Shown) => {
  const { branches } = await shown.json<HomeView>('/api/v1/home');
  return Object.fromEntries(branches.map(({ ref, state }) => [ref, state]));
};

/** Git is asked about branches at most every two seconds. */
const soon = { timeout: 10_000, interval: 200 };

test('a branch no longer fits when the base or a branch it was checked with has moved', async () => {
  const shown = await showRepository();
  const { repo } = shown;
  repo.branch('a', { 'a.txt': 'a\n' });
  repo.branch('b', { 'b.txt': 'b\n' });
  const check = (id: string) => shown.post('/api/v1/check', { id, base: 'main', branches: ['a', 'b'] });
  await check('check-0001');
  expect(await statesOf(shown)).toEqual({ a: 'fits', b: 'fits' });
  repo.commit({ 'README.md': 'main has moved\n' });
  await expect.poll(() => statesOf(shown), soon).toEqual({ a: 'stale', b: 'stale' });
  await check('check-0002');
  await expect.poll(() => statesOf(shown), soon).toEqual({ a: 'fits', b: 'fits' });
  repo.git('checkout', '--quiet', 'b');
  repo.commit({ 'b.txt': 'b has moved\n' });
  repo.git('checkout', '--quiet', 'main');
  await expect.poll(() => statesOf(shown), soon).toEqual({ a: 'stale', b: 'stale' });
});

test('a check with the same result as the one before becomes the last one', async () => {
  const shown = await showRepository();
  shown.repo.branch('a', { 'a.txt': 'a\n' });
  const check = (id: string) => shown.post('/api/v1/check', { id, base: 'main', branches: ['a'] });
  const lastAt = async () => Date.parse((await shown.json<CheckView>('/api/v1/check')).at);
  await check('check-0001');
  const between = Date.now();
  await check('check-0002');
  expect(await lastAt()).toBeGreaterThanOrEqual(between);
});

test('branches show how many commits they have that base lacks, merges and stacks included', async () => {
  const shown = await showRepository();
  const { repo } = shown;
  repo.branch('a', { 'a.txt': 'a\n' });
  repo.branch('b', { 'b.txt': 'b\n' });
  repo.git('checkout', '--quiet', '-b', 'stack', 'a');
  repo.commit({ 'c.txt': 'c\n' });
  repo.git('merge', '--quiet', '--no-edit', 'b');
  repo.git('checkout', '--quiet', 'main');
  repo.commit({ 'README.md': 'main has moved\n' });
  const { branches } = await shown.json<HomeView>('/api/v1/home');
  const counted = branches.map(({ ref }) => [ref, Number(repo.git('rev-list', '--count', `main..${ref}`))]);
  expect(branches.map(({ ref, ahead }) => [ref, ahead])).toEqual(counted);
  expect(Object.fromEntries(counted)).toEqual({ a: 1, b: 1, stack: 4 });
});

test('a base without branches is checked against all unmerged branches', async () => {
  const shown = await showRepository();
  const { repo } = shown;
  repo.branch('develop', { 'develop.txt': 'd\n' });
  repo.branch('a', { 'a.txt': 'a\n' });
  const sent = await shown.post('/api/v1/check', { id: 'check-0001', base: 'develop' });
  const { report } = (await sent.json()) as CheckView;
  expect([report.base.ref, report.branches.map(({ ref }) => ref)]).toEqual(['develop', ['a']]);
});

test('a check is answered with its own report, even if it cannot be stored', async () => {
  const shown = await showRepository();
  shown.repo.branch('a', { 'a.txt': 'a\n' });
  const { repository } = await shown.json<HomeView>('/api/v1/home');
  writeFileSync(join(shown.env.JOINERY_STATE_DIR ?? '', repository.key, 'reports'), 'in the way');
  const sent = await shown.post('/api/v1/check', { id: 'check-0001', base: 'main', branches: ['a'] });
  expect([sent.status, ((await sent.json()) as CheckView).report?.status]).toEqual([200, 'pass']);
});

test('a request that cannot take effect is refused', async () => {
  const shown = await showRepository();
  const run = await shown.play(oneTask, [stray]);
  const [question] = (await shown.json<RunView>(`/api/v1/runs/${run}`)).questions;
  const ask = async (what: string, body: object) => {
    const sent = await shown.post(`/api/v1/runs/${run}/${what}`, body);
    return [sent.status, ((await sent.json()) as { error?: { code: string } }).error?.code];
  };
  expect(await ask('retries', { id: 'retry-0001', task: 'gret', context: '' })).toEqual([
    404,
    'unknown-task',
  ]);
  const options = question?.options.map(({ value }) => value) ?? [];
  const taken = options.find((value) => value !== 'retry') ?? '';
  const other = options.find((value) => value !== taken);
  await shown.joinery('questions', 'answer', question?.id ?? '', taken, '--run', run);
  const late = { id: 'answer-001', question: question?.id, answer: other };
  expect(await ask('answers', late)).toEqual([409, 'too-late']);
  await shown.joinery('cancel', run, '--yes');
  expect(await ask('budget', { id: 'budget-001', budget: { usd: 5, tokens: null } })).toEqual([
    409,
    'run-ended',
  ]);
});

test('two runs started at the same time are told apart', async () => {
  const shown = await showRepository();
  const names = ['one', 'two', 'three'];
  const planOf = (title: string) =>
    JSON.stringify({ schema: 'joinery/plan@1', tasks: [{ id: 'greet', title, files: ['greet.txt'] }] });
  shown.repo.commit({
    ...Object.fromEntries(names.map((name) => [`plan-${name}.json`, planOf(name)])),
    'joinery.json': JSON.stringify({
      agents: { mine: { command: process.execPath, acp: ['--eval', '0'] } },
    }),
  });
  const titles = await Promise.all(
    names.map(async (name) => {
      const wish = { id: `start-${name}`, spec: `plan-${name}.json`, agent: 'mine' };
      const { run } = (await (await shown.post('/api/v1/runs', wish)).json()) as { run: string };
      return (await shown.json<RunView>(`/api/v1/runs/${run}`)).title;
    }),
  );
  expect(titles).toEqual(names);
}, 60_000);
