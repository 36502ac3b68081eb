import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CostReport } from '#schema/cost-report.ts';
import { RunReport } from '#schema/run.ts';
import { task } from '../support/engine-bench.ts';
import type { ChildOrder } from '../support/engine-child.ts';
import { runChild } from '../support/engine-process.ts';
import { makeRepo } from '../support/engine-repo.ts';
import { joinery } from '../support/joinery.ts';

const usage = { in: 1000, out: 100, usd: 0.5 };
const spends = (id: string, more: object = {}) => ({
  task: id,
  do: [{ usage }, { write: { path: `${id}.txt`, content: id } }],
  ...more,
});

function crew(attempts: object[]) {
  const repo = makeRepo();
  const outside = join(repo.stateDir, '..');
  const file = (name: string, content: object) => {
    writeFileSync(join(outside, name), JSON.stringify(content));
    return join(outside, name);
  };
  const plan = file('plan.json', {
    schema: 'joinery/plan@1',
    tasks: [task('a'), task('b', { dependsOn: ['a'] })],
  });
  const scenario = file('scenario.json', { schema: 'joinery/scenario@1', attempts });
  const callIn =
    (more: Record<string, string>) =>
    (...args: string[]) =>
      joinery(args, { cwd: repo.dir, env: { JOINERY_STATE_DIR: repo.stateDir, ...more } });
  return {
    call: callIn({}),
    callIn,
    run: ['run', '--no-land', '--plan', plan, '--agent', 'scripted', '--scenario', scenario],
  };
}

describe('joinery cost', () => {
  test('fits into a narrow terminal', async () => {
    const { call, callIn, run } = crew([
      { task: 'a', n: 1, do: [{ usage }, { exit: 'crashed' }] },
      spends('a'),
      spends('b'),
    ]);
    expect((await call(...run)).code).toBe(0);
    const { stdout } = await callIn({ COLUMNS: '50' })('cost');
    expect(stdout.split('\n').filter(({ length }) => length > 50)).toEqual([]);
    expect(stdout).toMatch(/^ {2}#1 .* 0\.5000\n {4}crashed scripted/m);
    expect((await call('cost')).stdout).toMatch(/^ {2}#1 .* 0\.5000 {2}crashed scripted/m);
  });

  test('lists tokens and money by task and attempt', async () => {
    const { call, run } = crew([
      { task: 'a', n: 1, do: [{ usage }, { exit: 'crashed' }] },
      spends('a'),
      spends('b'),
    ]);
    expect((await call(...run)).code).toBe(0);
    const { code, stdout } = await call('cost', '--json');
    expect(code).toBe(0);
    const report = CostReport.parse(JSON.parse(stdout));
    expect(report).toMatchObject({
      schema: 'joinery/cost@1',
      budget: { usd: null, tokens: null, share: null },
      total: { in: 3000, out: 300, tokens: 3300, usd: 1.5, unpriced: 0 },
      tasks: [
        {
          id: 'a',
          usd: 1,
          attempts: [
            { n: 1, outcome: 'crashed' },
            { n: 2, outcome: 'ok', tokens: 1100 },
          ],
        },
        { id: 'b', usd: 0.5, attempts: [{ n: 1 }] },
      ],
    });
    const text = (await call('cost')).stdout;
    expect(text).toMatch(/^a +2\.0k +0 +200 +0 +0:0\d +1\.0000 {2}accepted$/m);
    expect(text).toMatch(/^total .* 1\.5000$/m);
    expect((await call('cost', 'zzz')).code).toBe(3);
  });

  test('of a run that hit its budget says so, and a higher one lets it continue', async () => {
    const { call, run } = crew([spends('a'), spends('b')]);
    const stopped = await call(...run, '--budget', '0.5', '--json');
    expect(stopped.code).toBe(2);
    expect(RunReport.parse(JSON.parse(stopped.stdout))).toMatchObject({
      status: 'awaiting_human',
      cost: { usd: 0.5 },
      budget: { usd: 0.5 },
      questions: [{ kind: 'budget' }],
    });
    expect((await call('cost')).stdout).toContain('100 % of the budget of $0.50 is spent.');
    expect((await call('resume')).code).toBe(2);
    const refused = await call('resume', '--budget', 'much', '--json');
    expect({ code: refused.code, error: JSON.parse(refused.stdout).error }).toMatchObject({
      code: 3,
      error: { code: 'bad-budget' },
    });
    expect((await call('resume', '--budget', '2')).code).toBe(0);
    // Whether the first agent was ended or had finished depends on milliseconds; it is charged either way.
    const { tasks, total, budget } = CostReport.parse(JSON.parse((await call('cost', '--json')).stdout));
    const attempts = tasks.reduce((sum, each) => sum + each.attempts.length, 0);
    expect([2, 3]).toContain(attempts);
    expect({ usd: total.usd, share: budget.share }).toEqual({ usd: attempts / 2, share: attempts / 4 });
  });

  test('an invalid budget is refused', async () => {
    const { call, run } = crew([]);
    const { code, stderr } = await call(...run, '--budget', '-1');
    expect({ code, stderr }).toMatchObject({ code: 3, stderr: expect.stringContaining('--budget') });
  });
});

describe('a run that is killed right after an agent spent something', () => {
  test('counts it, once', async () => {
    const repo = makeRepo();
    const order: ChildOrder = {
      dir: repo.dir,
      stateDir: repo.stateDir,
      witness: repo.witness,
      scenario: { attempts: [spends('a'), spends('b')] },
      plan: { tasks: [task('a'), task('b', { dependsOn: ['a'] })] },
    };
    const { points, report } = await runChild(order);
    expect(report?.cost).toMatchObject({ tokens: 2200, usd: 1 });
    const moments = points.flatMap((point, index) => (point === 'play: after usage' ? [index + 1] : []));
    expect(moments).toHaveLength(2);
    for (const crashAt of moments) {
      const again = makeRepo();
      const other = { ...order, dir: again.dir, stateDir: again.stateDir, witness: again.witness };
      const killed = await runChild({ ...other, crashAt });
      expect(killed.signal).toBe('SIGKILL');
      const resumed = await runChild({ ...other, run: killed.run });
      const plays = readFileSync(again.witness, 'utf8').match(/^begin/gm)?.length;
      expect(plays).toBe(3);
      expect(resumed.report?.cost).toMatchObject({ tokens: 3300, usd: 1.5 });
    }
  });
});
