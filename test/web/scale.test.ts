import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { webFolder } from '#app/window/web-folder.ts';
import { temporaryFolder } from '../support/joinery.ts';
import { seedRuns, talk } from '../support/seed-runs.ts';
import { showRepository } from '../support/window.ts';
import { linesOf, openPage } from './browser.ts';

let web = '';
beforeAll(async () => {
  web = await webFolder(() => {});
});

test('a thousand runs and a log of 100,000 lines: the page contains what is visible, the rest is found by search', async () => {
  const shown = await showRepository(web);
  let long = '';
  await seedRuns(shown.repo.dir, shown.env, async ({ create, append, base }) => {
    for (let n = 0; n < 999; n++) create(`Work ${n}`);
    long = create('Talk without end');
    await append(long, talk(base, 100_000));
  });
  const { page, go, complaints } = await openPage(shown);
  await go('/');
  await expect
    .poll(() => page.locator('h2', { hasText: 'Runs (1000)' }).count(), { timeout: 30_000 })
    .toBe(1);
  await page.getByLabel('Search runs').fill('Work 42');
  await expect
    .poll(() => page.locator('section', { hasText: 'Runs (1000)' }).locator('tbody tr').count())
    .toBe(11);
  await page.getByLabel('Search runs').fill('');
  const first = () =>
    page.locator('section', { hasText: 'Runs (1000)' }).locator('tbody tr a').first().textContent();
  await page.getByLabel('Sort runs').selectOption('title');
  await expect.poll(first).toBe('Talk without end');
  await page.getByLabel('Group runs').selectOption('by status');
  await page.getByRole('heading', { name: 'created (999)' }).waitFor();
  await page.getByRole('heading', { name: 'running (1)' }).waitFor();
  await page.getByLabel('Status of runs').selectOption('running');
  await expect.poll(() => page.getByRole('heading', { name: 'created (999)' }).count()).toBe(0);
  await go(`/run/${long}/task/talk`);
  const counter = page.locator('.log header .grow');
  await expect
    .poll(async () => linesOf(await counter.textContent()), { timeout: 60_000 })
    .toBeGreaterThan(100_000);
  expect(await page.locator('.log .entry').count()).toBeLessThan(120);
  await page.locator('.log input[type=search]').fill('line 99999 of');
  await expect.poll(() => page.locator('.log .entry').count(), { timeout: 20_000 }).toBe(1);
  expect(complaints).toEqual([]);
});

test('all pages have at most 600 kB gzipped, the first one 200 kB', () => {
  const index = readFileSync(join(web, 'index.html'), 'utf8');
  const files = readdirSync(web, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(web, name)).isFile() && !name.startsWith('file/'))
    .map((name) => ({ name, size: gzipSync(readFileSync(join(web, name))).length }));
  const sum = (all: typeof files) => all.reduce((total, { size }) => total + size, 0);
  expect(sum(files)).toBeLessThan(600_000);
  const first = files.filter(({ name }) => name === 'index.html' || index.includes(`/${name}`));
  expect(first.length).toBeGreaterThan(2);
  expect(sum(first)).toBeLessThan(200_000);
});

test('the page that a check writes stays below 3 MB at 500 findings and sends no requests', async () => {
  const shown = await showRepository(web);
  const fields = Array.from({ length: 500 }, (_, n) => `field${n}`);
  const model = (prefix: string) =>
    `export interface Model {\n${fields.map((name) => `  ${prefix}${name}: string;`).join('\n')}\n}\n`;
  const reader = fields
    .map((name) => `export const read_${name} = (model: Model) => model.${name};`)
    .join('\n');
  shown.repo.commit({ 'src/model.ts': model('') });
  shown.repo.branch('a', { 'src/model.ts': model('new_') });
  shown.repo.branch('b', { 'src/read.ts': `import type { Model } from './model.ts';\n${reader}\n` });
  const { stdout } = await shown.joinery('check', 'main', 'a', 'b', '--format', 'html');
  const file = join(temporaryFolder(), 'seams.html');
  writeFileSync(file, stdout);
  expect(Buffer.byteLength(stdout)).toBeLessThan(3_000_000);
  const { context } = await openPage(shown);
  const page = await context.newPage();
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(`file://${file}`);
  await page.waitForSelector('.matrix button');
  expect(Number(await page.locator('.matrix button').first().textContent())).toBeGreaterThanOrEqual(500);
  expect(requests).toEqual([`file://${file}`]);
});
