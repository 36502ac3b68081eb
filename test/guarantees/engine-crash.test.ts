import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunEvent } from '#schema/event.ts';
import { openBench, task, writes } from '#test/support/engine-bench.ts';
import { runChild, startChild } from '#test/support/engine-process.ts';
import { type EngineRepo, makeRepo } from '#test/support/engine-repo.ts';
import { chance } from '#test/support/seed.ts';

const plan = {
  tasks: [
    task('a', { files: ['a.txt'] }),
    task('b', { files: ['b.txt'] }),
    task('c', { dependsOn: ['a', 'b'], files: ['c.txt', 'a.txt'] }),
  ],
};
const scenario = {
  attempts: [
    {
      task: 'a',
      do: [
        { write: { path: 'a.txt', content: 'a1\n' } },
        { say: 'half way' },
        { write: { path: 'a.txt', content: 'a2\n' } },
      ],
    },
    writes('b', 'b.txt', 'broken\n', {
      n: 1,
      do: [{ write: { path: 'b.txt', content: 'x' } }, { exit: 'crashed' }],
    }),
    writes('b', 'b.txt', 'b\n', { n: 2 }),
    {
      task: 'c',
      do: [
        { edit: { path: 'a.txt', find: 'a2', replace: 'a3' } },
        { write: { path: 'c.txt', content: 'c\n' } },
      ],
    },
  ],
};

function treeOf(repo: EngineRepo, run: string): string {
  return repo.git('rev-parse', `joinery/${run}/integration^{tree}`);
}

async function eventsOf(repo: EngineRepo, run: string): Promise<RunEvent[]> {
  const bench = await openBench(repo, { attempts: [] });
  const events = [...bench.workshop.engine.read(run)];
  bench.close();
  return events;
}

/** A finished run must leave exactly this, whatever happened in between. */
async function expectWhole(repo: EngineRepo, run: string, tree: string): Promise<void> {
  expect(treeOf(repo, run)).toBe(tree);
  expect(repo.git('worktree', 'list').split('\n')).toHaveLength(1);
  expect(
    existsSync(join(repo.dir, '.git/worktrees')) ? readdirSync(join(repo.dir, '.git/worktrees')) : [],
  ).toEqual([]);
  const locks = readdirSync(join(repo.dir, '.git'), { recursive: true }).filter((name) =>
    String(name).endsWith('.lock'),
  );
  expect(locks).toEqual([]);
  expect(repo.git('status', '--porcelain')).toBe('');

  const events = await eventsOf(repo, run);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  const reachable = new Set(repo.git('rev-list', '--all').split('\n'));
  const recorded = events.flatMap((event) =>
    event.type === 'step.committed' || event.type === 'work.kept' ? [event.data.commit] : [],
  );
  expect(recorded.filter((commit) => !reachable.has(commit))).toEqual([]);

  const begun = readFileSync(repo.witness, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('begin'));
  expect(new Set(begun).size, 'no attempt is begun twice').toBe(begun.length);
  const finished = events.filter(
    (event) => event.type === 'attempt.played' && event.data.outcome !== 'interrupted',
  );
  expect(finished.map(({ step }) => step).sort()).toEqual(['a', 'b', 'b', 'c']);
}

/** The result of an undisturbed run, and the points it passes. */
async function undisturbed(): Promise<{ tree: string; points: readonly string[] }> {
  const repo = makeRepo();
  const whole = await runChild({ ...repo, scenario, plan });
  expect(whole.report, JSON.stringify(whole)).toMatchObject({ status: 'done' });
  return { tree: treeOf(repo, whole.run), points: whole.points };
}

describe('a process killed at any point', () => {
  test('resumes with the same final tree, no attempt played twice, nothing lost and nothing left behind', async () => {
    const { tree, points } = await undisturbed();
    const all = points.map((_, index) => index + 1);
    const random = chance('crash points of a run', { normal: 4, wide: 20, soak: all.length });
    const chosen = random.pick(all);
    for (const crashAt of chosen) {
      const repo = makeRepo();
      const killed = await runChild({ ...repo, scenario, plan, crashAt });
      expect(killed.signal, `point ${crashAt}: ${JSON.stringify(killed)}`).toBe('SIGKILL');
      const resumed = await runChild({ ...repo, scenario, run: killed.run });
      const where = `killed at ${crashAt}, ${killed.reached}, seed ${random.seed}: ${JSON.stringify(resumed)}`;
      expect(resumed.report?.status, where).toBe('done');
      await expectWhole(repo, killed.run, tree);
      repo.remove();
    }
  }, 1_200_000);

  test('and killed again while it resumes, and at arbitrary moments, gives the same result', async () => {
    const { tree } = await undisturbed();
    const random = chance('runs killed three times at arbitrary moments', { normal: 1, wide: 5, soak: 60 });
    for (let round = 0; round < random.count; round++) {
      const repo = makeRepo();
      let run: string | undefined;
      for (let kill = 0; kill < 3; kill++) {
        const child = startChild({ ...repo, scenario, plan, ...(run ? { run } : {}) });
        const timer = setTimeout(() => child.kill('SIGKILL'), 200 + random.next() * 900);
        run = (await child.end).run || run;
        clearTimeout(timer);
      }
      const last = await runChild({ ...repo, scenario, plan, ...(run ? { run } : {}) });
      expect(last.report?.status, `seed ${random.seed}: ${JSON.stringify(last)}`).toBe('done');
      await expectWhole(repo, last.run, tree);
      repo.remove();
    }
  }, 1_200_000);
});
