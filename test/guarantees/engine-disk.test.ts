import { existsSync, readdirSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
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

describe('a disk that is full', () => {
  test('stops the run with the true cause; with room again it goes on and repeats nothing', async () => {
    const random = chance('run logs that could not grow', { normal: 2, soak: 40 });
    for (let round = 0; round < random.count; round++) {
      const repo = makeRepo();
      // Room for the plan, not for the work: a whole run takes 69 pages.
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

  test('also when the system refuses to let any file grow', async () => {
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

describe('a run log whose tail was torn off', () => {
  test('is cut back to what is whole; the run goes on and comes to the same end', async () => {
    const random = chance('torn run logs', { normal: 2, soak: 40 });
    for (let round = 0; round < random.count; round++) {
      const repo = makeRepo();
      const crashAt = 30 + Math.floor(random.next() * 40);
      const { run } = await runChild({ ...repo, plan, scenario, crashAt });
      const [folder = ''] = readdirSync(repo.stateDir);
      const database = join(repo.stateDir, folder, 'runs.db');
      // Every other time the write-ahead file is merged into the database first: then that one loses its tail.
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
