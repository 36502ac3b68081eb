import { beforeAll, describe, expect, test } from 'vitest';
import { webFolder } from '#app/window/web-folder.ts';
import { serve } from '../support/serving.ts';
import { showRepository } from '../support/window.ts';
import { openPage } from './browser.ts';

let web = '';
beforeAll(async () => {
  web = await webFolder(() => {});
});

const crashed = [{ task: 'only', do: [{ exit: 'crashed' as const }] }];
const only = [{ id: 'only', title: 'The only task', files: ['a.txt'] }];

describe('unknown addresses', () => {
  test('get a page that says so, and the rest keeps working', async () => {
    const shown = await showRepository(web);
    const run = await shown.play(only, crashed);
    const { page, complaints, violations } = await openPage(shown);
    const said: Record<string, RegExp> = {
      '/repo/%zz': /repository/,
      '/%zz': /There is no page/,
      '/nonsense/deep': /There is no page/,
      '/run': /There is no page/,
      '/run/%E0%A4%A': /no run|unknown/i,
      '/run/nope': /no run|unknown/i,
      [`/run/${run}/task/nope`]: /has no task nope/,
      '/town/nope': /no run|unknown/i,
      '/workflow/nope': /nope/,
      '/workflow/%zz': /%zz/,
      '/repo/nope': /repository/,
      '/repo/nope/run/x': /repository/,
      '/seams?finding=nope&branch=nope': /Nothing was checked yet/,
      [`/run/${run}?%zz`]: /The only task/,
    };
    for (const [path, text] of Object.entries(said)) {
      await page.goto(new URL(path, shown.server.url).href);
      await expect
        .poll(() => page.locator('main').innerText(), { message: path, timeout: 20_000 })
        .toMatch(text);
      expect([path, await page.locator('h1, h2').first().isVisible()]).toEqual([path, true]);
      expect([path, await violations()]).toEqual([path, []]);
      // Leaving it works by keyboard too.
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
    }
    // The browser itself logs that a server answered 404.
    expect(complaints.filter((each) => !/status of 40[04]/.test(each))).toEqual([]);
  });

  test('a finding that the last check does not have is named', async () => {
    const shown = await showRepository(web);
    const { repo } = shown;
    repo.commit({ 'src/a.ts': 'export function f(a: number) { return a; }\n' });
    repo.branch('a', { 'src/a.ts': 'export function f(a: number, b: number) { return a + b; }\n' });
    repo.branch('b', { 'src/b.ts': "import { f } from './a.ts';\nexport const x = f(1);\n" });
    await shown.joinery('check', 'main', 'a', 'b');
    const { page, go } = await openPage(shown);
    await go('/seams?finding=0123456789abcdef');
    await page.getByText('The last check has no finding 0123456789abcdef').waitFor();
  });
});

test('a run that is removed while its page is open is reported as gone', async () => {
  const shown = await showRepository(web);
  const run = await shown.play(only, crashed);
  await shown.joinery('cancel', run);
  const { page, go } = await openPage(shown);
  await go(`/run/${run}`);
  await page.getByText('The only task').first().waitFor();
  const pruned = await shown.joinery('prune', run, '--force', '--yes');
  expect([pruned.code, pruned.stdout]).toEqual([0, expect.stringContaining(run)]);
  await expect.poll(() => page.locator('main').innerText(), { timeout: 20_000 }).toContain(run);
  await expect.poll(() => page.getByRole('alert').count(), { timeout: 20_000 }).toBe(1);
  await page.getByRole('alert').getByRole('link', { name: 'Home' }).click();
  await expect
    .poll(() => page.locator('main').innerText(), { timeout: 20_000 })
    .not.toContain('The only task');
  // Later events are seen, although the journal is shorter than before.
  await shown.play(
    [{ id: 'next', title: 'Next of many', files: ['b.txt'] }],
    [{ task: 'next', do: [{ exit: 'crashed' }] }],
  );
  await page.getByText('Next of many').first().waitFor({ timeout: 20_000 });
});

test('a restarted server says what to do; the page continues when its link is opened', async () => {
  const shown = await showRepository(web);
  const begin = async (port: number) => {
    const served = serve(shown.repo.dir, shown.env, 'ui', '--json', '--no-open', '--port', String(port));
    const { url, link } = JSON.parse(await served.until('}')) as { url: string; link: string };
    return { served, url, link };
  };
  const first = await begin(0);
  const { page } = await openPage({ server: { ...shown.server, url: first.url, link: first.link } });
  await page.locator('h1').waitFor();
  await first.served.interrupt();
  await page.getByText('reconnecting').waitFor({ timeout: 30_000 });
  const second = await begin(Number(new URL(first.url).port));
  await page.getByText('does not know this browser').waitFor({ timeout: 30_000 });
  // In another tab of the same browser: both share the cookie.
  const other = await page.context().newPage();
  await other.goto(second.link);
  await expect.poll(() => page.getByText('does not know this browser').count(), { timeout: 30_000 }).toBe(0);
  await expect.poll(() => page.getByText('reconnecting').count(), { timeout: 30_000 }).toBe(0);
});
