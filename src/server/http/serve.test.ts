import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CheckView, HomeView, RunView } from '#schema/window.ts';
import {
  CheckView as CheckSchema,
  HomeView as HomeSchema,
  RunView as RunSchema,
  WorkflowView as WorkflowSchema,
} from '#schema/window.ts';
import { temporaryFolder } from '#test/support/joinery.ts';
import { type Shown, showRepository } from '#test/support/window.ts';

const oneTask = [{ id: 'greet', title: 'Greet the world', files: ['src/greet.ts'] }];
const works = (task: string) => ({
  task,
  do: [
    { say: '<script>alert(1)</script>' },
    { write: { path: `src/${task}.ts`, content: `export const ${task} = 1;\n` } },
    {
      write: {
        path: `src/${task}.test.ts`,
        content: `import { test } from 'node:test';\ntest('${task}', () => {});\n`,
      },
    },
  ],
});

/** Sends a request with headers that `fetch` does not let a caller set. */
function raw(
  shown: Shown,
  headers: Record<string, string>,
  path = '/api/v1/home',
  method = 'GET',
): Promise<number> {
  const { hostname, port } = new URL(shown.server.url);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .once('error', reject)
      .end();
  });
}

describe('access', () => {
  test('is refused to everyone without a pass', async () => {
    const shown = await showRepository();
    for (const path of ['/', '/api/v1/home', '/api/v1/stream', '/api/v1/openapi.json', '/assets/x.js'])
      expect([path, await raw(shown, { host: new URL(shown.server.url).host }, path)]).toEqual([path, 401]);
  });

  test('as a WebSocket is refused', async () => {
    const shown = await showRepository();
    const headers = {
      host: new URL(shown.server.url).host,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      'sec-websocket-version': '13',
    };
    expect(await raw(shown, headers, '/api/v1/stream')).toBe(401);
  });

  test('the link is exchanged once for a cookie that scripts and other sites cannot use', async () => {
    const { server } = await showRepository();
    expect((await fetch(server.link, { method: 'HEAD', redirect: 'manual' })).status).toBe(401);
    const first = await fetch(server.link, { redirect: 'manual' });
    expect(first.status).toBe(303);
    const cookie = first.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/HttpOnly/i);
    expect(cookie).toMatch(/SameSite=Strict/i);
    const inside = await fetch(new URL('/api/v1/home', server.url), {
      headers: { cookie: cookie.split(';')[0] ?? '' },
    });
    expect(inside.status).toBe(200);
    expect((await fetch(server.link, { redirect: 'manual' })).status).toBe(403);
  });

  test('the link leads a browser that has the cookie to the page again', async () => {
    const { server } = await showRepository();
    const first = await fetch(server.link, { redirect: 'manual' });
    const cookie = first.headers.get('set-cookie')?.split(';')[0] ?? '';
    const again = await fetch(server.link, { redirect: 'manual', headers: { cookie } });
    expect([again.status, again.headers.get('location')]).toEqual([303, '/']);
    const forged = await fetch(server.link, { redirect: 'manual', headers: { cookie: `${cookie}x` } });
    expect(forged.status).toBe(403);
  });

  test('a refused browser shows a page with the next step, a program gets JSON', async () => {
    const { server } = await showRepository();
    const page = await fetch(server.url, { headers: { accept: 'text/html,*/*' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([
      401,
      expect.stringMatching('text/html'),
    ]);
    expect(await page.text()).toContain('open the link that joinery ui printed');
    const used = await fetch(`${server.url}?ticket=%3Cscript%3E`, { headers: { accept: 'text/html' } });
    expect([used.status, await used.text()]).toEqual([403, expect.not.stringContaining('<script>')]);
    const api = await fetch(new URL('/api/v1/home', server.url), { headers: { accept: '*/*' } });
    expect(await api.json()).toMatchObject({ status: 'error', error: { code: 'no-pass' } });
  });

  test('is refused for a foreign Host and a foreign Origin, even with a pass', async () => {
    const shown = await showRepository();
    const { host } = new URL(shown.server.url);
    const authorization = `Bearer ${shown.server.key}`;
    expect(await raw(shown, { host, authorization })).toBe(200);
    expect(await raw(shown, { host: 'evil.example', authorization })).toBe(403);
    expect(await raw(shown, { host: 'evil.example:80', authorization })).toBe(403);
    expect(await raw(shown, { host, authorization, origin: 'http://evil.example' })).toBe(403);
    expect(await raw(shown, { host, authorization, origin: 'null' })).toBe(403);
    expect(await raw(shown, { host, authorization, origin: `https://${host}` })).toBe(403);
    expect(await raw(shown, { host, authorization, origin: `http://${host}` })).toBe(200);
  });

  test('writes need JSON: a form on another page cannot send it', async () => {
    const shown = await showRepository();
    const sent = await shown.get('/api/v1/check', {
      method: 'POST',
      body: 'id=12345678',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(sent.status).toBe(415);
    const plain = await shown.get('/api/v1/check', { method: 'POST', body: '{}' });
    expect(plain.status).toBe(415);
  });

  test('a body beyond four megabytes is refused before it is read', async () => {
    const shown = await showRepository();
    const sent = await shown.get('/api/v1/check', {
      method: 'POST',
      body: JSON.stringify({ id: 'x'.repeat(5 * 1024 * 1024) }),
      headers: { 'content-type': 'application/json' },
    });
    expect(sent.status).toBe(413);
  });

  test('every answer forbids inline scripts and framing', async () => {
    const shown = await showRepository();
    const answer = await shown.get('/api/v1/home');
    expect(answer.headers.get('content-security-policy')).toContain("script-src 'self';");
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describe('reading', () => {
  test('a run from its journal: tasks, attempts, prompt, log and diff', async () => {
    const shown = await showRepository();
    const run = await shown.play(oneTask, [works('greet')]);
    const home = HomeSchema.parse(await shown.json<HomeView>('/api/v1/home'));
    expect(home.runs.map((row) => [row.run, row.accepted, row.tasks])).toEqual([[run, 1, 1]]);
    const view = RunSchema.parse(await shown.json<RunView>(`/api/v1/runs/${run}`));
    const [task] = view.tasks;
    expect(task?.status).toBe('accepted');
    const prompt = task?.attempts[0]?.prompt;
    expect(await (await shown.get(`/api/v1/runs/${run}/artifacts/${prompt?.sha256}`)).text()).toContain(
      'Greet the world',
    );
    const diff = await shown.json<{ text: string }>(`/api/v1/runs/${run}/tasks/greet/diff?attempt=1`);
    expect(diff.text).toContain('+export const greet = 1;');
    const page = await shown.json<{ events: { seq: number }[]; isLast: boolean }>(
      `/api/v1/runs/${run}/events?limit=3`,
    );
    expect(page.events.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect(page.isLast).toBe(false);
  });

  test('what changed between two attempts', async () => {
    const shown = await showRepository();
    const strays = { task: 'greet', n: 1, do: [{ write: { path: 'elsewhere.txt', content: 'astray\n' } }] };
    const run = await shown.play(oneTask, [strays, works('greet')]);
    const between = await shown.json<{ text: string }>(
      `/api/v1/runs/${run}/tasks/greet/diff?attempt=2&since=1`,
    );
    expect(between.text).toContain('+export const greet = 1;');
    expect(between.text).not.toContain('astray');
    const first = await shown.json<{ text: string }>(`/api/v1/runs/${run}/tasks/greet/diff?attempt=1`);
    expect(first.text).toContain('+astray');
  });

  test('a check with the code of both sides, and branches with its results', async () => {
    const shown = await showRepository();
    const { repo } = shown;
    repo.commit({ 'src/user.ts': 'export interface User {\n  email: string;\n}\n' });
    repo.branch('a', { 'src/user.ts': 'export interface User {\n  mail: string;\n}\n' });
    repo.branch('b', {
      'src/b.ts': "import type { User } from './user.ts';\nexport const to = (user: User) => user.email;\n",
    });
    expect(await shown.json('/api/v1/check')).toBeNull();
    const sent = await shown.post('/api/v1/check', { id: 'check-0001', base: 'main', branches: ['a', 'b'] });
    const view = CheckSchema.parse(await sent.json()) as CheckView;
    expect(view.report.status).toBe('fail');
    const [finding] = view.report.findings;
    expect(view.frames[finding?.id ?? '']?.map(({ branch }) => branch).sort()).toEqual(['a', 'b']);
    const home = await shown.json<HomeView>('/api/v1/home');
    expect(home.branches.map(({ ref, state }) => [ref, state]).sort()).toEqual([
      ['a', 'fits'],
      ['b', 'blocked'],
    ]);
    expect(home.inbox.map(({ finding: id }) => id)).toEqual([finding?.id]);

    repo.git('checkout', '--quiet', 'b');
    repo.commit({
      'src/b.ts': "import type { User } from './user.ts';\nexport const to = (user: User) => user;\n",
    });
    repo.git('checkout', '--quiet', 'main');
    const again = { id: 'check-0002', base: 'main', branches: ['a', 'b'] };
    const after = CheckSchema.parse(await (await shown.post('/api/v1/check', again)).json()) as CheckView;
    expect([after.report.findings, after.report.delta?.fixed.map(({ id }) => id)]).toEqual([
      [],
      [finding?.id],
    ]);
  });

  test('an unknown address is 404 with a next step, malformed input is 400', async () => {
    const shown = await showRepository();
    const ask = async (path: string) => {
      const answer = await shown.get(path);
      return [answer.status, ((await answer.json()) as { error: { code: string } }).error.code];
    };
    expect(await ask('/api/v1/runs/none')).toEqual([404, 'unknown-run']);
    expect(await ask('/api/v1/nothing')).toEqual([404, 'not-found']);
    expect(await ask('/api/v1/runs/none/events?limit=many')).toEqual([400, 'bad-request']);
    const sent = await shown.post('/api/v1/runs/none/answers', { id: 'x' });
    expect(sent.status).toBe(400);
  });
});

describe('steering', () => {
  test('an answer counts once, however often it is sent, and is in the log', async () => {
    const shown = await showRepository();
    const strays = { task: 'greet', do: [{ write: { path: 'elsewhere.txt', content: 'x\n' } }] };
    const run = await shown.play(oneTask, [strays]);
    const view = await shown.json<RunView>(`/api/v1/runs/${run}`);
    const [question] = view.questions;
    expect(question?.answer).toBeNull();
    const write = { id: 'answer-000001', question: question?.id };
    const options = question?.options.map(({ value }) => value) ?? [];
    const answer = options.find((value) => value !== 'retry') ?? '';
    for (let n = 0; n < 2; n++)
      expect((await shown.post(`/api/v1/runs/${run}/answers`, { ...write, answer })).status).toBe(200);
    await shown.joinery('resume', run, '--json');
    const events = await shown.json<{ events: { type: string; data: { answer?: string } }[] }>(
      `/api/v1/runs/${run}/events`,
    );
    const answered = events.events.filter(({ type }) => type === 'question.answered');
    expect(answered.map(({ data }) => data.answer)).toEqual([answer]);
    expect((await shown.post(`/api/v1/runs/${run}/answers`, { ...write, answer: 'nonsense' })).status).toBe(
      400,
    );
  });

  test('every other write also counts once, and the log says who sent it', async () => {
    const shown = await showRepository();
    const waits = { task: 'greet', do: [{ say: 'waits' }, { sleepMs: 120_000 }] };
    const playing = shown.play(oneTask, [waits]);
    const isAtWork = async () => (await shown.json<HomeView>('/api/v1/home')).runs[0]?.holder ?? null;
    await expect.poll(isAtWork, { timeout: 60_000 }).not.toBeNull();
    const run = (await shown.json<HomeView>('/api/v1/home')).runs[0]?.run ?? '';
    const status = async () => (await shown.json<RunView>(`/api/v1/runs/${run}`)).tasks[0]?.status;
    await expect.poll(status, { timeout: 60_000 }).toBe('running');
    const twice = async (what: string, body: object) => {
      for (let n = 0; n < 2; n++)
        expect([
          what,
          (await shown.post(`/api/v1/runs/${run}/${what}`, { id: `wish-${what}`, ...body })).status,
        ]).toEqual([what, 200]);
    };
    await twice('steers', { task: 'greet', text: 'mind the gap' });
    await twice('budget', { budget: { usd: 5, tokens: null } });
    await twice('stops', { task: 'greet', reason: 'seen enough' });
    await playing;
    // Requests that have already taken effect are sent again; the run has ended, and a retry drives it again.
    await twice('stops', { task: 'greet', reason: 'seen enough' });
    expect((await shown.json<RunView>(`/api/v1/runs/${run}`)).status).toBe('failed');
    await twice('retries', { task: 'greet', context: 'once more' });
    await expect.poll(status, { timeout: 60_000 }).toBe('running');
    await twice('cancel', {});
    await expect.poll(isAtWork, { timeout: 60_000 }).toBeNull();
    const { events } = await shown.json<{ events: { type: string; data: { id?: string; by?: string } }[] }>(
      `/api/v1/runs/${run}/events`,
    );
    const signalled = events.filter(({ type }) => type === 'run.signalled');
    expect(signalled.map(({ data }) => data.id).toSorted()).toEqual(
      ['budget', 'cancel', 'retries', 'steers', 'stops'].map((what) => `wish-${what}`),
    );
    expect(new Set(signalled.map(({ data }) => data.by))).toEqual(
      new Set([expect.stringContaining('dashboard')]),
    );
    expect((await shown.json<RunView>(`/api/v1/runs/${run}`)).status).toBe('cancelled');
  });
});

describe('a run that is started from the page', () => {
  test('starts in a separate process, once per request', async () => {
    const shown = await showRepository();
    const plan = { schema: 'joinery/plan@1', tasks: [{ id: 'greet', title: 'Greet', files: ['greet.txt'] }] };
    const config = { agents: { mine: { command: process.execPath, acp: ['--eval', '0'] } } };
    shown.repo.commit({
      'plan.json': JSON.stringify(plan),
      'joinery.json': JSON.stringify(config),
      'specs/greet.md': '# Greet\n',
    });
    expect(await shown.json('/api/v1/specs')).toMatchObject({ specs: ['plan.json', 'specs/greet.md'] });
    const refused = await shown.post('/api/v1/runs', { id: 'start-0000', spec: 'none.json' });
    expect([refused.status, ((await refused.json()) as { error: { code: string } }).error.code]).toEqual([
      400,
      'bad-plan',
    ]);
    const wish = { id: 'start-0001', spec: 'plan.json', agent: 'mine' };
    const ids = await Promise.all(
      [1, 2].map(
        async () => ((await (await shown.post('/api/v1/runs', wish)).json()) as { run: string }).run,
      ),
    );
    const { runs } = await shown.json<HomeView>('/api/v1/home');
    expect([...new Set(ids)]).toEqual(runs.map(({ run }) => run));
    const [run = ''] = ids;
    const steer = { id: 'steer-00001', task: 'gret', text: 'be kind' };
    expect((await shown.post(`/api/v1/runs/${run}/steers`, steer)).status).toBe(404);
    await expect
      .poll(async () => (await shown.json<RunView>(`/api/v1/runs/${run}`)).holder, { timeout: 30_000 })
      .toBe(null);
    expect((await shown.json<{ notLanded: object[] }>(`/api/v1/runs/${run}/report`)).notLanded).toHaveLength(
      1,
    );
    expect(await shown.json(`/api/v1/runs/${run}/handoffs`)).toMatchObject({ schema: 'joinery/audit@1' });
  });
});

describe('runs that follow a workflow', () => {
  test('are listed and shown with their steps; a gate is decided once, and only the one that was seen', async () => {
    const shown = await showRepository();
    const flow = {
      id: 'two-steps',
      name: 'Two steps',
      description: 'd',
      version: '1.0.0',
      steps: [
        { id: 'one', title: 'One', prompt: 'p', requireConfirmation: true },
        { id: 'two', title: 'Two', prompt: 'p', runCondition: { var: 'never' } },
        { id: 'three', title: 'Three', prompt: 'p' },
      ],
    };
    shown.repo.commit({ '.joinery/workflows/two.json': JSON.stringify(flow) });
    const scenario = join(temporaryFolder(), 'scenario.json');
    const verdict = {
      kind: 'wr.gate_verdict',
      version: 1,
      verdict: 'uncertain',
      confidence: 'low',
      rationale: 'a person has to look at it',
    };
    const attempts = [
      { task: 'one', do: [{ handoff: { notes: '<b>what was found</b>' } }] },
      { task: 'one-gate', do: [{ handoff: { artifacts: [verdict] } }] },
    ];
    writeFileSync(scenario, JSON.stringify({ schema: 'joinery/scenario@1', attempts }));
    await shown.joinery(
      'workflow',
      'run',
      'two-steps',
      '--goal',
      'greet',
      '--agent',
      'scripted',
      '--scenario',
      scenario,
    );
    const home = HomeSchema.parse(await shown.json<HomeView>('/api/v1/home'));
    expect(home.workflows.map(({ goal, status, step }) => [goal, status, step])).toEqual([
      ['greet', 'awaiting_human', 'one'],
    ]);
    const run = home.workflows[0]?.run ?? '';
    expect(home.inbox).toMatchObject([{ kind: 'gate', run }]);
    const view = WorkflowSchema.parse(await shown.json(`/api/v1/workflows/${run}`));
    expect(view.gate?.rationale).toBe('a person has to look at it');
    expect(view.nodes.some(({ notes }) => notes === '<b>what was found</b>')).toBe(true);
    const decide = (body: object) => shown.post(`/api/v1/workflows/${run}/decisions`, body);
    const wish = { id: 'decision-1', node: view.gate?.node, verdict: 'approved' };
    expect((await decide({ ...wish, verdict: 'rejected' })).status).toBe(400);
    expect((await decide({ ...wish, node: 'n2' })).status).toBeGreaterThanOrEqual(400);
    for (let n = 0; n < 2; n++) expect((await decide(wish)).status).toBe(200);
    const after = WorkflowSchema.parse(await shown.json(`/api/v1/workflows/${run}`));
    expect([after.status, after.gate, after.nodes.length - view.nodes.length]).toEqual(['running', null, 1]);
    expect(after.nodes.at(-1)).toMatchObject({
      step: 'three',
      verdict: { verdict: 'approved', by: 'person' },
    });
    expect(after.nodes.at(-1)?.trace).toContainEqual(
      expect.objectContaining({ kind: 'skipped', step: 'two' }),
    );
    expect((await shown.get('/api/v1/workflows/wf-none')).status).toBe(404);
  });
});

describe('the stream', () => {
  test('a reader that reconnects with the last id misses nothing and gets nothing twice', async () => {
    const shown = await showRepository();
    const run = await shown.play(oneTask, [works('greet')]);
    const log = await shown.json<{ events: { seq: number }[] }>(`/api/v1/runs/${run}/events`);
    const all = log.events.map(({ seq }) => seq);
    const first = await readStream(shown, '0', 4);
    const rest = await readStream(shown, first.at(-1)?.id ?? '', all.length - 4);
    expect([...first, ...rest].map(({ seq }) => seq)).toEqual(all);
  });

  test('a reader whose last id is behind the end of the journal gets what is written from now on', async () => {
    const shown = await showRepository();
    const cut = new AbortController();
    const headers = { 'last-event-id': '999999' };
    const response = await shown.get('/api/v1/stream', { headers, signal: cut.signal });
    const { value } = (await response.body?.pipeThrough(new TextDecoderStream()).getReader().read()) ?? {};
    cut.abort();
    expect(value).toContain('event: open\nid: 0\n');
  });
});

/** Reads messages after `after` until there are `count`, then closes the connection. */
async function readStream(
  shown: Shown,
  after: string,
  count: number,
): Promise<{ id: string; seq: number }[]> {
  const cut = new AbortController();
  const response = await shown.get('/api/v1/stream', {
    headers: { 'last-event-id': after },
    signal: cut.signal,
  });
  const found: { id: string; seq: number }[] = [];
  let text = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const fields = new Map(
        text
          .slice(0, end)
          .split('\n')
          .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
      );
      text = text.slice(end + 2);
      if (fields.has('event')) continue;
      const { event } = JSON.parse(fields.get('data') ?? '{}') as { event: { seq: number } };
      found.push({ id: fields.get('id') ?? '', seq: event.seq });
      if (found.length === count) {
        cut.abort();
        return found;
      }
    }
  }
  return found;
}
