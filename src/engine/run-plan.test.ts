import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openBench, task, writes } from '../../test/support/engine-bench.ts';
import { makeRepo } from '../../test/support/engine-repo.ts';
import { reportOf } from './report.ts';

describe('a run', () => {
  test('brings the work of a dependency to its dependant through the integration branch alone', async () => {
    const repo = makeRepo();
    const before = repo.git('rev-parse', 'main');
    const bench = await openBench(repo, {
      attempts: [
        writes('a', 'a.txt', 'one\n'),
        { task: 'b', do: [{ edit: { path: 'a.txt', find: 'one', replace: 'two' } }] },
      ],
    });
    const run = bench.start({
      tasks: [task('a', { files: ['a.txt'] }), task('b', { dependsOn: ['a'], files: ['a.txt'] })],
    });
    const state = await bench.drive(run);
    const report = reportOf(run, state);
    expect(report).toMatchObject({ status: 'done', exitCode: 0 });
    expect(report.tasks.map(({ status }) => status)).toEqual(['accepted', 'accepted']);
    expect(repo.git('show', `joinery/${run}/integration:a.txt`)).toBe('two');
    expect(repo.git('rev-parse', 'main')).toBe(before);
    expect(repo.git('status', '--porcelain')).toBe('');
    expect(repo.git('worktree', 'list').split('\n')).toHaveLength(1);
    expect(existsSync(bench.runs.folders.worktrees(run))).toBe(false);
    expect(readdirSync(join(repo.dir, '.git')).filter((name) => name.endsWith('.lock'))).toEqual([]);
    const seqs = [...bench.workshop.engine.read(run)].map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
    bench.close();
  });
});
