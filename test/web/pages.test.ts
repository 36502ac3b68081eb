import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { webFolder } from '#app/window/web-folder.ts';
import { GitRepository } from '../support/git-repository.ts';
import { joinery, temporaryFolder } from '../support/joinery.ts';
import { type Shown, showRepository } from '../support/window.ts';
import { linesOf, openPage } from './browser.ts';

let web = '';
beforeAll(async () => {
  web = await webFolder(() => {});
});

const hostile = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>';

/** One run with an accepted task and one that needs a decision, and a check with a finding. */
async function stage(): Promise<{ shown: Shown; run: string }> {
  const shown = await showRepository(web);
  const { repo } = shown;
  repo.commit({ 'src/user.ts': 'export interface User {\n  email: string;\n}\n' });
  repo.branch('a', { 'src/user.ts': 'export interface User {\n  mail: string;\n}\n' });
  repo.branch('b', {
    'src/b.ts': "import type { User } from './user.ts';\nexport const to = (user: User) => user.email;\n",
  });
  await shown.joinery('check', 'main', 'a', 'b');
  const run = await shown.play(
    [
      { id: 'greet', title: `Greet ${hostile}`, files: ['src/greet.ts'] },
      { id: 'stray', title: 'Stray from the path', files: ['src/stray.ts'] },
    ],
    [
      {
        task: 'greet',
        do: [
          { say: hostile },
          { write: { path: 'src/greet.ts', content: 'export const greet = 1;\n' } },
          {
            write: {
              path: 'src/greet.test.ts',
              content: "import { test } from 'node:test';\ntest('x', () => {});\n",
            },
          },
        ],
      },
      { task: 'stray', do: [{ write: { path: 'elsewhere.txt', content: 'x\n' } }] },
    ],
  );
  return { shown, run };
}

/** A started run of a workflow; returns its id. */
async function walk(shown: Shown): Promise<string> {
  const step = (id: string) => ({ id, title: `${id} ${hostile}`.slice(0, 120), prompt: hostile });
  const flow = {
    id: 'two-steps',
    name: 'Two',
    description: 'd',
    version: '1.0.0',
    steps: [step('one'), step('two')],
  };
  shown.repo.commit({ '.joinery/workflows/two.json': JSON.stringify(flow) });
  const { stdout } = await shown.joinery('workflow', 'run', 'two-steps', '--goal', hostile, '--json');
  return (JSON.parse(stdout) as { sessionId: string }).sessionId;
}

describe('every page', () => {
  test('renders a real run in light and dark without error, violation or foreign request', async () => {
    const { shown, run } = await stage();
    const flow = await walk(shown);
    const paths = [
      '/',
      '/seams',
      `/run/${run}`,
      `/run/${run}/task/greet`,
      `/town/${run}`,
      `/workflow/${flow}`,
    ];
    const opened = await openPage(shown);
    const found: string[] = [];
    const note = async (where: string) =>
      found.push(...(await opened.violations()).map((each) => `${where}: ${each}`));
    for (const dark of [false, true]) {
      await opened.page.emulateMedia({ colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce' });
      for (const path of paths) {
        await opened.go(path);
        const tabs = opened.page.getByRole('tab');
        for (let at = 0; at < Math.max(1, await tabs.count()); at++) {
          if (at > 0) await tabs.nth(at).click();
          await opened.page.getByText('Reading…').waitFor({ state: 'detached' });
          await note(`${path} ${at} ${dark}`);
        }
      }
      await opened.page.keyboard.press('Control+k');
      await note(`commands ${dark}`);
      await opened.page.keyboard.type('Start a run');
      await opened.page.keyboard.press('Enter');
      await opened.page.getByRole('dialog').waitFor();
      await note(`dialog ${dark}`);
    }
    expect(found).toEqual([]);
    expect(opened.complaints).toEqual([]);
    expect(await opened.page.title()).not.toBe('owned');
    expect(await opened.page.locator('img[src="x"]').count()).toBe(0);
  });

  test('fits on a narrow screen', async () => {
    const { shown, run } = await stage();
    const { page, go } = await openPage(shown, { width: 360 });
    const paths = [
      '/',
      '/seams',
      `/run/${run}`,
      `/run/${run}/task/greet`,
      `/run/${run}/task/stray`,
      `/town/${run}`,
    ];
    for (const path of paths) {
      await go(path);
      // Measured once everything is there: the page grows while it is filled.
      const excess = () => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      await expect.poll(excess, { message: path, timeout: 5_000 }).toBe(0);
      // Nothing overflows its card either, unless the card scrolls.
      const outside = () =>
        page.evaluate<string[]>(`[...document.querySelectorAll('.card :is(p, li, textarea, button, h2)')]
          .filter((part) => part.closest('.scroll') === null && part.getBoundingClientRect().right > innerWidth)
          .map((part) => part.textContent.slice(0, 60))`);
      expect([path, await outside()]).toEqual([path, []]);
    }
  });

  test('a branch that conflicts with base was not compared with the others; long names fit on a narrow screen', async () => {
    const shown = await showRepository(web);
    const { repo } = shown;
    const long = `dependencies/${'of-all-kinds-'.repeat(6)}${'x'.repeat(60)}`;
    repo.commit({ 'a.txt': 'one\n' });
    repo.branch(long, { 'a.txt': 'two\n' });
    repo.branch('quiet', { 'b.txt': 'b\n' });
    repo.branch('other', { 'c.txt': 'c\n' });
    repo.git('switch', '-q', 'main');
    repo.commit({ 'a.txt': 'three\n' });
    await shown.joinery('check', 'main', long, 'quiet', 'other');
    const { page, go } = await openPage(shown, { width: 390 });
    await go('/seams');
    await page.locator('.matrix').waitFor();
    expect(await page.locator('.matrix th').first().textContent()).toBe('main');
    expect(await page.locator('.matrix td .unmet').count()).toBe(2);
    // main with the two quiet ones, and those with each other.
    expect(await page.locator('.matrix td .fits').count()).toBe(3);
    await page.getByText('not compared', { exact: true }).waitFor();
    expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBe(0);
  });

  test('a new check updates the seams page without moving the person to another place', async () => {
    const { shown } = await stage();
    const { page, go } = await openPage(shown);
    await go('/seams');
    await page.locator('.matrix button').click();
    await page.getByText('They do not fit').waitFor();
    await page.getByRole('tab', { name: 'Who relies on whom' }).click();
    await page.locator('.react-flow__edge-text', { hasText: 'User.mail' }).waitFor();
    shown.repo.branch('more', { 'src/more.ts': 'export const more = 1;\n' }, 'b');
    shown.repo.git('branch', '--force', 'b', 'more');
    await shown.joinery('check', 'main', 'a', 'b');
    await page.getByText('remaining').first().waitFor({ timeout: 20_000 });
    expect(await page.getByRole('tab', { selected: true }).textContent()).toBe('Who relies on whom');
    shown.repo.git('branch', '--force', 'b', 'main');
    await shown.joinery('check', 'main', 'a', 'b');
    await page.getByText('They fit').waitFor({ timeout: 20_000 });
  });
});

describe('several repositories', () => {
  test('are on Home with their open items; every page of the other one has its own address', async () => {
    const { shown, run } = await stage();
    const other = new GitRepository();
    other.commit({ 'src/page.ts': 'export const title = 1;\n' });
    other.branch('footer', { 'src/footer.ts': 'export const footer = 1;\n' });
    other.branch('news', { 'src/news.ts': 'export const news = 1;\n' });
    await joinery(['check', 'main', 'footer', 'news'], { cwd: other.dir, env: shown.env });
    const { page, go, complaints, violations } = await openPage(shown);
    await go('/');
    await page.getByRole('link', { name: basename(other.dir) }).click({ timeout: 20_000 });
    await page.waitForURL('**/repo/*');
    await page.getByText('footer', { exact: true }).first().waitFor();
    // The open items of the first one are in the same inbox.
    await page
      .getByText(`in ${basename(shown.repo.dir)}`)
      .first()
      .waitFor({ timeout: 20_000 });
    await page.getByRole('link', { name: 'Seams' }).click();
    await page.waitForURL('**/repo/*/seams');
    await page.getByText('They fit').waitFor();
    expect(await violations()).toEqual([]);
    await page.reload();
    await page.getByText('They fit').waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type(`Repository: ${basename(shown.repo.dir)}`);
    await page.keyboard.press('Enter');
    await page.waitForURL(shown.server.url);
    await page.getByText(run).first().waitFor();
    expect(complaints).toEqual([]);
  });
});

describe('acting', () => {
  test('a running agent is steered, and a task is stopped, with a few clicks', async () => {
    const shown = await showRepository(web);
    const playing = shown.play(
      [
        { id: 'slow', title: 'Take your time', files: ['slow.txt'] },
        { id: 'other', title: 'Wait for it', files: ['other.txt'], dependsOn: ['slow'] },
      ],
      [{ task: 'slow', do: [{ sleepMs: 120_000 }] }],
    );
    const { page, go } = await openPage(shown);
    await go('/');
    await page.getByRole('link', { name: 'Take your time and 1 more' }).click({ timeout: 60_000 });
    await page.locator('.node', { hasText: 'Take your time' }).click();
    await page.getByRole('button', { name: 'Steer' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('mind the gap');
    await page.keyboard.press('Control+Enter');
    await expect
      .poll(() => page.getByText('a person says: mind the gap').count(), { timeout: 20_000 })
      .toBe(1);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('seen enough');
    await page.getByRole('button', { name: 'Stop the task' }).click();
    const run = await playing;
    const { events } = await shown.json<{
      events: { type: string; data: { by?: string; reason?: string } }[];
    }>(`/api/v1/runs/${run}/events`);
    expect(events.filter(({ type }) => type === 'run.signalled')).toMatchObject([
      { data: { name: 'steer', by: expect.stringContaining('dashboard') } },
      { data: { name: 'stop', by: expect.stringContaining('dashboard') } },
    ]);
    expect(events.find(({ type }) => type === 'step.failed')?.data.reason).toBe(
      'stopped by a person: seen enough',
    );
    await page.getByRole('button', { name: 'Retry' }).waitFor();
  });

  test('a question is answered with a click and the log says so', async () => {
    const { shown, run } = await stage();
    const { page, go } = await openPage(shown);
    await go(`/run/${run}`);
    const choice = page.locator('.ask .btn').last();
    const answer = (await choice.textContent()) ?? '';
    await choice.click();
    await page.waitForSelector('.toast');
    await shown.joinery('resume', run, '--json');
    const { events } = await shown.json<{ events: { type: string; data: { answer?: string } }[] }>(
      `/api/v1/runs/${run}/events`,
    );
    expect(events.filter(({ type }) => type === 'question.answered').map(({ data }) => data.answer)).toEqual([
      answer,
    ]);
    await page.waitForSelector('.ask', { state: 'detached' });
  });

  test('Ctrl-K reaches every page by keyboard', async () => {
    const { shown, run } = await stage();
    const { page, go } = await openPage(shown);
    await go('/');
    await page.keyboard.press('Control+k');
    await page.keyboard.type(run);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/run/${run}`);
    await page.keyboard.press('Control+k');
    await page.keyboard.press('Escape');
    expect(await page.locator('[role=dialog]').count()).toBe(0);
  });

  test('Ctrl-K has every action: of questions, gates, tasks, the run and the repository', async () => {
    const { shown, run } = await stage();
    const flow = {
      id: 'gated',
      name: 'Gated',
      description: 'd',
      version: '1.0.0',
      steps: [
        { id: 'ask', title: 'Ask', prompt: 'p', requireConfirmation: { kind: 'human_approval' } },
        { id: 'end', title: 'End', prompt: 'p' },
      ],
    };
    shown.repo.commit({ '.joinery/workflows/gated.json': JSON.stringify(flow) });
    const scenario = join(temporaryFolder(), 'scenario.json');
    const attempts = [{ task: 'ask', do: [{ handoff: { notes: 'may I?' } }] }];
    writeFileSync(scenario, JSON.stringify({ schema: 'joinery/scenario@1', attempts }));
    const agent = ['--agent', 'scripted', '--scenario', scenario];
    await shown.joinery('workflow', 'run', 'gated', '--goal', 'open it', ...agent);
    const { page, go } = await openPage(shown);
    await go(`/run/${run}`);
    await page.keyboard.press('Control+k');
    const options = page.getByRole('option');
    await page.keyboard.type('Retry stray');
    await expect.poll(() => options.filter({ hasText: /^Retry stray/ }).count(), { timeout: 20_000 }).toBe(1);
    const names = async (text: string) => {
      await page.getByRole('combobox').fill(text);
      return options.locator('span:first-child').allTextContents();
    };
    for (const [text, name] of [
      ['answer', /^Answer /],
      ['approve', /^Approve: ask/],
      ['reject', /^Reject: ask/],
      ['resume this', /^Resume this run$/],
      ['budget', /^Set the budget/],
      ['cancel this', /^Cancel this run$/],
      ['check branches', /^Check branches now$/],
      ['start a', /^Start a run$/],
      ['theme', /^Change theme$/],
      ['notifications', /^Allow notifications$/],
      ['town', /^Town of this run$/],
      ['seams', /^Seams$/],
    ] as const)
      expect([text, (await names(text)).filter((each) => name.test(each)).length]).toEqual([
        text,
        expect.toSatisfy((count) => (count as number) > 0),
      ]);
    // Nothing that decides is chosen for a person, and it asks once more.
    await page.getByRole('combobox').fill('approve');
    await page.keyboard.press('Enter');
    expect(await page.locator('[role=option][aria-selected=true]').count()).toBe(0);
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.message());
      void dialog.accept();
    });
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => asked).toEqual([expect.stringMatching(/^Approve: ask.*\?$/)]);
    await page.getByText('Approved.').waitFor({ timeout: 20_000 });
    const { workflows } = await shown.json<{ workflows: { step: string }[] }>('/api/v1/home');
    expect(workflows).toMatchObject([{ step: 'end' }]);
  });

  test('the browser notifies about a question that comes while the page is in the background', async () => {
    const shown = await showRepository(web);
    const { page, go, context } = await openPage(shown);
    await context.grantPermissions(['notifications'], { origin: new URL(shown.server.url).origin });
    await page.addInitScript(`
      globalThis.told = [];
      globalThis.Notification = class { constructor(title, { body }) { told.push(title + ': ' + body); } };
      globalThis.Notification.permission = 'granted';
      Object.defineProperty(document, 'hidden', { get: () => true });
    `);
    await go('/');
    await page.getByText('Runs (0)').or(page.getByText('joinery run')).first().waitFor();
    await shown.play(
      [{ id: 'stray', title: 'Stray', files: ['src/stray.ts'] }],
      [{ task: 'stray', do: [{ write: { path: 'elsewhere.txt', content: 'x\n' } }] }],
    );
    await expect
      .poll(() => page.evaluate<string[]>('told'), { timeout: 30_000 })
      .toEqual([expect.stringMatching(/^Joinery needs a decision: .+/)]);
  });
});

describe('live', () => {
  test('what is written while the page is open appears, also after the stream was interrupted', async () => {
    const { shown } = await stage();
    const { page, context, go } = await openPage(shown);
    await go('/');
    await expect.poll(() => page.locator('h2', { hasText: 'Runs (1)' }).count()).toBe(1);
    await context.setOffline(true);
    await shown.play(
      [{ id: 'late', title: 'Written while the page was cut off', files: ['src/late.ts'] }],
      [{ task: 'late', do: [{ exit: 'crashed' }] }],
    );
    await context.setOffline(false);
    await expect
      .poll(() => page.getByText('Written while the page was cut off').count(), { timeout: 20_000 })
      .toBe(1);
  });

  test('a log of many lines keeps only the visible ones in the page', async () => {
    const shown = await showRepository(web);
    const lines = Array.from({ length: 3000 }, (_, n) => ({ say: `line ${n} of many` }));
    const run = await shown.play(
      [{ id: 'talk', title: 'Talk', files: ['src/talk.ts'] }],
      [
        { task: 'talk', n: 1, do: [...lines, { exit: 'crashed' }] },
        { task: 'talk', do: [{ exit: 'crashed' }] },
      ],
    );
    const { page, go } = await openPage(shown);
    await go(`/run/${run}/task/talk`);
    await expect
      .poll(async () => linesOf(await page.locator('.log header .grow').textContent()))
      .toBeGreaterThan(3000);
    expect(await page.locator('.log .entry').count()).toBeLessThan(120);
    await page.locator('.log input[type=search]').fill('line 2999 of');
    await expect.poll(() => page.locator('.log .entry').count()).toBe(1);
  });
});

test('check --format html is one file that shows the finding without any request', async () => {
  const { shown } = await stage();
  const { stdout } = await shown.joinery('check', 'main', 'a', 'b', '--format', 'html');
  const file = join(temporaryFolder(), 'seams.html');
  writeFileSync(file, stdout);
  expect(readFileSync(file).length).toBeLessThan(3_000_000);
  const { context } = await openPage(shown);
  const page = await context.newPage();
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(`file://${file}`);
  await page.waitForSelector('.matrix button');
  expect(await page.locator('.code').count()).toBe(2);
  expect(requests).toEqual([`file://${file}`]);
});
