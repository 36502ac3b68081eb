import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { takeOverSignals } from '#crew/run-plan.ts';
import { openBench, task, writes } from '#test/support/engine-bench.ts';
import { makeRepo } from '#test/support/engine-repo.ts';
import { planPrune, prune } from './prune.ts';

const denied = { task: 'b', n: 1, do: [{ exit: 'denied' }] };
const plan = { tasks: [task('a'), task('b', { dependsOn: ['a'] })] };

describe('when a run is resumed', () => {
  test('foreign commits on its integration branch are kept under a ref and reported', async () => {
    const repo = makeRepo();
    const bench = await openBench(repo, { attempts: [writes('a', 'a.txt'), denied] });
    const run = bench.start(plan);
    const before = await bench.drive(run);
    const branch = `joinery/${run}/integration`;
    const foreign = repo.git('commit-tree', '-p', branch, '-m', 'by hand', `${branch}^{tree}`);
    repo.git('update-ref', `refs/heads/${branch}`, foreign);
    const state = await bench.drive(run);
    expect(repo.git('rev-parse', branch)).toBe(before.integration.commit);
    expect(state.degraded).toEqual([expect.stringContaining(foreign)]);
    expect(repo.git('rev-list', '--all')).toContain(foreign);
    bench.close();
  });

  test('leftover processes of its attempts are ended, those of others are not', async () => {
    const repo = makeRepo();
    const bench = await openBench(repo, { attempts: [writes('a', 'a.txt'), denied] });
    const run = bench.start(plan);
    const sleeper = (mark: string) => {
      const child = spawn('sleep', ['1000'], { env: { ...process.env, JOINERY_ATTEMPT: mark } });
      onTestFinished(() => void child.kill('SIGKILL'));
      return child;
    };
    const ours = sleeper(`${run}/a/1#cafe`);
    const others = sleeper(`${run}x/a/1#cafe`);
    const ended = new Promise((resolve) => ours.once('exit', (_, signal) => resolve(signal)));
    await bench.drive(run);
    expect(await ended).toBe('SIGTERM');
    expect(others.exitCode ?? others.signalCode).toBeNull();
    bench.close();
  });

  test.each(['cancelled', 'pruned'])('leftover gates end when it is %s', async (how) => {
    const repo = makeRepo();
    const bench = await openBench(repo, { attempts: [writes('a', 'a.txt'), denied] });
    const run = bench.start(plan);
    await bench.drive(run);
    const { engine } = bench.runs;
    // The mark of every program of an attempt: its agent, its gates, and gates of the base for it.
    const env = { ...process.env, JOINERY_ATTEMPT: `${run}/b/1#cafe` };
    const gate = spawn('sleep', ['1000'], { env });
    onTestFinished(() => void gate.kill('SIGKILL'));
    const ended = new Promise((resolve) => gate.once('exit', (_, signal) => resolve(signal)));
    if (how === 'pruned')
      await prune(bench.workshop, engine, await planPrune(bench.workshop, engine, [run], true));
    else {
      engine.signal(run, { id: 'c', name: 'cancel', payload: null });
      await takeOverSignals(bench.workshop, run, 'test');
    }
    expect(await ended).toMatch(/^SIG(TERM|KILL)$/);
    bench.close();
  });

  test('a deleted integration branch is created again', async () => {
    const repo = makeRepo();
    const bench = await openBench(repo, { attempts: [writes('a', 'a.txt'), denied] });
    const run = bench.start(plan);
    const before = await bench.drive(run);
    repo.git('update-ref', '-d', `refs/heads/joinery/${run}/integration`);
    await bench.drive(run);
    expect(repo.git('rev-parse', `joinery/${run}/integration`)).toBe(before.integration.commit);
    bench.close();
  });

  test('worktrees of ended or unknown runs are removed, those of others stay', async () => {
    const repo = makeRepo();
    const bench = await openBench(repo, { attempts: [writes('a', 'a.txt')] });
    const done = bench.start({ tasks: [task('a')] });
    await bench.drive(done);
    const open = bench.start({ tasks: [task('a')] });
    const folder = (run: string) => bench.runs.folders.worktrees(run);
    for (const run of [done, open, 'forgotten']) mkdirSync(join(folder(run), 'x'), { recursive: true });
    repo.git('worktree', 'add', '--quiet', '--lock', '--detach', join(folder(done), 'y'));
    repo.git('worktree', 'add', '--quiet', '--detach', join(folder('gone'), 'z'));
    rmSync(folder('gone'), { recursive: true });
    const unplugged = join(repo.stateDir, '..', 'unplugged');
    repo.git('worktree', 'add', '--quiet', '--detach', unplugged);
    rmSync(unplugged, { recursive: true });
    await bench.drive(bench.start({ tasks: [task('a')] }));
    expect([done, open, 'forgotten'].map((run) => existsSync(folder(run)))).toEqual([false, true, false]);
    const left = repo.git('worktree', 'list').split('\n');
    expect(left).toHaveLength(2);
    expect(left[1]).toContain('unplugged');
    bench.close();
  });
});
