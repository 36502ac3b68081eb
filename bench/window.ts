import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type CDPSession, chromium, type Page } from 'playwright-core';
import { webFolder } from '#app/window/web-folder.ts';
import type { EventDraft } from '#schema/event.ts';
import { seedRuns, talk } from '#test/support/seed-runs.ts';
import { browserPath } from '../scripts/browser.ts';
import type { Part } from './part.ts';
import { judge, renderTable } from './table.ts';

export const window: Part = {
  name: 'window',
  summary: 'the dashboard: from the log to the page, memory, opening a long run, the town, sizes',
  run: runWindow,
};

type Row = readonly [label: string, measured: string, limit: string, verdict: string];

const agents = 20;
const sampleMs = 60_000;

async function runWindow({ full }: { full: boolean }): Promise<string> {
  const program = browserPath();
  if (program === null) return 'no browser is installed: apt-get install chromium';
  const root = mkdtempSync(join(tmpdir(), 'joinery-bench-window-'));
  const web = await webFolder(() => {});
  const env = {
    ...process.env,
    JOINERY_STATE_DIR: join(root, 'state'),
    JOINERY_CACHE_DIR: join(root, 'cache'),
  };
  const dir = makeRepository(join(root, 'repo'));
  const server = await serve(dir, env);
  const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    const many = await openManyRuns(page, join(root, 'many'), env);
    await page.goto(server.link);
    const rows = [
      ...many,
      ...(await openLongRun(page, server.url, dir, env)),
      ...(await followCrew(page, server, dir, env, full ? 3_600_000 : 30_000)),
      ...sizes(web),
    ];
    return renderTable(['', 'measured', 'limit', 'verdict'], rows);
  } finally {
    await browser.close();
    server.end();
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

function makeRepository(dir: string): string {
  mkdirSync(dir);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com', ...args], {
      cwd: dir,
      stdio: 'ignore',
    });
  git('init', '--quiet', '--initial-branch=main');
  git('commit', '--quiet', '--allow-empty', '--message', 'begin');
  return dir;
}

interface Served {
  readonly url: string;
  readonly link: string;
  /** Resident memory of the server, in MB. */
  memory(): number;
  end(): void;
}

function serve(cwd: string, env: NodeJS.ProcessEnv): Promise<Served> {
  const executable = fileURLToPath(new URL('../bin/joinery.js', import.meta.url));
  const child = spawn(process.execPath, [executable, 'ui', '--json', '--no-open'], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return new Promise((resolve) => {
    let text = '';
    child.stdout.on('data', (data: Buffer) => {
      text += data;
      if (!text.trimEnd().endsWith('}')) return;
      const { url, link } = JSON.parse(text) as { url: string; link: string };
      resolve({
        url,
        link,
        memory: () =>
          Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024,
        end: () => void child.kill(),
      });
    });
  });
}

/** The browser's own counters, in seconds. */
async function costs(session: CDPSession): Promise<{ script: number; style: number; layouts: number }> {
  const { metrics } = await session.send('Performance.getMetrics');
  const of = (name: string) => metrics.find((each) => each.name === name)?.value ?? 0;
  return {
    script: of('ScriptDuration'),
    style: of('RecalcStyleDuration') + of('LayoutDuration'),
    layouts: of('LayoutCount') + of('RecalcStyleCount'),
  };
}

/** The home page of a repository with a thousand runs, on a new server: opened, then with every run in the page. */
async function openManyRuns(page: Page, dir: string, env: NodeJS.ProcessEnv): Promise<Row[]> {
  await seedRuns(makeRepository(dir), env, async ({ create }) => {
    for (let n = 0; n < 1000; n++) create(`Work ${n}`);
  });
  const server = await serve(dir, env);
  try {
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    const begun = performance.now();
    await page.goto(server.link);
    await page.waitForSelector('text=Runs (1000)');
    const opened = performance.now() - begun;
    const lines = page.locator('section', { hasText: 'Runs (1000)' }).locator('tbody tr');
    while ((await lines.count()) < 1000) await page.getByRole('button', { name: 'Show more' }).click();
    const { script, style } = await costs(session);
    const drawn = (script + style) * 1000;
    return [
      ['1,000 runs: link to page, by the clock', `${opened.toFixed(0)} ms`, '1000 ms', judge(opened <= 1000)],
      ['1,000 runs: script and style, all drawn', `${drawn.toFixed(0)} ms`, '1000 ms', judge(drawn <= 1000)],
    ];
  } finally {
    server.end();
  }
}

async function openLongRun(page: Page, url: string, dir: string, env: NodeJS.ProcessEnv): Promise<Row[]> {
  let run = '';
  await seedRuns(dir, env, async ({ create, append, base }) => {
    run = create('Ten thousand events');
    await append(run, talk(base, 10_000));
  });
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  await page.goto(new URL(`/run/${run}`, url).href);
  await page.waitForSelector('.node');
  const { script } = await costs(session);
  const ms = script * 1000;
  return [['script to open a run with 10,000 events', `${ms.toFixed(0)} ms`, '300 ms', judge(ms <= 300)]];
}

/** Twenty agents, each writing 2 journal events and 50 log lines per second. */
async function followCrew(
  page: Page,
  server: Served,
  dir: string,
  env: NodeJS.ProcessEnv,
  lastMs: number,
): Promise<Row[]> {
  const logs = join(dir, '..', 'logs');
  mkdirSync(logs, { recursive: true });
  const rows: Row[] = [];
  const tasks = Array.from({ length: agents }, (_, n) => `task-${n}`);
  await seedRuns(
    dir,
    env,
    async ({ create, drive, base }) => {
      const run = create('A crew at work');
      await page.goto(new URL(`/run/${run}`, server.url).href);
      await page.waitForSelector('.node');
      await page.evaluate(watchForTimes);
      await drive(run, async (append) => {
        append(tasks.map((step) => started(step, base)));
        const memory: number[] = [await settled(server)];
        const begun = Date.now();
        for (; Date.now() < begun + lastMs; await wait(500)) {
          append(tasks.map((step) => used(step, `at ${Date.now()}`)));
          for (const step of tasks) appendFileSync(join(logs, step), `${'a line of a log\n'.repeat(25)}`);
          if (Date.now() > begun + memory.length * sampleMs) memory.push(server.memory());
        }
        const delays = (await page.evaluate('globalThis.delays')) as number[];
        const p95 = delays.toSorted((a, b) => a - b)[Math.floor(delays.length * 0.95)] ?? Number.NaN;
        rows.push([
          `log to page, 95th of ${delays.length}`,
          `${p95.toFixed(0)} ms`,
          '1000 ms',
          judge(p95 <= 1000),
        ]);
        memory.push(await settled(server));
        // The first tenth is warm-up: code is compiled, caches fill.
        const from = memory[Math.floor(memory.length / 10)] ?? Number.NaN;
        const growth = (memory.at(-1) ?? Number.NaN) - from;
        rows.push([
          `server memory over ${lastMs / 60_000} min of it (${Math.min(...memory).toFixed(0)} to ${Math.max(...memory).toFixed(0)} MB)`,
          `${growth >= 0 ? '+' : ''}${growth.toFixed(0)} MB`,
          '64 MB',
          judge(growth <= 64),
        ]);
        process.stderr.write(
          `memory in MB, one a minute: ${memory.map((each) => each.toFixed(0)).join(' ')}\n`,
        );
        rows.push(
          ...(await townOf(page, server.url, run, () => append(tasks.map((step) => used(step, 'x'))))),
        );
      });
    },
    tasks,
  );
  return rows;
}

async function settled(server: Served): Promise<number> {
  await wait(2000);
  return server.memory();
}

async function townOf(page: Page, url: string, run: string, act: () => void): Promise<Row[]> {
  await page.goto(new URL(`/town/${run}`, url).href);
  await page.waitForSelector('.town');
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  await wait(2500);
  const quiet = await costs(session);
  await wait(5000);
  const still = await costs(session);
  const busyMs = 10_000;
  for (const until = Date.now() + busyMs; Date.now() < until; await wait(500)) act();
  const busy = await costs(session);
  const share = ((busy.script - still.script + busy.style - still.style) * 1000) / busyMs;
  const drawn = still.layouts - quiet.layouts;
  return [
    [
      'town: script and style while 20 agents work',
      `${(share * 100).toFixed(1)} %`,
      '5 %',
      judge(share <= 0.05),
    ],
    ['town: layouts in 5 s in which nothing moves', String(drawn), '0', judge(drawn === 0)],
  ];
}

/** Runs in the page: records how old each timestamp is when it appears. */
const watchForTimes = `(() => {
  const seen = new Set();
  globalThis.delays = [];
  new MutationObserver(() => {
    for (const [, at] of document.body.innerText.matchAll(/at (\\d{13})/g)) {
      if (seen.has(at)) continue;
      seen.add(at);
      globalThis.delays.push(Date.now() - Number(at));
    }
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
})()`;

function started(step: string, base: string): EventDraft {
  const data = {
    base,
    from: base,
    round: 1,
    branch: step,
    path: '/nowhere',
    driver: 'scripted',
    role: 'developer',
  };
  return { type: 'attempt.started', step, attempt: 1, data };
}

function used(step: string, detail: string): EventDraft {
  return { type: 'attempt.used', step, attempt: 1, data: { tool: 'edit', detail } };
}

function sizes(web: string): Row[] {
  const files = readdirSync(web, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(web, name)).isFile() && !name.startsWith('file/'))
    .map((name) => ({ name, size: gzipSync(readFileSync(join(web, name))).length }));
  const index = readFileSync(join(web, 'index.html'), 'utf8');
  const sum = (all: readonly { size: number }[]) => all.reduce((total, { size }) => total + size, 0) / 1000;
  const first = sum(files.filter(({ name }) => name === 'index.html' || index.includes(`/${name}`)));
  const total = sum(files);
  return [
    ['all pages, gzipped', `${total.toFixed(0)} kB`, '600 kB', judge(total <= 600)],
    ['first page, gzipped', `${first.toFixed(0)} kB`, '200 kB', judge(first <= 200)],
  ];
}
