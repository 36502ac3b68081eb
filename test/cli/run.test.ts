import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { RunEventSchema } from '#schema/event.ts';
import { PruneReport, QuestionsReport, RebuildReport, RunReport, RunsReport } from '#schema/run.ts';
import { WhyReport } from '#schema/why-report.ts';
import { task, writes } from '../support/engine-bench.ts';
import { type EngineRepo, makeRepo } from '../support/engine-repo.ts';
import { executable, joinery, type Outcome, temporaryFolder } from '../support/joinery.ts';

interface Crew extends EngineRepo {
  readonly env: Record<string, string>;
  readonly args: string[];
  call(...args: string[]): Promise<Outcome>;
  json(...args: string[]): Promise<{ code: number | null; document: unknown }>;
}

function crew(tasks: object[], attempts: object[]): Crew {
  const repo = makeRepo();
  const env = { JOINERY_STATE_DIR: repo.stateDir, JOINERY_CACHE_DIR: `${repo.stateDir}-cache` };
  const file = (name: string, content: object) => {
    const path = join(repo.stateDir, '..', name);
    writeFileSync(path, JSON.stringify(content));
    return path;
  };
  const plan = file('plan.json', { schema: 'joinery/plan@1', tasks });
  const scenario = file('scenario.json', { schema: 'joinery/scenario@1', attempts });
  const call = (...args: string[]) => joinery(args, { cwd: repo.dir, env });
  return {
    ...repo,
    env,
    args: ['run', '--no-land', '--plan', plan, '--agent', 'scripted', '--scenario', scenario],
    call,
    async json(...args) {
      const { code, stdout } = await call(...args, '--json');
      return { code, document: JSON.parse(stdout) };
    },
  };
}

/** Starts the executable and leaves it running. */
function start({ dir, env }: Crew, args: readonly string[]) {
  const child = spawn(process.execPath, [executable, ...args], {
    cwd: dir,
    env: { ...process.env, ...env, NO_COLOR: '1' },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk;
  });
  const end = new Promise<Outcome>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  const until = async (text: string) => {
    for (let n = 0; n < 2400 && !stderr.includes(text); n++) await wait(50);
    expect(stderr).toContain(text);
  };
  return { child, end, until };
}

const slow = (id: string) => ({
  task: id,
  do: [{ say: 'begins' }, { sleepMs: 120_000 }, { write: { path: `${id}.txt`, content: id } }],
});

describe('joinery run --plan', () => {
  test('ends with one document that reports the outcome of each task', async () => {
    const work = crew(
      [task('a'), task('b', { dependsOn: ['a'] })],
      [writes('a', 'a.txt'), writes('b', 'b.txt')],
    );
    const { code, document } = await work.json(...work.args);
    expect(code).toBe(0);
    const report = RunReport.parse(document);
    expect(report).toMatchObject({
      status: 'done',
      exitCode: 0,
      tasks: [
        { id: 'a', status: 'accepted' },
        { id: 'b', status: 'accepted' },
      ],
    });
    for (const { branch, commit } of report.tasks) expect(work.git('rev-parse', branch)).toBe(commit);
  });

  test('refuses an invalid plan, naming the tasks', async () => {
    const work = crew([task('a', { dependsOn: ['b'] }), task('b', { dependsOn: ['a', 'ghost'] })], []);
    const { code, document } = await work.json(...work.args);
    expect(code).toBe(3);
    expect(document).toMatchObject({
      status: 'error',
      error: { code: 'bad-plan', message: expect.stringMatching(/a → b → a/) },
    });
    expect(JSON.stringify(document)).toContain('ghost');
    expect((await work.json('runs')).document).toMatchObject({ runs: [] });
  });

  test('is not removed while its accepted work is not merged anywhere, unless forced', async () => {
    const work = crew(
      [task('a'), task('b', { dependsOn: ['a'] })],
      [writes('a', 'a.txt'), { task: 'b', do: [{ exit: 'limit' }] }],
    );
    const { run } = RunReport.parse((await work.json(...work.args)).document);
    const branch = `joinery/${run}/a`;
    const { stdout: told } = await work.call('status', run);
    expect(told).toMatch(
      /^ {2}joinery integrate \w+ --partial --land --update-checkout\n {6}lands what was accepted: a$/m,
    );
    expect((await work.json('prune', '--yes')).document).toMatchObject({
      runs: [],
      kept: [{ run, unmerged: [branch] }],
    });
    expect(work.git('rev-parse', branch)).toMatch(/^[0-9a-f]{40}/);
    const refused = await work.call('prune', '--yes', run);
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stdout).toContain(`joinery integrate ${branch} --land --update-checkout`);
    const forced = await work.call('prune', '--dry-run', '--force', run);
    expect(forced.stdout).toContain(`accepted work that is not merged anywhere: ${branch}`);
    const landing =
      /joinery (integrate \S+ --partial --land --update-checkout)/.exec(told)?.[1]?.split(' ') ?? [];
    expect(await work.call(...landing)).toMatchObject({ code: 2 });
    expect(await work.call(...landing, '--unproven')).toMatchObject({ code: 0 });
    expect(work.git('ls-tree', '--name-only', 'main', 'a.txt')).toBe('a.txt');
    expect((await work.json('prune', '--dry-run')).document).toMatchObject({
      runs: [{ run, unmerged: [] }],
      kept: [],
    });
    expect(await work.call('prune', '--yes')).toMatchObject({ code: 0 });
    expect(work.git('for-each-ref', `refs/heads/joinery/${run}`)).toBe('');
  });

  test('with an agent that is not installed says how to get it, and starts nothing', async () => {
    const work = crew([task('a')], []);
    const plan = work.args[3] ?? '';
    const programs = temporaryFolder();
    symlinkSync(execFileSync('which', ['git'], { encoding: 'utf8' }).trim(), join(programs, 'git'));
    const env = { ...work.env, PATH: programs, JOINERY_CACHE_DIR: join(programs, 'cache') };
    const { code, stderr } = await joinery(['run', '--plan', plan, '--agent', 'codex'], {
      cwd: work.dir,
      env,
    });
    expect(code).toBe(5);
    expect(stderr).toMatch(/agent codex is not installed[\s\S]*npm install --global @openai\/codex@/);
    expect((await work.json('runs')).document).toMatchObject({ runs: [] });
  });

  test('prints progress in plain lines without a terminal', async () => {
    const work = crew([task('a')], [writes('a', 'a.txt')]);
    const { stderr, stdout, code } = await work.call(...work.args);
    expect(code).toBe(0);
    expect(stderr).toMatch(/a #1: write a\.txt/);
    expect(stderr).not.toContain('\u001b');
    expect(stdout).toMatch(/a +accepted/);
  });

  test('with --dry-run shows the order and starts nothing', async () => {
    const work = crew([task('leaf', { dependsOn: ['root'] }), task('root')], []);
    const { code, document } = await work.json(...work.args, '--dry-run');
    expect(code).toBe(0);
    expect(document).toMatchObject({ order: ['root', 'leaf'] });
    expect(work.git('branch', '--list', 'joinery/*')).toBe('');
  });

  test('never exits with 0 while work is left', async () => {
    const failing = crew([task('a'), task('b', { dependsOn: ['a'] })], []);
    expect(await failing.json(...failing.args)).toMatchObject({
      code: 1,
      document: { status: 'failed', exitCode: 1, tasks: [{ status: 'failed' }, { status: 'skipped' }] },
    });
    expect((await failing.json('status')).code).toBe(1);
    const blocked = crew([task('a')], [{ task: 'a', do: [{ exit: 'denied' }] }]);
    expect(await blocked.json(...blocked.args)).toMatchObject({
      code: 2,
      document: { status: 'awaiting_human' },
    });
    expect(await blocked.json('resume')).toMatchObject({ code: 2, document: { status: 'awaiting_human' } });
  });
});

describe('a run that is stopped', () => {
  test('with Ctrl-C ends cleanly, says how to resume, and resumes', async () => {
    const work = crew([task('a'), task('b')], [writes('a', 'a.txt'), { ...slow('b'), n: 1 }]);
    const running = start(work, work.args);
    await running.until('b #1: says: begins');
    await running.until('a: accepted');
    running.child.kill('SIGINT');
    const { code, stdout } = await running.end;
    expect(code).toBe(130);
    expect(stdout).toMatch(/joinery resume \w+/);
    expect(work.git('worktree', 'list').split('\n')).toHaveLength(1);
    expect((await work.json('status')).code).toBe(130);
    const again = start(work, ['resume']);
    await again.until('b #2: says: begins');
    again.child.kill('SIGINT');
    const events = (await work.json('logs')).document as { events: { type: string; step?: string }[] };
    expect(
      events.events.filter(({ type, step }) => type === 'attempt.prompted' && step === 'a'),
    ).toHaveLength(1);
    await again.end;
  });

  test('ends with one line when its repository is deleted, although an agent would work for minutes', async () => {
    const work = crew([task('a')], [slow('a')]);
    const running = start(work, work.args);
    await running.until('begins');
    rmSync(work.dir, { recursive: true, force: true });
    const { code, stderr } = await running.end;
    expect(code).toBe(5);
    expect(stderr.trimEnd().split('\n').at(-1)).toMatch(
      /^joinery: the repository .* was deleted or moved while run \w+ worked on it\. Next: bring it back, then: joinery resume \w+$/,
    );
  });

  test('with Ctrl-C twice ends at once', async () => {
    const work = crew([task('a')], [slow('a')]);
    const running = start(work, work.args);
    await running.until('begins');
    running.child.kill('SIGINT');
    await wait(600);
    const before = performance.now();
    running.child.kill('SIGINT');
    expect((await running.end).code).toBe(130);
    expect(performance.now() - before).toBeLessThan(60_000);
  });

  test('by SIGKILL resumes without an id', async () => {
    const work = crew(
      [task('a'), task('b')],
      [
        writes('a', 'a.txt'),
        {
          task: 'b',
          do: [
            { awaits: 'a' },
            { write: { path: 'half.txt', content: 'half' } },
            { say: 'begins' },
            { sleepMs: 1500 },
            { write: { path: 'b.txt', content: 'b' } },
          ],
        },
      ],
    );
    const running = start(work, work.args);
    await running.until('b #1: says: begins');
    running.child.kill('SIGKILL');
    await running.end;
    expect((await work.call('status')).stdout).toContain('interrupted');
    const { code, document } = await work.json('resume');
    const { run } = document as { run: string };
    expect(work.git('show', `refs/joinery/${run}/kept/b/1:half.txt`)).toBe('half');
    expect(code).toBe(0);
    expect(document).toMatchObject({ status: 'done', tasks: [{ attempts: 1 }, { attempts: 2 }] });
    expect((await work.json('resume')).code).toBe(3);
  });

  test('by cancel from another terminal stops its agents and stays cancelled', async () => {
    const work = crew([task('a'), task('b', { dependsOn: ['a'] })], [slow('a')]);
    const running = start(work, work.args);
    await running.until('begins');
    expect((await work.call('cancel')).code).toBe(2);
    const { code, document } = await work.json('cancel', '--yes');
    expect({ code, document }).toMatchObject({ code: 0, document: { status: 'cancelled' } });
    expect((await running.end).code).toBe(1);
    expect((await work.json('resume')).code).toBe(3);
  });
});

describe('questions', () => {
  const work = () =>
    crew(
      [task('a'), task('b')],
      ['a', 'b'].flatMap((id) => [
        { task: id, n: 1, do: [{ exit: 'denied' }] },
        writes(id, `${id}.txt`, id, { n: 2 }),
      ]),
    );

  test('are answered one by one', async () => {
    const run = work();
    expect((await run.call(...run.args)).code).toBe(2);
    const { questions } = QuestionsReport.parse((await run.json('questions', 'list')).document);
    expect(questions.map(({ id }) => id).sort()).toEqual(['a-1', 'b-1']);
    for (const { options, evidence, text, default: usual } of questions) {
      expect(usual).toBe('leave');
      expect(options.map(({ value }) => value)).toEqual(['retry', 'leave', 'stop']);
      expect(evidence.length).toBeGreaterThan(0);
      expect(text).toContain('needs a person');
    }
    expect((await run.json('questions', 'answer', 'a-1', 'perhaps')).code).toBe(3);
    expect((await run.json('questions', 'answer', 'a-1', 'retry')).code).toBe(0);
    const left = QuestionsReport.parse((await run.json('questions', 'list')).document).questions;
    expect(left.map(({ id }) => id)).toEqual(['b-1']);
    expect(await run.json('resume')).toMatchObject({
      code: 2,
      document: { status: 'awaiting_human', tasks: [{ status: 'accepted' }, { status: 'escalated' }] },
    });
    expect((await run.json('questions', 'answer', 'a-1', 'retry')).code).toBe(3);
    expect((await run.json('questions', 'answer', 'b-1', 'leave', 'with a text')).code).toBe(3);
    expect((await run.json('questions', 'answer', 'b-1', 'mind the "second" file')).code).toBe(0);
    expect(await run.json('resume')).toMatchObject({ code: 0, document: { status: 'done' } });
    const { folders } = RebuildReport.parse((await run.json('rebuild')).document);
    expect(readFileSync(join(folders[0] ?? '', 'prompts/b-2.txt'), 'utf8')).toContain(
      'mind the "second" file',
    );
  });

  test('take their default on autopilot, visibly', async () => {
    const run = work();
    const { code, document } = await run.json(...run.args, '--autonomy', 'autopilot');
    expect(code).toBe(2);
    expect(document).toMatchObject({ status: 'failed', questions: [] });
    const { events } = (await run.json('logs')).document as {
      events: { type: string; data: { by?: string } }[];
    };
    expect(events.filter(({ data }) => data.by === 'autopilot')).toHaveLength(2);
  });
});

describe('an ended run', () => {
  test('can retry a failed task, with a message from a person', async () => {
    const work = crew(
      [task('a'), task('b', { dependsOn: ['a'] })],
      [writes('a', 'a.txt', 'a', { n: 3 }), writes('b', 'b.txt'), { task: 'a', do: [{ exit: 'crashed' }] }],
    );
    expect((await work.call(...work.args)).code).toBe(1);
    const why = await work.json('why', 'a');
    expect(why.code).toBe(0);
    expect(WhyReport.strict().parse(why.document).failure?.class).toBe('crash');
    expect((await work.call('why', 'a')).stdout).toMatch(
      /^Task a \(Task a\): failed, .*\ncrash: the agent broke down/,
    );
    expect((await work.json('why', 'ab')).document).toMatchObject({ error: { code: 'unknown-task' } });
    expect((await work.json('retry', '--task', 'b')).code).toBe(3);
    const hint = 'use "v2" $(really)';
    const { code, document } = await work.json('retry', '--task', 'a', '--context', hint);
    expect({ code, document }).toMatchObject({ code: 0, document: { status: 'done' } });
    const { run } = RunReport.parse(document);
    const { folders } = RebuildReport.parse((await work.json('rebuild')).document);
    expect(folders.every((folder) => existsSync(folder) && folder.includes(run))).toBe(true);
    expect(readFileSync(join(folders[0] ?? '', 'prompts/a-3.txt'), 'utf8')).toContain(hint);
  });

  test('can be listed, read, followed and removed with everything it left', async () => {
    const work = crew(
      [task('a')],
      [{ task: 'a', do: [{ write: { path: 'a.txt', content: 'x' } }, { exit: 'limit' }] }],
    );
    await work.call(...work.args);
    const { runs } = RunsReport.parse((await work.json('runs')).document);
    expect(runs).toMatchObject([{ status: 'failed', tasks: 1, accepted: 0, holder: null }]);
    const lines = (await work.call('logs', '-f', '--json')).stdout.trim().split('\n');
    for (const line of lines) RunEventSchema.parse(JSON.parse(line));
    expect((await work.call('logs', '--task', 'nobody')).code).toBe(3);
    expect(work.git('for-each-ref', 'refs/joinery')).not.toBe('');
    expect((await work.call('prune')).code).toBe(2);
    expect(PruneReport.parse((await work.json('prune', '--dry-run')).document).isDone).toBe(false);
    expect(PruneReport.parse((await work.json('prune', '--yes')).document).isDone).toBe(true);
    // What its agent wrote exists nowhere else.
    expect(work.git('for-each-ref', '--format=%(refname)', 'refs/joinery', 'refs/heads/joinery')).toBe(
      `refs/joinery/kept/${runs[0]?.run}/branches/a`,
    );
    expect((await work.json('runs')).document).toMatchObject({ runs: [] });
  });
});
