import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { DataOf } from '#schema/event.ts';
import { PrefixCache, sharedBeginning } from '../support/model-server/prefix-cache.ts';
import type { Reply } from '../support/model-server/protocol.ts';
import type { RealAgent } from '../support/real-agent.ts';
import { handIn, openCrew, taskOf, until } from '../support/real-crew.ts';
import { note } from '../support/sampling.ts';

const tokens = { in: 111, out: 13, cached: 11 };

const canaryDecision = '"decisions":[{"what":"PRIOR-CANARY","why":"it shows"}]';

/** The contract of a run with real agents. */
export function crewContract(name: RealAgent['name']): void {
  test(`three tasks of ${name} survive the death of our process: nothing repeated, no process left, every token counted`, async () => {
    let isFirstLife = true;
    const crew = await openCrew(name, ({ agent }) => (request): Reply => {
      const task = taskOf(request);
      if (request.turn === 0) return { calls: [agent.shell(`echo ${task} > ${task}.txt`)], tokens };
      if (isFirstLife && task === 'b') return { fault: 'silent' };
      if (isFirstLife && task === 'c') return { say: 'half an answer', tokens, fault: 'stall' };
      return { say: handIn(request, [`${task}.txt`]), tokens };
    });
    const tasks = ['a', 'b', 'c'].map((id) => ({ id, title: `Task ${id}`, files: [`${id}.txt`] }));
    const first = crew.start(
      'run',
      '--no-land',
      '--plan',
      crew.plan(tasks),
      '--agent',
      name,
      '--parallel',
      '3',
    );
    const asked = (task: string) => crew.server.asked.filter((request) => taskOf(request) === task).length;
    const isAccepted = () => {
      const branch = crew.repo.git('branch', '--list', '--format=%(refname:short)', 'joinery/*/integration');
      return branch !== '' && crew.repo.git('ls-tree', '--name-only', branch.trim()).includes('a.txt');
    };
    // Claude Code reports the cost of a question when its answer starts; Codex, when it has ended.
    const isTold = name === 'claude';
    const hasBegun = () => !isTold || crew.printed('c').split('"message_start"').length - 1 === 2;
    await until(() => asked('b') === 2 && asked('c') === 2 && isAccepted() && hasBegun());
    first.child.kill('SIGKILL');
    const killedAt = performance.now();
    await until(() => crew.alive() === 0);
    expect(performance.now() - killedAt).toBeLessThan(10_000);

    isFirstLife = false;
    const report = await crew.start('resume').end;
    expect(report).toMatchObject({ status: 'done', exitCode: 0 });
    expect(report?.tasks.map(({ id, attempts }) => [id, attempts])).toEqual([
      ['a', 1],
      ['b', 2],
      ['c', 2],
    ]);
    expect([asked('a'), asked('b'), asked('c')]).toEqual([2, 4, 4]);
    expect(crew.alive()).toBe(0);
    const { spent } = crew.server;
    const half = isTold ? { in: tokens.in, out: 1, cached: tokens.cached } : { in: 0, out: 0, cached: 0 };
    expect(report?.cost).toMatchObject({
      in: spent.in + half.in,
      out: spent.out + half.out,
      cached: spent.cached + half.cached,
    });
    expect(spent.in).toBe(8 * tokens.in);
    const files = crew.repo.git('ls-tree', '--name-only', report?.integration.branch ?? '').split('\n');
    expect(files).toEqual(expect.arrayContaining(['a.txt', 'b.txt', 'c.txt']));
    expect(crew.server.unknown).toEqual([]);
  }, 300_000);

  test(`prompts of ${name} share prefixes, so that a provider's cache hits: attempts of a task up to the findings, tasks up to the task`, async () => {
    const cache = new PrefixCache();
    const first: string[] = [];
    const crew = await openCrew(name, ({ agent }) => (request): Reply => {
      const task = taskOf(request);
      const isSecondTry = request.prompt.includes('Problems of the previous attempt');
      if (request.turn > 0)
        return { say: handIn(request, [`${task}.txt`]), tokens: { in: 0, out: 0, cached: 0 } };
      first.push(request.prompt);
      const command = task === 'a' && !isSecondTry ? 'true' : `echo ${task} > ${task}.txt`;
      return { calls: [agent.shell(command)], tokens: cache.ask(request.prompt) };
    });
    const tasks = ['a', 'b'].map((id) => ({ id, title: `Task ${id}`, files: [`${id}.txt`] }));
    const args = ['--no-land', '--plan', crew.plan(tasks), '--agent', name, '--parallel', '1'];
    const report = await crew.start('run', ...args).end;
    expect(report).toMatchObject({ status: 'done' });
    const [a1 = '', a2 = '', b1 = ''] = first;
    // The same task: everything except the problems of the previous attempt.
    const ofTask = sharedBeginning(a1, a2);
    expect(ofTask).toContain('# Files you may change');
    expect(a2.slice(ofTask.length - 3, ofTask.length + 40)).toContain('Problems of the previous attempt');
    // Another task: role, instructions and everything that applies to the run.
    const ofRun = sharedBeginning(a2, b1);
    expect(ofRun).toContain('# How to work');
    expect(ofRun.endsWith('# Task ')).toBe(true);
    const { spent } = crew.server;
    expect(spent.cached).toBeGreaterThan(0);
    expect(report?.cost.cached).toBe(spent.cached);
    note(
      `prompt cache, ${name}: ${spent.cached} of ${spent.in} units of the first messages of three attempts`,
    );
  }, 300_000);

  test(`what reaches the model of ${name} follows the isolation of its task, in every mode`, async () => {
    const told = new Map<string, string>();
    const crew = await openCrew(name, ({ agent }) => (request): Reply => {
      const task = /\btask ([\w-]+) in run /.exec(request.prompt)?.[1] ?? '';
      told.set(task, `${told.get(task) ?? ''}${request.raw}`);
      if (request.turn === 0) return { calls: [agent.shell(`echo ${task} > ${task}.txt`)] };
      return { say: handIn(request, [`${task}.txt`]).replace('"decisions":[]', canaryDecision) };
    });
    const guides = { 'CLAUDE.md': 'AMBIENT-CANARY\n', 'AGENTS.md': 'AMBIENT-CANARY\n' };
    crew.repo.commit(guides);
    const modes = {
      full: { mode: 'full' },
      'task-only': { mode: 'task-only' },
      blind: { mode: 'blind' },
      custom: { mode: 'custom', include: ['task', 'prior'] },
    };
    const canaried = (id: string) => ({
      id,
      title: `Task ${id}`,
      description: 'TASK-CANARY',
      rationale: 'REASON-CANARY',
      files: [`${id}.txt`],
    });
    const tasks = [
      canaried('first'),
      ...Object.entries(modes).map(([id, isolation]) => ({
        ...canaried(id),
        isolation,
        dependsOn: ['first'],
      })),
    ];
    const more = { contract: { terms: 'CONTRACT-CANARY' }, concerns: ['PROJECT-CANARY'] };
    const plan = crew.plan(tasks, more);
    const report = await crew.start('run', '--no-land', '--plan', plan, '--agent', name, '--parallel', '2')
      .end;
    expect(report?.tasks.map(({ id }) => id)).toEqual(['first', ...Object.keys(modes)]);
    const canaries = ['TASK', 'PROJECT', 'CONTRACT', 'REASON', 'PRIOR', 'AMBIENT'];
    const seen = Object.keys(modes).map((mode) => [
      mode,
      canaries.filter((canary) => told.get(mode)?.includes(`${canary}-CANARY`)).join(' '),
    ]);
    expect(Object.fromEntries(seen)).toEqual({
      full: 'TASK PROJECT CONTRACT REASON PRIOR AMBIENT',
      'task-only': 'TASK PROJECT CONTRACT',
      blind: '',
      custom: 'TASK PRIOR',
    });
  }, 300_000);

  test(`a blind task of ${name} that reads the notes of others is not accepted`, async () => {
    const crew = await openCrew(name, ({ agent }) => (request): Reply => {
      const [, task = '', n = ''] = /\btask ([\w-]+) in run \w+, attempt (\d+)/.exec(request.prompt) ?? [];
      const isSpying = task === 'spy' && n === '1';
      const notes = join(crew.state, '*', 'reports', '*', 'handoffs', 'first-1.json');
      if (request.turn === 0) return { calls: [agent.shell(`echo ${task} > ${task}.txt`)] };
      if (request.turn === 1 && isSpying) return { calls: [agent.shell(`cat ${notes}`)] };
      return { say: handIn(request, [`${task}.txt`]) };
    });
    const plan = crew.plan([
      { id: 'first', title: 'Task first', files: ['first.txt'] },
      {
        id: 'spy',
        title: 'Task spy',
        files: ['spy.txt'],
        dependsOn: ['first'],
        isolation: { mode: 'blind' },
      },
    ]);
    const report = await crew.start('run', '--no-land', '--plan', plan, '--agent', name).end;
    expect(report?.tasks.map(({ id, status, attempts }) => [id, status, attempts])).toEqual([
      ['first', 'accepted', 1],
      ['spy', 'accepted', 2],
    ]);
    const ended = crew.events().filter(({ type, step }) => type === 'attempt.ended' && step === 'spy');
    const verdicts = ended.map(({ data }) => (data as DataOf<'attempt.ended'>).findings);
    expect(verdicts.map((findings) => findings.map(({ fingerprint }) => fingerprint))).toEqual([
      ['read-withheld:fail'],
      [],
    ]);
  }, 300_000);

  test(`what ${name} does in addition to its work is noticed and named`, async () => {
    const crew = await openCrew(name, ({ agent, repo }) => (request): Reply => {
      const task = taskOf(request);
      const write = `echo done > ${task}.txt`;
      const isSecondTry = request.prompt.includes('Problems of the previous attempt');
      const misdeeds: Record<string, string> = {
        liar: 'true',
        outsider: `${write}; echo x > '${join(repo.dir, 'stray.txt')}'`,
        committer: `${write}; git add -A && git -c user.name=A -c user.email=a@b commit -qm 'my own commit'`,
        switcher: isSecondTry ? write : `git checkout -q -b elsewhere; ${write}`,
        leaver: `${write}; setsid sleep 1000 >/dev/null 2>&1 &`,
      };
      if (request.turn === 0) return { calls: [agent.shell(misdeeds[task] ?? '')] };
      return { say: handIn(request, [`${task}.txt`]) };
    });
    const ids = ['liar', 'outsider', 'committer', 'switcher', 'leaver'];
    const tasks = ids.map((id) => ({ id, title: `Task ${id}`, files: [`${id}.txt`] }));
    const report = await crew.start(
      'run',
      '--no-land',
      // Contained, it could do none of it.
      ...(name === 'codex' ? [] : ['--no-sandbox']),
      '--plan',
      crew.plan(tasks),
      '--agent',
      name,
      '--parallel',
      '2',
    ).end;
    const status = Object.fromEntries(report?.tasks.map((task) => [task.id, task.status]) ?? []);
    const liar = report?.tasks.find(({ id }) => id === 'liar');
    const ended = crew.events().filter((event) => event.type === 'attempt.ended');
    const checksOf = (id: string): string[] =>
      ended
        .filter((event) => event.step === id && event.attempt === 1)
        .flatMap((event) => (event.data as DataOf<'attempt.ended'>).checks)
        .filter((check) => check.status === 'warn' || check.status === 'fail')
        .map((check) => `${check.name} ${check.status}`);
    expect(liar).toMatchObject({
      status: 'escalated',
      reason: expect.stringContaining('nothing was changed'),
    });
    expect(crew.alive()).toBe(0);
    if (name === 'codex') {
      // Its sandbox prevents all of this: the result is the work, or nothing at all. That it would be noticed is shown
      // by Claude Code below.
      expect(status).toMatchObject({ outsider: 'accepted', committer: 'accepted', leaver: 'accepted' });
      expect(existsSync(join(crew.repo.dir, 'stray.txt'))).toBe(false);
      for (const id of ['outsider', 'committer', 'switcher', 'leaver']) expect(checksOf(id)).toEqual([]);
      return;
    }
    expect(status).toEqual({
      liar: 'escalated',
      outsider: 'accepted',
      committer: 'accepted',
      switcher: 'accepted',
      leaver: 'accepted',
    });
    expect(checksOf('outsider')).toContain('wrote-outside warn');
    expect(checksOf('committer')).toContain('committed warn');
    expect(checksOf('switcher')).toContain('switched-branch fail');
    expect(checksOf('leaver')).toContain('left-processes warn');
    const incidentsOf = (id: string) => report?.tasks.find((task) => task.id === id)?.incidents ?? [];
    expect(incidentsOf('committer').join()).toContain('my own commit');
    // An agent that worked at the same time is not blamed alone: each remark about the stray file names the outsider.
    const strays = ids.flatMap((id) => incidentsOf(id).filter((detail) => detail.includes('stray.txt')));
    expect(strays.length).toBeGreaterThan(0);
    for (const stray of strays) expect(stray).toMatch(/: (it|one of .*\boutsider\b.*), or somebody else/);
    for (const id of ids.filter((each) => each !== 'outsider'))
      expect(incidentsOf(id).join()).not.toMatch(/stray\.txt changed in the main checkout: it,/);
  }, 300_000);
}
