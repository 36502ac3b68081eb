import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { openBench, task, writes } from '#test/support/engine-bench.ts';
import { runChild, startChild } from '#test/support/engine-process.ts';
import { makeRepo } from '#test/support/engine-repo.ts';
import { temporaryFolder } from '#test/support/joinery.ts';
import { chance } from '#test/support/seed.ts';

const plan = { tasks: [task('a', { files: ['a.txt'] }), task('b', { files: ['b.txt'] })] };

describe('two runs in one repository', () => {
  test('do not affect each other', async () => {
    const repo = makeRepo();
    const scenario = (content: string) => ({
      attempts: [
        writes('a', 'a.txt', content),
        { task: 'b', do: [{ sleepMs: 200 }, { write: { path: 'b.txt', content } }] },
      ],
    });
    const [one, two] = await Promise.all([
      runChild({ ...repo, plan, scenario: scenario('one\n') }),
      runChild({ ...repo, plan, scenario: scenario('two\n') }),
    ]);
    for (const [end, content] of [
      [one, 'one'],
      [two, 'two'],
    ] as const) {
      expect(end.report, JSON.stringify(end)).toMatchObject({ status: 'done', exitCode: 0 });
      expect(repo.git('show', `joinery/${end.run}/integration:a.txt`)).toBe(content);
      expect(repo.git('show', `joinery/${end.run}/integration:b.txt`)).toBe(content);
    }
    expect(repo.git('worktree', 'list').split('\n')).toHaveLength(1);
    const bench = await openBench(repo, { attempts: [] });
    const ports = [one, two].flatMap(({ run }) =>
      [...bench.workshop.engine.read(run)].flatMap((event) =>
        event.type === 'worktree.ready' ? [event.data.ports[0]] : [],
      ),
    );
    bench.close();
    expect(ports).toHaveLength(4);
  });
});

describe('two processes on one run', () => {
  const scenario = { attempts: [writes('a', 'a.txt'), writes('b', 'b.txt')] };

  test('the second is refused while the first is alive', async () => {
    const repo = makeRepo();
    const bench = await openBench(repo, scenario);
    const run = bench.start(plan);
    const waitsFor = join(repo.stateDir, 'go-on');
    const first = startChild({ ...repo, scenario, run, waitsFor });
    while (!bench.workshop.engine.holder(run)?.isAlive) await wait(20);
    const second = await runChild({ ...repo, scenario, run });
    expect(second.error).toMatchObject({ code: 'run-held' });
    expect(second.code).toBe(2);
    writeFileSync(waitsFor, '');
    expect((await first.end).report).toMatchObject({ status: 'done' });
    bench.close();
  });

  test('a first process that hangs anywhere is replaced, and can change nothing when it wakes up', async () => {
    const random = chance('processes that hang and wake up too late', { normal: 2, soak: 40 });
    const quick = { attempts: [writes('a', 'a.txt'), writes('b', 'b.txt')] };
    for (let round = 0; round < random.count; round++) {
      const repo = makeRepo();
      const bench = await openBench(repo, quick);
      const run = bench.start(plan);
      const crashAt = 1 + Math.floor(random.next() * 55);
      const stuck = startChild({ ...repo, scenario: quick, run, crashAt, isPause: true, leaseMs: 400 });
      const hasHung = await Promise.race([stuck.paused.then(() => true), stuck.end.then(() => false)]);
      const where = `hung at ${crashAt}, seed ${random.seed}`;
      expect(hasHung, where).toBe(true);
      while (bench.workshop.engine.holder(run)?.isAlive === true) await wait(50);

      const second = await runChild({ ...repo, scenario: quick, run });
      expect(second.report, `${where}: ${JSON.stringify(second)}`).toMatchObject({ status: 'done' });
      const events = [...bench.workshop.engine.read(run)];
      const refs = repo.git('for-each-ref');

      stuck.kill('SIGCONT');
      const late = await stuck.end;
      expect(late.error, `${where}: ${JSON.stringify(late)}`).toMatchObject({ code: 'fenced' });
      expect([...bench.workshop.engine.read(run)], where).toEqual(events);
      expect(repo.git('for-each-ref'), where).toBe(refs);
      bench.close();
      repo.remove();
    }
  }, 600_000);

  test('a first process that is replaced while its gates run removes nothing it made', async () => {
    const folder = temporaryFolder();
    const [note, go] = [join(folder, 'place'), join(folder, 'go')];
    const repo = makeRepo({
      'AGENTS.md': '## Quality Gates\n\n- lint: `sh gate.sh`\n',
      'gate.sh': `pwd > ${note}\nwhile [ ! -e ${go} ]; do sleep 0.1; done\necho checked\n`,
    });
    const bench = await openBench(repo, { attempts: [writes('a', 'a.txt')] });
    const run = bench.start({ tasks: [task('a', { files: ['a.txt'] })] });
    const driven = bench.drive(run);
    driven.catch(() => {});
    await expect.poll(() => existsSync(note), { timeout: 60_000 }).toBe(true);
    // As a newer holder does it: first the lease, then the fence.
    const log = new DatabaseSync(bench.workshop.folders.database);
    log.prepare("UPDATE leases SET token = 99, holder = 'another' WHERE name = ?").run(run);
    log.close();
    writeFileSync(join(folder, 'token'), '99\n');
    const newer = repo.git('hash-object', '-w', join(folder, 'token'));
    repo.git('update-ref', `refs/joinery/${run}/fence`, newer);
    writeFileSync(go, '');
    await expect(driven).rejects.toMatchObject({ code: 'fenced' });
    const place = readFileSync(note, 'utf8').trim();
    bench.close();
    expect(existsSync(join(place, 'a.txt'))).toBe(true);
  });
});
