import { expect, test } from 'vitest';
import { openBench, task } from '#test/support/engine-bench.ts';
import { makeRepo } from '#test/support/engine-repo.ts';
import { joinery } from '#test/support/joinery.ts';

test('a log with an event that is not allowed is damaged, and the other runs are listed', async () => {
  const repo = makeRepo({});
  const { workshop, start, close } = await openBench(repo, { attempts: [] });
  const good = start({ tasks: [task('a')] });
  workshop.engine.start('forged', [{ type: 'run.ended', data: { status: 'done', reason: 'forged' } }]);
  close();
  const env = { JOINERY_STATE_DIR: repo.stateDir };
  for (const command of ['questions', 'runs']) {
    const { code, stdout, stderr } = await joinery([command], { cwd: repo.dir, env });
    expect({ command, code, stderr }).toMatchObject({ code: 0 });
    if (command === 'runs') expect(stdout).toContain(good);
  }
  const named = await joinery(['status', 'forged'], { cwd: repo.dir, env });
  expect({ code: named.code, stderr: named.stderr }).toMatchObject({ code: 5 });
  expect(named.stderr).toContain('joinery prune forged --force');
});
