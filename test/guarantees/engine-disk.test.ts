import { closeSync, existsSync, openSync, readdirSync, statSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { deleteRun, runIds, runsReport, stateIfWhole } from '#crew/state/catalogue.ts';
import { planPrune, prune } from '#crew/steer/prune.ts';
import { openStore } from '#durable/store.ts';
import { openBench, task } from '#test/support/engine-bench.ts';
import { runChild } from '#test/support/engine-process.ts';
import { makeRepo } from '#test/support/engine-repo.ts';
import { chance } from '#test/support/seed.ts';

const plan = {
  tasks: ['a', 'b', 'c'].map((id) => task(id, { files: [`${id}.txt`], description: 'x'.repeat(20_000) })),
};
const scenario = {
  attempts: ['a', 'b', 'c'].map((id) => ({
    task: id,
    do: [{ say: 'y'.repeat(20_000) }, { write: { path: `${id}.txt`, content: `${id}\n` } }],
  })),
};

describe('a full disk', () => {
  test('stops the run with the true cause; with space again it resumes and repeats nothing', async () => {
    const random = chance('run logs that could not grow', { normal: 2, soak: 40 });
    for (let round = 0; round < random.count; round++) {
      const repo = makeRepo();
      // Space for the plan, not for the work: a whole run takes 69 pages.
      const maxPages = 30 + Math.floor(random.next() * 38);
      const full = await runChild({ ...repo, plan, scenario, maxPages });
      const where = `${maxPages} pages, seed ${random.seed}: ${JSON.stringify(full)}`;
      expect(full.error, where).toMatchObject({ code: 'disk-full' });
      expect(full.code, where).toBe(5);
      const resumed = await runChild({ ...repo, scenario, run: full.run });
      expect(resumed.report, JSON.stringify(resumed)).toMatchObject({ status: 'done' });
      for (const id of ['a', 'b', 'c']) {
        expect(repo.git('show', `joinery/${full.run}/integration:${id}.txt`)).toBe(id);
      }
      repo.remove();
    }
  }, 600_000);

  test('also if the system lets no file grow', async () => {
    const repo = makeRepo();
    // 400 blocks of 1024 bytes for every file that the process and its children write.
    const limited = ['bash', '-c', 'ulimit -f 400; exec "$@"', 'limited'];
    const full = await runChild({ ...repo, plan, scenario }, limited);
    expect(full.error, JSON.stringify(full)).toMatchObject({ code: 'disk-full' });
    expect(full.code).toBe(5);
    const resumed = await runChild({ ...repo, scenario, run: full.run });
    expect(resumed.report, JSON.stringify(resumed)).toMatchObject({ status: 'done' });
    expect(repo.git('show', `joinery/${full.run}/integration:a.txt`)).toBe('a');
  }, 120_000);
});

describe('a run log whose tail is missing', () => {
  test('is truncated to what is complete; the run resumes and gives the same result', async () => {
    const random = chance('torn run logs', { normal: 2, soak: 40 });
    for (let round = 0; round < random.count; round++) {
      const repo = makeRepo();
      const crashAt = 30 + Math.floor(random.next() * 40);
      const { run } = await runChild({ ...repo, plan, scenario, crashAt });
      const [folder = ''] = readdirSync(repo.stateDir);
      const database = join(repo.stateDir, folder, 'runs.db');
      // Every other time the write-ahead file is merged into the database first: then the database loses its tail.
      if (round % 2 === 1) openStore(database).close();
      const wal = `${database}-wal`;
      const torn = existsSync(wal) && statSync(wal).size > 0 ? wal : database;
      truncateSync(torn, Math.floor(statSync(torn).size * (0.75 + random.next() / 4.1)));

      const bench = await openBench(repo, scenario);
      const where = `crash at ${crashAt}, ${torn} torn, seed ${random.seed}`;
      expect(torn === database ? bench.runs.engine.store.repaired : '', where).not.toBeNull();
      const state = await bench.drive(run);
      expect(state.status, where).toBe('done');
      if (torn === database) expect(state.degraded.join('\n'), where).toContain('run log was damaged');
      for (const id of ['a', 'b', 'c']) {
        expect(repo.git('show', `joinery/${run}/integration:${id}.txt`), where).toBe(id);
      }
      expect(repo.git('worktree', 'list').split('\n')).toHaveLength(1);
      expect(repo.git('fsck', '--no-dangling', '--connectivity-only')).not.toMatch(/missing|broken/);
      bench.close();
      repo.remove();
    }
  }, 600_000);
});

describe('damage of a run log stays with the runs it hits', () => {
  const small = { tasks: [task('a', { files: ['a.txt'] })] };
  const writesA = { attempts: [{ task: 'a', do: [{ write: { path: 'a.txt', content: 'a\n' } }] }] };

  function databaseOf(repo: { readonly stateDir: string }): string {
    const [folder = ''] = readdirSync(repo.stateDir);
    return join(repo.stateDir, folder, 'runs.db');
  }

  test('a tail that is lost after a prune costs the last run its end, not its beginning', async () => {
    const repo = makeRepo();
    const first = await runChild({ ...repo, plan: small, scenario: writesA });
    const second = await runChild({ ...repo, plan, scenario, crashAt: 40 });
    const bench = await openBench(repo, writesA);
    deleteRun(bench.runs.engine, first.run);
    bench.close();
    const database = databaseOf(repo);
    openStore(database).close();
    truncateSync(database, statSync(database).size - 100);
    const again = await openBench(repo, scenario);
    expect(again.runs.engine.store.repaired).not.toBeNull();
    expect(again.runs.engine.store.repaired).not.toContain(' 0 rows');
    expect((await again.drive(second.run)).status).toBe('done');
    again.close();
  });

  test('a page of zeros in the middle: the runs after it are complete, and a new one can be started', async () => {
    const repo = makeRepo();
    const runs = [];
    for (let n = 0; n < 3; n++) runs.push((await runChild({ ...repo, plan, scenario })).run);
    const database = databaseOf(repo);
    openStore(database).close();
    const file = openSync(database, 'r+');
    const page = 4096;
    const middle = Math.floor(statSync(database).size / page / 2) * page;
    writeSync(file, Buffer.alloc(page), 0, page, middle);
    closeSync(file);
    const bench = await openBench(repo, writesA);
    expect(bench.runs.engine.store.repaired).toContain('damaged');
    const whole = runIds(bench.runs.engine).filter(
      (run) => stateIfWhole(bench.runs.engine, run)?.status === 'done',
    );
    expect(whole.length).toBeGreaterThanOrEqual(2);
    const fresh = bench.start(small);
    expect((await bench.drive(fresh)).status).toBe('done');
    bench.close();
  });

  test('one event with a wrong checksum: other runs are listed, and the damaged one can be pruned', async () => {
    const repo = makeRepo();
    const bad = await runChild({ ...repo, plan, scenario });
    const good = await runChild({ ...repo, plan: small, scenario: writesA });
    const db = new DatabaseSync(databaseOf(repo));
    db.exec('DROP TRIGGER journal_is_append_only');
    db.exec(`UPDATE journal SET sum = sum + 1 WHERE run = '${bad.run}' AND kind = 'event' AND seq = 2`);
    db.close();
    const bench = await openBench(repo, writesA);
    const { engine } = bench.runs;
    const listed = Object.fromEntries(runsReport(engine).runs.map((run) => [run.run, run]));
    expect(listed[good.run]).toMatchObject({ status: 'done', accepted: 1 });
    expect(listed[bad.run]).toMatchObject({ damaged: true });
    const doomed = await planPrune(bench.workshop, engine, [bad.run], true);
    await prune(bench.workshop, engine, doomed);
    expect(runIds(engine)).toEqual([good.run]);
    expect(repo.git('for-each-ref', `refs/heads/joinery/${bad.run}`)).toBe('');
    bench.close();
  });
});
