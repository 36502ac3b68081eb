import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AgentRequest } from '#agents/driver.ts';
import { scriptedDriver } from '#agents/drivers/scripted/scripted.ts';
import { Provisioning } from '#schema/provisioning.ts';
import { Scenario } from '#schema/scenario.ts';
import { type Bench, openBench, task, writes } from '#test/support/engine-bench.ts';
import { type EngineRepo, makeRepo } from '#test/support/engine-repo.ts';
import { finalReportOf } from './state/final-report.ts';
import { reportOf } from './state/report.ts';
import type { RunState } from './state/state.ts';

const statuses = (state: RunState) => [...state.steps.values()].map(({ status }) => status);

/** All agents start at once, but none writes before task a is accepted. */
async function openConflict(repo: EngineRepo, scenario: object): Promise<Bench> {
  const inner = scriptedDriver(Scenario.parse({ schema: 'joinery/scenario@1', ...scenario }));
  const bench: Bench = await openBench(repo, scenario, {
    driver: () => ({
      name: 'scripted',
      variables: [],
      async play(request, doors) {
        const isAccepted = () =>
          [...bench.workshop.engine.read(request.run)].some(({ type }) => type === 'step.accepted');
        while (request.task !== 'a' && !isAccepted()) await new Promise((resolve) => setTimeout(resolve, 20));
        return inner.play(request, doors);
      },
    }),
  });
  return bench;
}

describe('a run', () => {
  test('writes a checkpoint at every boundary, before the next piece of work starts', async () => {
    const repo = makeRepo();
    const bench = await openBench(repo, { attempts: [writes('a', 'a.txt'), writes('b', 'b.txt')] });
    const run = bench.start({ tasks: [task('a'), task('b', { dependsOn: ['a'] })] });
    const file = join(bench.runs.folders.reports(run), 'checkpoint.md');
    const seen: string[] = [];
    await bench.drive(run, {
      observe(events) {
        if (events.some(({ type, step }) => type === 'attempt.prompted' && step === 'b'))
          seen.push(readFileSync(file, 'utf8'));
      },
    });
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatch(/- Done: a \(Task a\) accepted/);
    expect(seen[0]).toMatch(/- Remaining: b/);
    bench.close();
  });

  test('repeats an attempt once for its handoff, informs its dependants, and withholds what the isolation of a task excludes', async () => {
    const repo = makeRepo();
    const notes = { say: `NOTES-OF-A ${'x'.repeat(60)}` };
    const nothing = { handoff: 'no handoff' };
    const bench = await openBench(repo, {
      attempts: [
        { task: 'a', do: [{ write: { path: 'a.txt', content: 'a' } }, notes, nothing, nothing] },
        writes('b', 'b.txt'),
        writes('c', 'c.txt'),
      ],
    });
    const run = bench.start(
      {
        tasks: [
          task('a', { rationale: 'REASON-OF-A' }),
          task('b', { dependsOn: ['a'] }),
          task('c', { dependsOn: ['a'], isolation: { mode: 'task-only' } }),
        ],
      },
      { handoffs: { partial: 'retry_once', fallback: 'escalate' } },
    );
    const state = await bench.drive(run);
    expect(statuses(state)).toEqual(['accepted', 'accepted', 'accepted']);
    const [a, b, c] = [...state.steps.values()];
    expect(a?.attempts.map(({ quality, verdict }) => `${quality} ${verdict}`)).toEqual([
      'partial revise',
      'partial approve',
    ]);
    const prompt = (step: typeof b) => {
      const last = step?.attempts.at(-1)?.prompt;
      return { text: bench.workshop.engine.artifact(run, last?.sha256 ?? '') ?? '', ...last };
    };
    expect(prompt(a).text).toContain('finish with the handoff block');
    expect(prompt(b)).toMatchObject({ mode: 'full', upstream: { a: 'partial' } });
    expect(prompt(b).text).toContain('NOTES-OF-A');
    expect(prompt(c)).toMatchObject({ mode: 'task-only', isolated: ['handoff/a#notes'] });
    expect(prompt(c).text).not.toContain('NOTES-OF-A');
    expect(finalReportOf(run, state).degraded).toEqual(
      expect.arrayContaining([
        'task a left a partial handoff',
        'task b worked with a partial handoff of task a',
      ]),
    );
    bench.close();
  });

  test('brings the work of a dependency to its dependant only through the integration branch', async () => {
    const repo = makeRepo();
    const before = repo.git('rev-parse', 'main');
    const bench = await openBench(repo, {
      attempts: [
        writes('a', 'a.txt', 'one\n'),
        { task: 'b', do: [{ edit: { path: 'a.txt', find: 'one', replace: '$& two' } }] },
      ],
    });
    const run = bench.start({
      tasks: [task('a', { files: ['a.txt'] }), task('b', { dependsOn: ['a'], files: ['a.txt'] })],
    });
    const state = await bench.drive(run);
    expect(reportOf(run, state)).toMatchObject({ status: 'done', exitCode: 0 });
    expect(statuses(state)).toEqual(['accepted', 'accepted']);
    expect(repo.git('show', `joinery/${run}/integration:a.txt`)).toBe('$& two');
    expect(repo.git('rev-parse', 'main')).toBe(before);
    expect(repo.git('status', '--porcelain')).toBe('');
    expect(repo.git('worktree', 'list').split('\n')).toHaveLength(1);
    expect(existsSync(bench.runs.folders.worktrees(run))).toBe(false);
    bench.close();
  });

  test('keeps the diff of a task against its base after the work was merged', async () => {
    const repo = makeRepo();
    const bench = await openBench(repo, { attempts: [writes('a', 'a.txt'), writes('b', 'b.txt')] });
    const run = bench.start({ tasks: [task('a'), task('b', { dependsOn: ['a'] })] });
    await bench.drive(run);
    const events = [...bench.workshop.engine.read(run)];
    const files = events.flatMap((event) => (event.type === 'step.committed' ? [event.data.files] : []));
    expect(files).toEqual([[{ path: 'a.txt', change: 'added' }], [{ path: 'b.txt', change: 'added' }]]);
    bench.close();
  });

  test('ignores a dirty checkout and leaves it unchanged', async () => {
    const repo = makeRepo();
    writeFileSync(join(repo.dir, 'README.md'), 'half done\n');
    writeFileSync(join(repo.dir, 'new.txt'), 'untracked\n');
    const bench = await openBench(repo, { attempts: [writes('a', 'new.txt', 'theirs\n')] });
    const run = bench.start({ tasks: [task('a')] });
    expect((await bench.drive(run)).status).toBe('done');
    expect(readFileSync(join(repo.dir, 'README.md'), 'utf8')).toBe('half done\n');
    expect(readFileSync(join(repo.dir, 'new.txt'), 'utf8')).toBe('untracked\n');
    bench.close();
  });

  test('lets tasks that share a file wait for each other, so that both are accepted', async () => {
    const repo = makeRepo({ 'list.txt': 'start\n' });
    let together = 0;
    let most = 0;
    const bench = await openBench(
      repo,
      { attempts: [] },
      {
        driver: () => ({
          name: 'counter',
          variables: [],
          async play(request, doors) {
            most = Math.max(most, ++together);
            await new Promise((resolve) => setTimeout(resolve, 50));
            const file = join(request.cwd, 'list.txt');
            writeFileSync(file, `${readFileSync(file, 'utf8')}${request.task}\n`);
            together -= 1;
            doors.report({ type: 'text', text: 'x'.repeat(60) });
            return { outcome: 'ok', reason: '' };
          },
        }),
      },
    );
    const run = bench.start({ tasks: ['a', 'b', 'c'].map((id) => task(id, { files: ['list.txt'] })) });
    const state = await bench.drive(run);
    expect(state.status).toBe('done');
    expect(most).toBe(1);
    expect(repo.git('show', `joinery/${run}/integration:list.txt`).split('\n').sort()).toEqual([
      'a',
      'b',
      'c',
      'start',
    ]);
    bench.close();
  });

  test('works on no more tasks at a time than allowed', async () => {
    const repo = makeRepo();
    let together = 0;
    let most = 0;
    const bench = await openBench(
      repo,
      { attempts: [] },
      {
        driver: () => ({
          name: 'counter',
          variables: [],
          async play(request, doors) {
            most = Math.max(most, ++together);
            // Long enough to start a second one, and a third that is not allowed.
            const began = Date.now();
            while (most < 2 && Date.now() - began < 5000) await new Promise((next) => setTimeout(next, 5));
            await new Promise((resolve) => setTimeout(resolve, 40));
            writeFileSync(join(request.cwd, request.task), 'x');
            together -= 1;
            doors.report({ type: 'text', text: 'x'.repeat(60) });
            return { outcome: 'ok', reason: '' };
          },
        }),
      },
    );
    const run = bench.start({ tasks: ['a', 'b', 'c', 'd', 'e'].map((id) => task(id)) }, { parallel: 2 });
    expect((await bench.drive(run)).status).toBe('done');
    expect(most).toBe(2);
    bench.close();
  });

  test('gives every attempt its own environment', async () => {
    const repo = makeRepo();
    const requests: AgentRequest[] = [];
    const bench = await openBench(
      repo,
      { attempts: [] },
      {
        driver: () => ({
          name: 'listener',
          variables: [],
          async play(request, doors) {
            requests.push(request);
            writeFileSync(join(request.env.TMPDIR ?? '', 'x'), '');
            writeFileSync(join(request.cwd, request.task), '');
            doors.report({ type: 'text', text: 'x'.repeat(60) });
            return { outcome: 'ok', reason: '' };
          },
        }),
      },
    );
    const run = bench.start({ tasks: [task('a'), task('b')] });
    expect((await bench.drive(run)).status).toBe('done');
    for (const name of ['TMPDIR', 'XDG_CACHE_HOME', 'PORT', 'JOINERY_DATABASE', 'COMPOSE_PROJECT_NAME']) {
      expect(new Set(requests.map(({ env }) => env[name])).size, name).toBe(2);
    }
    expect(requests[0]?.env).toMatchObject({
      GIT_TERMINAL_PROMPT: '0',
      GIT_EDITOR: 'true',
      JOINERY_RUN: run,
    });
    bench.close();
  });

  test('does not commit dependencies it put into the worktree, ignored or not', async () => {
    const repo = makeRepo();
    mkdirSync(join(repo.dir, 'node_modules/x'), { recursive: true });
    writeFileSync(join(repo.dir, 'node_modules/x/index.js'), 'module.exports = 1\n');
    let seen = '';
    const bench = await openBench(
      repo,
      { attempts: [] },
      {
        provisioning: Provisioning.parse({}),
        driver: () => ({
          name: 'reader',
          variables: [],
          async play(request, doors) {
            seen = readFileSync(join(request.cwd, 'node_modules/x/index.js'), 'utf8');
            writeFileSync(join(request.cwd, 'a.txt'), '');
            doors.report({ type: 'text', text: 'x'.repeat(60) });
            return { outcome: 'ok', reason: '' };
          },
        }),
      },
    );
    const run = bench.start({ tasks: [task('a')] });
    await bench.drive(run);
    expect(seen).toContain('module.exports');
    expect(repo.git('ls-tree', '-r', '--name-only', `joinery/${run}/integration`).split('\n')).toEqual([
      'README.md',
      'a.txt',
    ]);
    bench.close();
  });
});

describe('failed work', () => {
  test('is retried with the reason, and stops at once if nothing changes', async () => {
    const repo = makeRepo();
    const bench = await openBench(repo, {
      attempts: [
        { task: 'better', n: 1, do: [{ exit: 'crashed' }] },
        writes('better', 'better.txt', 'x', { n: 2 }),
        { task: 'same', do: [{ exit: 'crashed' }] },
      ],
    });
    const run = bench.start({
      tasks: [task('better'), task('same'), task('after', { dependsOn: ['same'] })],
    });
    const state = await bench.drive(run);
    expect(statuses(state)).toEqual(['accepted', 'failed', 'skipped']);
    expect([...state.steps.values()].map((step) => step.attempts.length)).toEqual([2, 2, 0]);
    expect(reportOf(run, state)).toMatchObject({ status: 'failed', exitCode: 1 });
    const prompts = [...bench.workshop.engine.read(run)].flatMap((event) =>
      event.type === 'attempt.prompted' && event.step === 'better'
        ? [bench.workshop.engine.artifact(run, event.data.sha256)]
        : [],
    );
    expect(prompts[1]).toContain('the agent ended with crashed');
    bench.close();
  });

  test('without the declared change is not accepted, whatever the agent says', async () => {
    const repo = makeRepo();
    const bench = await openBench(repo, {
      attempts: [{ task: 'a', do: [{ say: 'I did everything that was asked, it all works.' }] }],
    });
    const run = bench.start({ tasks: [task('a', { files: ['a.txt'] })] }, { autonomy: 'autopilot' });
    const state = await bench.drive(run);
    expect(statuses(state)).toEqual(['escalated']);
    expect(state.steps.get('a')?.reason).toContain('nothing was changed');
    expect(reportOf(run, state).exitCode).toBe(2);
    bench.close();
  });

  test('that does not merge is redone on top of what it conflicts with', async () => {
    const repo = makeRepo({ 'x.txt': 'start\n' });
    const bench = await openConflict(repo, {
      attempts: [
        writes('a', 'x.txt', 'from a\n'),
        writes('b', 'x.txt', 'from b\n', { n: 1 }),
        { task: 'b', n: 2, do: [{ edit: { path: 'x.txt', find: 'from a', replace: 'from a and b' } }] },
      ],
    });
    const run = bench.start({ tasks: [task('a'), task('b')] });
    const state = await bench.drive(run);
    expect(statuses(state)).toEqual(['accepted', 'accepted']);
    expect(repo.git('show', `joinery/${run}/integration:x.txt`)).toBe('from a and b');
    expect(repo.git('show', `refs/joinery/${run}/kept/b/1:x.txt`)).toBe('from b');
    bench.close();
  });

  test('that never merges needs a person, with the exit code for conflicts', async () => {
    const repo = makeRepo({ 'x.txt': 'start\n' });
    const bench = await openConflict(repo, {
      attempts: ['a', 'b', 'c'].map((id) => writes(id, 'x.txt', `${id}\n`)),
    });
    const once = { max: 1, onNoProgress: 'escalate', onExhausted: 'escalate' } as const;
    const run = bench.start(
      { tasks: [task('a'), task('b'), task('c')] },
      { autonomy: 'autopilot', loop: once },
    );
    const state = await bench.drive(run);
    expect(statuses(state)).toEqual(['accepted', 'escalated', 'escalated']);
    expect(reportOf(run, state)).toMatchObject({ status: 'failed', exitCode: 4 });
    bench.close();
  });

  test('is kept under a ref, so that nothing an agent wrote is lost', async () => {
    const repo = makeRepo();
    const bench = await openBench(repo, {
      attempts: [{ task: 'a', do: [{ write: { path: 'a.txt', content: 'half' } }, { exit: 'limit' }] }],
    });
    const run = bench.start({ tasks: [task('a')] });
    await bench.drive(run);
    expect(repo.git('show', `refs/joinery/${run}/kept/a/1:a.txt`)).toBe('half');
    bench.close();
  });

  test('of an agent that removes its own worktree counts as a crash, and the run continues', async () => {
    const repo = makeRepo();
    const bench = await openBench(
      repo,
      { attempts: [] },
      {
        driver: () => ({
          name: 'vandal',
          variables: [],
          async play(request) {
            rmSync(request.cwd, { recursive: true });
            return { outcome: 'ok', reason: '' };
          },
        }),
      },
    );
    const run = bench.start({ tasks: [task('a')] });
    const state = await bench.drive(run);
    expect(statuses(state)).toEqual(['failed']);
    expect(state.steps.get('a')?.reason).toContain('its worktree is gone');
    expect(repo.git('worktree', 'list').split('\n')).toHaveLength(1);
    bench.close();
  });

  test('that takes too long is stopped', async () => {
    const repo = makeRepo();
    const bench = await openBench(repo, { attempts: [{ task: 'a', do: [{ sleepMs: 60_000 }] }] });
    const run = bench.start({ tasks: [task('a')] }, { attemptTimeoutMs: 100 });
    const state = await bench.drive(run);
    expect(state.steps.get('a')?.attempts.map(({ outcome }) => outcome)).toEqual(['timeout', 'timeout']);
    bench.close();
  });
});

describe('a handoff', () => {
  const notes = 'I wrote the file and left the rest as it was, nothing else to say.';
  const attempt = (...actions: object[]) => ({
    attempts: [{ task: 'a', do: [{ write: { path: 'a.txt', content: 'x' } }, ...actions] }],
  });
  const quality = (state: RunState) => state.steps.get('a')?.attempts[0]?.quality;

  test('that is refused can be corrected once', async () => {
    const bench = await openBench(
      makeRepo(),
      attempt({ handoff: { consumed: 'everything' } }, { handoff: {} }),
    );
    const run = bench.start({ tasks: [task('a')] });
    expect(quality(await bench.drive(run))).toBe('full');
    const refused = [...bench.workshop.engine.read(run)].find((event) => event.type === 'handoff.refused');
    expect(refused?.data).toMatchObject({ problems: [expect.stringContaining('consumed')] });
    expect(JSON.stringify(refused?.data)).toContain('plan#task');
    bench.close();
  });

  test('that cites something that does not exist is refused with what could be cited', async () => {
    const cites = (artifact: string) => ({ handoff: { consumed: [{ ref: { artifact }, usedFor: 'x' }] } });
    const bench = await openBench(makeRepo(), attempt(cites('invented'), cites('plan')));
    const run = bench.start({ tasks: [task('a')] });
    expect(quality(await bench.drive(run))).toBe('full');
    const events = [...bench.workshop.engine.read(run)].filter((event) => event.type === 'handoff.refused');
    expect(events).toHaveLength(1);
    bench.close();
  });

  test('that never becomes valid leaves usable notes: partial', async () => {
    const bench = await openBench(
      makeRepo(),
      attempt({ say: notes }, { handoff: 'no' }, { handoff: 'no' }, { handoff: {} }),
    );
    const state = await bench.drive(bench.start({ tasks: [task('a')] }));
    expect(quality(state)).toBe('partial');
    expect(state.status).toBe('done');
    bench.close();
  });

  test('that is missing without usable notes needs a person: fallback', async () => {
    const bench = await openBench(
      makeRepo(),
      { attempts: [] },
      {
        driver: () => ({
          name: 'silent',
          variables: [],
          async play(request) {
            writeFileSync(join(request.cwd, 'a.txt'), '');
            return { outcome: 'ok', reason: '' };
          },
        }),
      },
    );
    const state = await bench.drive(bench.start({ tasks: [task('a')] }));
    expect(quality(state)).toBe('fallback');
    expect(state.status).toBe('awaiting_human');
    bench.close();
  });
});
