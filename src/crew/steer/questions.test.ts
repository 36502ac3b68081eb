import { describe, expect, test } from 'vitest';
import { takeOverSignals } from '#crew/run-plan.ts';
import { openQuestions } from '#crew/state/state.ts';
import { openBench, task, writes } from '#test/support/engine-bench.ts';
import { makeRepo } from '#test/support/engine-repo.ts';

const denied = (id: string) => ({ task: id, do: [{ exit: 'denied' }] });

describe('a question', () => {
  test('takes its default when it expires', async () => {
    const clock = { at: Date.now() };
    const bench = await openBench(makeRepo(), { attempts: [denied('a')] }, { now: () => clock.at });
    const run = bench.start({ tasks: [task('a')] }, { questionDeadlineMs: 60_000 });
    expect((await bench.drive(run)).status).toBe('awaiting_human');
    clock.at += 60_001;
    const state = await bench.drive(run);
    expect(state.status).toBe('failed');
    const answers = [...bench.workshop.engine.read(run)].filter(({ type }) => type === 'question.answered');
    expect(answers.map(({ data }) => data)).toEqual([{ id: 'a-1', answer: 'leave', by: 'deadline' }]);
    bench.close();
  });

  test('does not stop the rest of the run', async () => {
    const bench = await openBench(makeRepo(), {
      attempts: [denied('a'), writes('b', 'b.txt'), writes('c', 'c.txt')],
    });
    const run = bench.start(
      { tasks: [task('a'), task('b'), task('c', { dependsOn: ['b'] })] },
      { parallel: 1 },
    );
    const state = await bench.drive(run);
    expect([...state.steps.values()].map(({ status }) => status)).toEqual([
      'escalated',
      'accepted',
      'accepted',
    ]);
    expect(state.status).toBe('awaiting_human');
    bench.close();
  });

  test('can end the run', async () => {
    const bench = await openBench(makeRepo(), { attempts: [denied('a')] });
    const run = bench.start({ tasks: [task('a'), task('b', { dependsOn: ['a'] })] });
    await bench.drive(run);
    bench.workshop.engine.signal(run, {
      id: '1',
      name: 'answer',
      payload: { question: 'a-1', answer: 'stop' },
    });
    const state = await takeOverSignals(bench.workshop, run, 'test');
    expect(state.status).toBe('failed');
    expect([...state.steps.values()].map(({ status }) => status)).toEqual(['escalated', 'skipped']);
    bench.close();
  });

  test('answered twice counts once, and an unknown answer not at all', async () => {
    const bench = await openBench(makeRepo(), { attempts: [denied('a')] });
    const run = bench.start({ tasks: [task('a')] });
    await bench.drive(run);
    const send = (id: string, answer: string) =>
      bench.workshop.engine.signal(run, { id, name: 'answer', payload: { question: 'a-1', answer } });
    for (const [id, answer] of [
      ['1', 'nonsense'],
      ['2', 'leave'],
      ['3', 'stop'],
    ] as const)
      send(id, answer);
    bench.workshop.engine.signal(run, { id: '4', name: 'unheard-of', payload: null });
    const state = await takeOverSignals(bench.workshop, run, 'test');
    expect(state.questions.get('a-1')?.answer).toBe('leave');
    bench.close();
  });
});

describe('a run with too many failures', () => {
  const plan = { tasks: ['a', 'b', 'c', 'd', 'e'].map((id) => task(id)) };

  test('halts, asks, and continues if a person says so', async () => {
    const bench = await openBench(makeRepo(), { attempts: [writes('d', 'd.txt'), writes('e', 'e.txt')] });
    const run = bench.start(plan, { parallel: 1 });
    const halted = await bench.drive(run);
    expect(halted.status).toBe('awaiting_human');
    const [question] = openQuestions(halted);
    expect(question).toMatchObject({
      kind: 'halt',
      default: 'stop',
      options: [{ value: 'continue' }, { value: 'stop' }],
    });
    expect(question?.evidence).toHaveLength(3);
    bench.workshop.engine.signal(run, {
      id: '1',
      name: 'answer',
      payload: { question: question?.id ?? '', answer: 'continue' },
    });
    const state = await bench.drive(run);
    expect([...state.steps.values()].map(({ status }) => status)).toEqual([
      'failed',
      'failed',
      'failed',
      'accepted',
      'accepted',
    ]);
    bench.close();
  });

  test('ends on autopilot, and lists what was not tried', async () => {
    const bench = await openBench(makeRepo(), { attempts: [] });
    const run = bench.start(plan, { parallel: 1, autonomy: 'autopilot' });
    const state = await bench.drive(run);
    expect(state.status).toBe('failed');
    expect([...state.steps.values()].map(({ status }) => status)).toEqual([
      'failed',
      'failed',
      'failed',
      'skipped',
      'skipped',
    ]);
    bench.close();
  });
});
