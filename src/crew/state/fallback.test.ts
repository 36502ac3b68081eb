import { describe, expect, test } from 'vitest';
import { AgentConfig } from '#schema/agent.ts';
import { openBench, task, writes } from '#test/support/engine-bench.ts';
import { makeRepo } from '#test/support/engine-repo.ts';
import { openQuestions } from './state.ts';

const models = { strong: 'big', standard: 'middle', fast: 'small' };
const settingsWith = (given: Partial<typeof models>) => ({
  agents: { scripted: AgentConfig.parse({ models: given }) },
  mcpServers: {},
});
const fails = (id: string, outcome: string, more: object = {}) => ({
  task: id,
  do: [{ exit: outcome }],
  ...more,
});

describe('when the model fails', () => {
  test('the next attempt uses the next smaller model that differs', async () => {
    const bench = await openBench(
      makeRepo(),
      { attempts: [fails('a', 'api_error', { n: 1 }), fails('a', 'limit', { n: 2 }), writes('a', 'a.txt')] },
      { agentSettings: settingsWith(models) },
    );
    const run = bench.start({ tasks: [task('a', { tier: 'strong' })] });
    const state = await bench.drive(run);
    expect(state.status).toBe('done');
    expect(state.steps.get('a')?.attempts.map(({ tier, model }) => [tier, model])).toEqual([
      ['strong', 'big'],
      ['standard', 'middle'],
      ['fast', 'small'],
    ]);
    bench.close();
  });

  test('tiers without a model, or with the same one, are skipped', async () => {
    const bench = await openBench(
      makeRepo(),
      { attempts: [fails('a', 'api_error')] },
      { agentSettings: settingsWith({ strong: 'big', standard: 'big' }) },
    );
    const run = bench.start({ tasks: [task('a', { tier: 'strong' })] });
    const state = await bench.drive(run);
    expect(state.steps.get('a')?.attempts.map(({ tier }) => tier)).toEqual(['strong', 'strong']);
    expect(state.status).toBe('failed');
    bench.close();
  });

  test('other failures keep the model', async () => {
    const bench = await openBench(
      makeRepo(),
      { attempts: [fails('a', 'crashed', { n: 1 }), writes('a', 'a.txt')] },
      { agentSettings: settingsWith(models) },
    );
    const state = await bench.drive(bench.start({ tasks: [task('a')] }));
    expect(state.steps.get('a')?.attempts.map(({ tier }) => tier)).toEqual(['standard', 'standard']);
    bench.close();
  });

  test('the run halts if there is no smaller one, and asks before it starts more', async () => {
    const scenario = { attempts: [fails('a', 'api_error'), writes('b', 'b.txt'), writes('c', 'c.txt')] };
    const bench = await openBench(makeRepo(), scenario);
    const run = bench.start({ tasks: [task('a'), task('b'), task('c')] }, { parallel: 1 });
    const state = await bench.drive(run);
    expect([...state.steps.values()].map(({ status }) => status)).toEqual(['failed', 'ready', 'ready']);
    expect(openQuestions(state)).toMatchObject([
      { kind: 'halt', text: expect.stringContaining('no smaller model') },
    ]);
    bench.close();
    const free = await openBench(makeRepo(), scenario);
    const other = free.start({ tasks: [task('a'), task('b'), task('c')] }, { parallel: 1, fallback: 'none' });
    expect([...(await free.drive(other)).steps.values()].map(({ status }) => status)).toEqual([
      'failed',
      'accepted',
      'accepted',
    ]);
    free.close();
  });
});
