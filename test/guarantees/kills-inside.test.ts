import { accessSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openBench, task, writes } from '#test/support/engine-bench.ts';
import { type ChildEnd, runChild } from '#test/support/engine-process.ts';
import { type EngineRepo, makeRepo } from '#test/support/engine-repo.ts';
import { temporaryFolder } from '#test/support/joinery.ts';
import { type Kill, killingGit, killingSuite } from '#test/support/kill-inside.ts';
import { note } from '#test/support/sampling.ts';
import { chance } from '#test/support/seed.ts';

const plan = { tasks: [task('a', { files: ['src/'] }), task('b', { dependsOn: ['a'], files: ['b.txt'] })] };
const scenario = {
  attempts: [writes('a', 'src/sum.cjs', 'exports.sum = (a, b) => b + a;\n'), writes('b', 'b.txt')],
};
/** One kill costs one resume; a lock that it left is waited for. */
const mostResumes = 3;

function project(order: string): EngineRepo {
  return makeRepo({
    'AGENTS.md': '# Guide\n\n## Quality Gates\n\n- test: `node test/run.cjs`\n',
    'src/sum.cjs': 'exports.sum = (a, b) => a + b;\n',
    'test/run.cjs': killingSuite(order),
  });
}

async function play(kill: Kill | null): Promise<{ repo: EngineRepo; ends: ChildEnd[]; run: string }> {
  const folder = temporaryFolder();
  const order = join(folder, 'order');
  const repo = project(order);
  if (kill?.inside === 'gate') writeFileSync(order, kill.whom);
  const wrap = kill?.inside === 'git' ? killingGit(folder, kill) : [];
  const ends = [await runChild({ ...repo, scenario, plan }, ['setsid', ...wrap])];
  const run = ends[0]?.run ?? '';
  while (ends.at(-1)?.report?.status !== 'done' && ends.length <= mostResumes)
    ends.push(await runChild({ ...repo, scenario, plan, ...(run === '' ? {} : { run }) }));
  return { repo, ends, run: ends.at(-1)?.run || run };
}

async function expectWhole(repo: EngineRepo, run: string, where: string): Promise<string> {
  const bench = await openBench(repo, { attempts: [] });
  const events = [...bench.workshop.engine.read(run)];
  bench.close();
  const verdicts = events.flatMap((event) =>
    event.type === 'attempt.ended' ? [`${event.step} ${event.data.verdict}`] : [],
  );
  // A kill from outside does not count against the task: an interrupted attempt has no verdict.
  expect(
    verdicts.filter((each) => !/ (approve|null)$/.test(each)),
    where,
  ).toEqual([]);
  const accepted = events.filter(({ type }) => type === 'step.accepted').map(({ step }) => step);
  expect(accepted.length, where).toBe(new Set(accepted).size);
  const begun = readFileSync(repo.witness, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('begin'));
  expect(new Set(begun).size, where).toBe(begun.length);
  expect(repo.git('worktree', 'list').split('\n'), where).toHaveLength(1);
  const entries = join(repo.dir, '.git/worktrees');
  expect(existsSync(entries) ? readdirSync(entries) : [], where).toEqual([]);
  const locks = readdirSync(join(repo.dir, '.git'), { recursive: true }).filter((name) =>
    String(name).endsWith('.lock'),
  );
  expect(locks, where).toEqual([]);
  expect(repo.git('status', '--porcelain'), where).toBe('');
  repo.git('fsck', '--strict', '--no-dangling');
  // Everything except the suite, whose text contains a path that differs per run.
  const result = `joinery/${run}/integration`;
  return repo.git('rev-parse', `${result}:src`, `${result}:b.txt`);
}

function isThere(folder: string): boolean {
  try {
    accessSync(folder);
    return true;
  } catch {
    return false;
  }
}

const whoms = ['gate', 'guard', 'driver', 'guard and driver'] as const;
const others = ['nobody', 'driver', 'group'] as const;

test.runIf(process.platform === 'linux')(
  'a run that is killed inside git, a guard or a gate gives the same result as an undisturbed one',
  async () => {
    const random = chance('kills inside git, guards and gates', { normal: 3, wide: 15, soak: 200 });
    const calm = await play(null);
    const tree = await expectWhole(calm.repo, calm.run, 'undisturbed');
    // The first calls open the repository, the last ones clean up.
    const calls = 150;
    const disk = process.env.TMPDIR;
    for (let round = 0; round < random.count; round++) {
      const kill: Kill =
        round % 4 === 0
          ? { inside: 'gate', whom: whoms[Math.floor(random.next() * whoms.length)] ?? 'guard' }
          : {
              inside: 'git',
              at: 1 + Math.floor(random.next() * calls),
              ms: random.next() * 12,
              with: others[Math.floor(random.next() * others.length)] ?? 'nobody',
            };
      if (round % 2 === 1 && isThere('/dev/shm')) process.env.TMPDIR = '/dev/shm';
      try {
        const { repo, ends, run } = await play(kill);
        const told = ends.map(({ code, signal, error }) => ({ code, signal, error }));
        const where = `seed ${random.seed}, round ${round}: ${JSON.stringify({ kill, told })}`;
        note(where);
        expect(ends.at(-1)?.report?.status, where).toBe('done');
        expect(await expectWhole(repo, run, where)).toBe(tree);
        repo.remove();
      } finally {
        if (disk === undefined) delete process.env.TMPDIR;
        else process.env.TMPDIR = disk;
      }
    }
  },
  3_600_000,
);
