import { describe, expect, test } from 'vitest';
import { Plan, planProblems } from './plan.ts';

const plan = (tasks: { id: string; dependsOn?: string[] }[]) =>
  Plan.parse({ schema: 'joinery/plan@1', tasks: tasks.map((task) => ({ title: task.id, ...task })) });

describe('a plan', () => {
  test('that can run has no problems', () => {
    expect(planProblems(plan([{ id: 'a' }, { id: 'b', dependsOn: ['a'] }]))).toEqual([]);
  });

  test('with a cycle names the tasks in it, and only those', () => {
    const [problem] = planProblems(
      plan([
        { id: 'x', dependsOn: ['a'] },
        { id: 'a', dependsOn: ['b'] },
        { id: 'b', dependsOn: ['c'] },
        { id: 'c', dependsOn: ['a'] },
      ]),
    );
    expect(problem).toContain('a → b → c → a');
    expect(problem).not.toContain('x');
  });

  test('with a task that depends on itself is refused', () => {
    expect(planProblems(plan([{ id: 'a', dependsOn: ['a'] }]))).toEqual([expect.stringContaining('a → a')]);
  });

  test('names unknown dependencies and duplicate ids', () => {
    expect(planProblems(plan([{ id: 'a', dependsOn: ['ghost'] }, { id: 'a' }]))).toEqual([
      'task a is defined twice',
      'task a depends on ghost, which does not exist',
    ]);
  });

  test('of ten thousand tasks in a row does not overflow the stack', () => {
    const chain = Array.from({ length: 10_000 }, (_, n) => ({
      id: `t${n}`,
      dependsOn: n > 0 ? [`t${n - 1}`] : [],
    }));
    expect(planProblems(plan(chain.reverse()))).toEqual([]);
  });

  test.each(['', 'a b', 'a/b', 'x'.repeat(41), 'ä', '$(x)'])('refuses %j as an id', (id) => {
    expect(() => plan([{ id }])).toThrow();
  });

  test('ignores keys it does not know', () => {
    const parsed = Plan.parse({
      schema: 'joinery/plan@1',
      future: 1,
      tasks: [{ id: 'a', title: 'A', colour: 'red' }],
    });
    expect(parsed).not.toHaveProperty('future');
  });
});

test.each(['-dash', '__proto__', '.hidden', '_x'])('a task must not be called %s', (id) => {
  expect(planProblems(Plan.parse({ schema: 'joinery/plan@1', tasks: [{ id, title: 'x' }] }))).toEqual([
    `task id ${id} does not begin with a letter or a figure`,
  ]);
});
