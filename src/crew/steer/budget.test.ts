import { describe, expect, test } from 'vitest';
import type { AgentDriver } from '#agents/driver.ts';
import { driveRun } from '#crew/run-plan.ts';
import { costOfRun } from '#crew/state/cost.ts';
import { raisedBudget } from '#crew/state/ledger.ts';
import { reportOf } from '#crew/state/report.ts';
import { openQuestions } from '#crew/state/state.ts';
import { defaultLimits, type RunSettings } from '#schema/run.ts';
import { noBudget, noSpending } from '#schema/spending.ts';
import { type Bench, openBench, task, writes } from '#test/support/engine-bench.ts';
import { makeRepo } from '#test/support/engine-repo.ts';

/** Spends, then works longer than any test waits, unless it is ended. */
const spender = (id: string, usd: number, more: object = {}) => ({
  task: id,
  do: [{ usage: { in: 100, out: 10, usd } }, { sleepMs: 60_000 }, { write: { path: id, content: id } }],
  ...more,
});

const spends = (id: string, usd: number, more: object = {}) => ({
  task: id,
  do: [{ usage: { in: 100, out: 10, usd } }, { write: { path: `${id}.txt`, content: id } }],
  ...more,
});

const dollars = (usd: number): Partial<RunSettings> => ({ budget: { usd, tokens: null } });

const types = (bench: Bench, run: string) => [...bench.workshop.engine.read(run)].map(({ type }) => type);

describe('a budget', () => {
  test('warns once at 80 %', async () => {
    const bench = await openBench(makeRepo(), { attempts: [spends('a', 0.85), spends('b', 0.1)] });
    const run = bench.start({ tasks: [task('a'), task('b', { dependsOn: ['a'] })] }, dollars(1));
    const state = await bench.drive(run);
    expect(state.status).toBe('done');
    expect(types(bench, run).filter((type) => type === 'run.warned')).toHaveLength(1);
    expect(types(bench, run)).not.toContain('run.overspent');
    bench.close();
  });

  test('that is used up ends running agents and asks, on autopilot too', async () => {
    const bench = await openBench(makeRepo(), { attempts: [spender('a', 0.7), spender('b', 0.7)] });
    const run = bench.start(
      { tasks: [task('a'), task('b'), task('c', { dependsOn: ['a'] })] },
      { ...dollars(1), autonomy: 'autopilot' },
    );
    const state = await bench.drive(run);
    expect(state.status).toBe('awaiting_human');
    expect(reportOf(run, state)).toMatchObject({ exitCode: 2, cost: { usd: 1.4, tokens: 220 } });
    expect(openQuestions(state)).toMatchObject([
      {
        kind: 'budget',
        default: 'stop',
        options: [{ value: 'raise', effect: 'go on with a budget of $2.00' }, {}],
      },
    ]);
    expect([...state.steps.values()].map(({ attempts }) => attempts[0]?.outcome)).toEqual([
      'interrupted',
      'interrupted',
      undefined,
    ]);
    expect((await bench.drive(run)).status).toBe('awaiting_human');
    expect(types(bench, run).filter((type) => type === 'attempt.started')).toHaveLength(2);
    bench.close();
  });

  test('that ends an attempt keeps what it had written', async () => {
    const repo = makeRepo();
    const written = { write: { path: 'half.txt', content: 'half' } };
    const spent = { usage: { in: 100, out: 10, usd: 3 } };
    const bench = await openBench(repo, {
      attempts: [{ task: 'a', do: [written, spent, { sleepMs: 60_000 }] }],
    });
    const run = bench.start({ tasks: [task('a')] }, dollars(1));
    const state = await bench.drive(run);
    expect(state.steps.get('a')?.attempts[0]).toMatchObject({ outcome: 'interrupted' });
    expect(repo.git('show', `refs/joinery/${run}/kept/a/1:half.txt`)).toBe('half');
    bench.close();
  });

  test('counts tokens as well', async () => {
    const bench = await openBench(makeRepo(), { attempts: [spender('a', 0)] });
    const run = bench.start({ tasks: [task('a')] }, { budget: { usd: null, tokens: 110 } });
    expect((await bench.drive(run)).isOverspent).toBe(true);
    bench.close();
  });

  test('that a person raises lets the run continue; what was spent stays spent', async () => {
    const bench = await openBench(makeRepo(), {
      attempts: [spender('a', 1, { n: 1 }), spends('a', 0.25, { n: 2 })],
    });
    // An attempt that we end does not count as a round: the same script would play again.
    const inner = bench.workshop.driver('scripted');
    let plays = 0;
    const driver: AgentDriver = {
      ...inner,
      play: (request, doors) => inner.play({ ...request, round: ++plays }, doors),
    };
    const workshop = { ...bench.workshop, driver: () => driver };
    const control = { stop: new AbortController().signal, holder: 'test' };
    const run = bench.start({ tasks: [task('a')] }, dollars(1));
    const [question] = openQuestions(await driveRun(workshop, run, control));
    bench.workshop.engine.signal(run, {
      id: '1',
      name: 'answer',
      payload: { question: question?.id ?? '', answer: 'raise' },
    });
    const state = await driveRun(workshop, run, control);
    expect(state).toMatchObject({ status: 'done', budget: { usd: 2, tokens: null } });
    expect(costOfRun(run, state)).toMatchObject({
      total: { usd: 1.25, tokens: 220 },
      tasks: [
        {
          usd: 1.25,
          attempts: [
            { usd: 1, outcome: 'interrupted' },
            { usd: 0.25, outcome: 'ok' },
          ],
        },
      ],
      budget: { share: 0.625 },
    });
    bench.close();
  });

  test('that a person names answers the question; one below what is spent asks again', async () => {
    const bench = await openBench(makeRepo(), { attempts: [spender('a', 3)] });
    const run = bench.start({ tasks: [task('a')] }, dollars(1));
    await bench.drive(run);
    bench.workshop.engine.signal(run, { id: '1', name: 'budget', payload: { usd: 2, tokens: null } });
    const state = await bench.drive(run);
    expect([...state.questions.values()].map(({ answer }) => answer)).toEqual(['raise', null]);
    expect(state.status).toBe('awaiting_human');
    bench.close();
  });

  test('can end the run', async () => {
    const bench = await openBench(makeRepo(), { attempts: [spender('a', 3), writes('b', 'b.txt')] });
    const run = bench.start({ tasks: [task('a')] }, dollars(1));
    const [question] = openQuestions(await bench.drive(run));
    bench.workshop.engine.signal(run, {
      id: '1',
      name: 'answer',
      payload: { question: question?.id ?? '', answer: 'stop' },
    });
    const state = await bench.drive(run);
    expect(state).toMatchObject({ status: 'failed', reason: 'stopped' });
    expect(reportOf(run, state).exitCode).toBe(2);
    bench.close();
  });

  test('in dollars does not ignore tokens without a price', async () => {
    const bench = await openBench(makeRepo(), { attempts: [spends('a', 0)] });
    const run = bench.start({ tasks: [task('a')] }, dollars(1));
    const state = await bench.drive(run);
    expect(state.degraded).toEqual([expect.stringContaining('price of a model without a name is unknown')]);
    expect(costOfRun(run, state).total).toMatchObject({ usd: 0, unpriced: 110 });
    bench.close();
  });

  test('in dollars that cannot be enforced asks a person before more is spent', async () => {
    const bench = await openBench(makeRepo(), { attempts: [spends('a', 0), spends('b', 0)] });
    const run = bench.start({ tasks: [task('a'), task('b', { dependsOn: ['a'] })] }, dollars(1));
    const state = await bench.drive(run);
    const [question] = openQuestions(state);
    expect(question?.text).toContain('so the budget in dollars cannot be kept');
    expect(state.steps.get('b')?.attempts).toEqual([]);
    bench.close();
  });

  test('of one attempt in dollars does not ignore them either', async () => {
    const bench = await openBench(makeRepo(), { attempts: [spends('a', 0)] });
    const run = bench.start({ tasks: [task('a')] }, { limits: { ...defaultLimits, usd: 1 } });
    expect((await bench.drive(run)).degraded).toEqual([
      expect.stringContaining('towards a limit in dollars'),
    ]);
    const free = bench.start({ tasks: [task('a')] });
    expect((await bench.drive(free)).degraded).toEqual([]);
    bench.close();
  });

  test('in dollars accepts an agent that reports its cost at the end', async () => {
    const tokens = { usage: { in: 100, out: 10, usd: 0 } };
    const cost = { usage: { in: 0, out: 0, usd: 0.25 } };
    const work = { write: { path: 'a.txt', content: 'a' } };
    const bench = await openBench(makeRepo(), { attempts: [{ task: 'a', do: [tokens, work, cost] }] });
    const run = bench.start({ tasks: [task('a')] }, dollars(1));
    const state = await bench.drive(run);
    expect(state.degraded).toEqual([]);
    expect(costOfRun(run, state).total).toMatchObject({ usd: 0.25, unpriced: 0 });
    bench.close();
  });
});

describe('a raised budget', () => {
  const settings = { budget: { usd: 5, tokens: null } } as RunSettings;
  const raised = (usd: number, limit: number) =>
    raisedBudget({ settings, budget: { usd: limit, tokens: null }, usage: { ...noSpending(), usd } }).usd;

  test('adds the initial budget until it exceeds what is spent', () => {
    expect(raised(5, 5)).toBe(10);
    expect(raised(10.5, 10)).toBe(15);
    expect(raised(17, 5)).toBe(20);
    expect(raisedBudget({ settings, budget: noBudget, usage: noSpending() })).toEqual(noBudget);
  });
});
