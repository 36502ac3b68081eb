import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PruneReport, RunReport } from '#schema/run.ts';
import { passingGuide } from '#test/support/passing-tests.ts';
import { type Bench, openBench, task, writes } from '../support/engine-bench.ts';
import { type EngineRepo, makeRepo } from '../support/engine-repo.ts';
import { GitRepository } from '../support/git-repository.ts';
import { joinery, temporaryFolder } from '../support/joinery.ts';

/** Runs one plan to its end; `at` is called at the points where a crash must be survivable. */
async function ran(
  tasks: object[],
  attempts: object[],
  at: (point: string, bench: Bench, run: string) => void = () => {},
) {
  const repo = makeRepo();
  let seen: { bench: Bench; run: string } | null = null;
  const bench = await openBench(
    repo,
    { attempts },
    { probe: (point) => seen && at(point, seen.bench, seen.run) },
  );
  const run = bench.start({ schema: 'joinery/plan@1', tasks });
  seen = { bench, run };
  const state = await bench.drive(run);
  return { repo, bench, run, state };
}

function folderOf({ runs }: Bench, run: string, name: string): string {
  const all = runs.folders.worktrees(run);
  return join(all, readdirSync(all)[0] ?? '', name);
}

const kept = ({ git }: EngineRepo, below = 'refs/joinery/kept/') =>
  git('for-each-ref', '--format=%(refname)', below).split('\n').filter(Boolean);

/** A worktree of an ended run that a killed process left behind, with work in it. */
function leftBehind(repo: EngineRepo, bench: Bench, run: string, name = 'a'): string {
  const path = join(bench.runs.folders.worktrees(run), 'holder-1', name);
  mkdirSync(join(path, '..'), { recursive: true });
  repo.git('worktree', 'add', '-q', '--detach', path, 'main');
  writeFileSync(join(path, 'README.md'), 'changed\n');
  writeFileSync(join(path, 'untracked.txt'), 'mine\n');
  return path;
}

/** The command that a sentence names brings the work back. */
function bringBack(repo: EngineRepo, sentence: string): string {
  const command = /git branch (\S+) (\S+)$/.exec(sentence);
  expect(sentence).toMatch(/git branch \S+ refs\/joinery\/kept\//);
  repo.git('branch', command?.[1] ?? '', command?.[2] ?? '');
  return command?.[1] ?? '';
}

const call = (repo: EngineRepo, ...args: string[]) =>
  joinery(args, {
    cwd: repo.dir,
    env: { JOINERY_STATE_DIR: repo.stateDir, JOINERY_CACHE_DIR: `${repo.stateDir}-cache` },
  });

describe('work that exists nowhere else is kept, and named with the command that brings it back', () => {
  test('what is written into a worktree after its attempt was committed', async () => {
    const { repo, bench, state } = await ran([task('a')], [writes('a', 'a.txt')], (point, on, run) => {
      if (point === 'a/1/commit: commit written')
        writeFileSync(join(folderOf(on, run, 'a'), 'later.txt'), 'later\n');
    });
    bench.close();
    expect(repo.git('show', `${bringBack(repo, state.degraded.at(-1) ?? '')}:later.txt`)).toBe('later');
  });

  test('commits on a detached HEAD', async () => {
    const { repo, bench, state } = await ran([task('a')], [writes('a', 'a.txt')], (point, on, run) => {
      if (point !== 'a/1/commit: commit written') return;
      const there = new GitRepository({ dir: folderOf(on, run, 'a') });
      there.git('checkout', '-q', '--detach');
      there.git('commit', '-q', '--allow-empty', '-m', 'on no branch');
    });
    bench.close();
    const sentence = state.degraded.find((what) => what.includes('refs/joinery/kept/')) ?? '';
    expect(repo.git('log', '-2', '--format=%s', bringBack(repo, sentence))).toContain('on no branch');
  });

  test('commits that an agent made itself and took back from its files', async () => {
    const { repo, bench, run } = await ran([task('a')], [writes('a', 'a.txt')], (point, on, id) => {
      if (point !== 'a/1/commit: tree written') return;
      const there = new GitRepository({ dir: folderOf(on, id, 'a') });
      there.commit({ 'first-idea.txt': 'first idea\n' }, 'first idea');
    });
    bench.close();
    expect(repo.git('show', `refs/joinery/${run}/kept/a/1-own:first-idea.txt`)).toBe('first idea');
  });

  test('uncommitted and untracked files in the worktree of an ended run, when another run clears it', async () => {
    const { repo, bench, run } = await ran([task('a')], [writes('a', 'a.txt')]);
    leftBehind(repo, bench, run);
    const next = bench.start({ schema: 'joinery/plan@1', tasks: [task('a')] });
    const state = await bench.drive(next);
    bench.close();
    const branch = bringBack(repo, state.degraded.find((what) => what.includes(run)) ?? '');
    expect(repo.git('show', `${branch}:untracked.txt`)).toBe('mine');
    expect(repo.git('show', `${branch}:README.md`)).toBe('changed');
    expect(repo.git('worktree', 'list').split('\n')).toHaveLength(1);
  });

  test('the same, when prune removes the run', async () => {
    const { repo, bench, run } = await ran([task('a')], [{ task: 'a', do: [{ exit: 'limit' }] }]);
    leftBehind(repo, bench, run);
    bench.close();
    const { stdout, code } = await call(repo, 'prune', run, '--yes', '--json');
    expect(code).toBe(0);
    const { saved = [] } = PruneReport.parse(JSON.parse(stdout));
    expect(repo.git('show', `${bringBack(repo, saved[0] ?? '')}:untracked.txt`)).toBe('mine');
    expect((await call(repo, 'runs', '--json')).stdout).not.toContain(run);
  });

  test('failed attempts and branches that were not merged, when prune removes the run, with --force too', async () => {
    const { repo, bench, run } = await ran(
      [task('a'), task('b')],
      [
        writes('a', 'a.txt'),
        { task: 'b', do: [{ write: { path: 'half.txt', content: 'half\n' } }, { exit: 'limit' }] },
      ],
    );
    bench.close();
    expect((await call(repo, 'prune', run, '--yes')).code).toBe(2);
    const { stdout } = await call(repo, 'prune', run, '--force', '--yes', '--json');
    const { saved = [] } = PruneReport.parse(JSON.parse(stdout));
    const files = saved.map((sentence) =>
      repo.git('ls-tree', '-r', '--name-only', bringBack(repo, sentence)),
    );
    expect(files.join()).toContain('a.txt');
    expect(files.join()).toContain('half.txt');
    expect(kept(repo, `refs/joinery/${run}/`)).toEqual([]);
  });

  test('a retry: the new files of the failed attempt, which no baseline shows', async () => {
    const half = {
      task: 'a',
      n: 1,
      do: [{ write: { path: 'new.txt', content: 'new\n' } }, { exit: 'limit' }],
    };
    const { repo, bench, run } = await ran([task('a')], [half, { ...writes('a', 'a.txt'), n: 2 }]);
    bench.close();
    expect(repo.git('show', `refs/joinery/${run}/kept/a/1:new.txt`)).toBe('new');
    await call(repo, 'prune', run, '--force', '--yes');
    const refs = kept(repo, `refs/joinery/kept/${run}/`);
    const files = refs.map((ref) => repo.git('ls-tree', '-r', '--name-only', ref));
    expect(files.join()).toContain('new.txt');
  });

  test('a cancelled run: what its agents were writing', async () => {
    const repo = makeRepo();
    const bench = await openBench(repo, {
      attempts: [
        {
          task: 'a',
          do: [{ write: { path: 'half.txt', content: 'half\n' } }, { say: 'begins' }, { sleepMs: 120_000 }],
        },
      ],
    });
    const run = bench.start({ schema: 'joinery/plan@1', tasks: [task('a')] });
    const driven = bench.drive(run, {
      observe: (events) => {
        if (events.some(({ type }) => type === 'attempt.said')) void call(repo, 'cancel', run, '--yes');
      },
    });
    expect((await driven).status).toBe('cancelled');
    bench.close();
    expect(repo.git('show', `refs/joinery/${run}/kept/a/1:half.txt`)).toBe('half');
  }, 120_000);

  test('an undo after its branch was pruned', async () => {
    const repository = new GitRepository();
    repository.commit({ 'a.txt': 'a\n', ...passingGuide });
    repository.branch('feat', { 'b.txt': 'only here\n' });
    const env = { JOINERY_CACHE_DIR: temporaryFolder(), JOINERY_STATE_DIR: temporaryFolder() };
    const run = (...args: string[]) => joinery(args, { cwd: repository.dir, env });
    const landed = await run('integrate', 'feat', '--land', '--update-checkout', '--json');
    const { id } = JSON.parse(landed.stdout) as { id: string };
    await run('prune', id, '--yes');
    repository.git('branch', '-D', 'feat');
    const undone = await run('undo', id, '--update-checkout', '--yes');
    expect(undone.stdout).toContain(`git branch kept-undone refs/joinery/kept/${id}/undone`);
    expect(repository.git('show', `refs/joinery/kept/${id}/undone:b.txt`)).toBe('only here');
  }, 60_000);

  test('a worktree that this process stands in, or whose work cannot become a commit, stays', async () => {
    const { repo, bench, run } = await ran([task('a')], [{ task: 'a', do: [{ exit: 'limit' }] }]);
    const path = leftBehind(repo, bench, run);
    bench.close();
    const env = { JOINERY_STATE_DIR: repo.stateDir, JOINERY_CACHE_DIR: `${repo.stateDir}-cache` };
    const inside = await joinery(['prune', run, '--yes'], { cwd: path, env });
    expect({ code: inside.code, stderr: inside.stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('this process was started in it'),
    });
    mkdirSync(join(path, 'inner'));
    new GitRepository({ dir: join(path, 'inner') }).git('init', '-q', '.');
    new GitRepository({ dir: join(path, 'inner') }).commit({ 'x.txt': 'x\n' });
    const nested = await call(repo, 'prune', run, '--yes');
    expect({ code: nested.code, stderr: nested.stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has a repository of its own in inner'),
    });
    expect(readdirSync(path)).toContain('untracked.txt');
    expect((await call(repo, 'status', run)).code).not.toBe(3);
  }, 60_000);

  test('what is saved already is not saved twice, and files that are only missing are no work', async () => {
    const { repo, bench, run } = await ran([task('a')], [writes('a', 'a.txt')]);
    const path = join(bench.runs.folders.worktrees(run), 'holder-1', 'a');
    repo.git('worktree', 'add', '-q', '--no-checkout', '--detach', path, 'main');
    bench.close();
    const report = RunReport.parse(JSON.parse((await call(repo, 'status', run, '--json')).stdout));
    repo.git('merge', '-q', report.tasks[0]?.branch ?? '');
    const { stdout } = await call(repo, 'prune', run, '--yes', '--json');
    expect(PruneReport.parse(JSON.parse(stdout)).saved).toEqual([]);
    expect(kept(repo)).toEqual([]);
  }, 60_000);
});
