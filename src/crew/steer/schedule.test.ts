import { describe, expect, test } from 'vitest';
import { type RunState, stateOf, stepOf } from '#crew/state/state.ts';
import { Plan } from '#schema/plan.ts';
import { defaultSettings, type StepStatus } from '#schema/run.ts';
import { shouldHalt, startOrder, tasksToStart } from './schedule.ts';

interface Sketch {
  readonly id: string;
  readonly dependsOn?: string[];
  readonly files?: string[];
}

function planOf(tasks: readonly Sketch[]): Plan {
  return Plan.parse({ schema: 'joinery/plan@1', tasks: tasks.map((task) => ({ title: task.id, ...task })) });
}

function runOf(tasks: readonly Sketch[], statuses: Record<string, StepStatus> = {}, parallel = 10): RunState {
  const settings = { ...defaultSettings, parallel };
  const created = {
    plan: planOf(tasks),
    base: 'b'.repeat(40),
    baseRef: 'main',
    integration: 'i',
    branches: {},
    settings,
  };
  const state = stateOf(created, '2030-01-01T00:00:00.000Z');
  for (const [id, status] of Object.entries(statuses)) stepOf(state, id).status = status;
  return state;
}

function toStart(state: RunState, inFlight: string[] = []): string[] {
  return tasksToStart(state, startOrder(state.plan), new Set(inFlight));
}

describe('the order of work', () => {
  test('starts with the longest path, then follows the plan', () => {
    const plan = planOf([
      { id: 'short' },
      { id: 'leaf', dependsOn: ['middle'] },
      { id: 'middle', dependsOn: ['root'] },
      { id: 'root' },
      { id: 'other' },
    ]);
    expect(startOrder(plan)).toEqual(['root', 'middle', 'short', 'leaf', 'other']);
  });

  test('starts what is ready, up to the limit', () => {
    const state = runOf([{ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'd', dependsOn: ['a'] }], {}, 2);
    expect(toStart(state)).toEqual(['a', 'b']);
    expect(toStart(state, ['a'])).toEqual(['b']);
    expect(toStart(state, ['a', 'b'])).toEqual([]);
  });

  test('continues unfinished tasks before it starts new ones', () => {
    expect(
      toStart(runOf([{ id: 'a' }, { id: 'b' }, { id: 'c' }], { b: 'checking', c: 'revising' }, 2)),
    ).toEqual(['b', 'c']);
  });

  test('starts nothing new in a halted run, but lets running tasks finish', () => {
    const state = runOf([{ id: 'a' }, { id: 'b' }], { b: 'submitted' });
    state.isHalted = true;
    expect(toStart(state)).toEqual(['b']);
  });
});

describe('tasks that share files', () => {
  test.each([
    ['the same file', ['src/a.ts'], ['src/a.ts']],
    ['another spelling', ['src/a.ts'], ['./src//A.ts']],
    ['a folder and a file in it', ['src/'], ['src/deep/a.ts']],
    ['a file and the folder around it', ['src/deep/a.ts'], ['src']],
  ])('wait for each other: %s', (_name, one, two) => {
    const state = runOf([
      { id: 'a', files: one },
      { id: 'b', files: two },
    ]);
    expect(toStart(state)).toEqual(['a']);
    expect(toStart(state, ['a'])).toEqual([]);
  });

  test('do not delay tasks whose files only look alike', () => {
    expect(
      toStart(
        runOf([
          { id: 'a', files: ['src/ab.ts'] },
          { id: 'b', files: ['src/a'] },
        ]),
      ),
    ).toEqual(['a', 'b']);
  });
});

describe('the halt rule', () => {
  const many = (count: number) => Array.from({ length: count }, (_, n) => ({ id: `t${n}` }));
  const set = (status: StepStatus, from: number, to: number) =>
    Object.fromEntries(Array.from({ length: to - from }, (_, n) => [`t${from + n}`, status]));
  const isHalting = (state: RunState) => shouldHalt(state) !== null;

  test('does not stop three tasks because one or two failed', () => {
    expect(isHalting(runOf(many(3), set('failed', 0, 1)))).toBe(false);
    expect(isHalting(runOf(many(3), set('failed', 0, 2)))).toBe(false);
  });

  test('stops fifty tasks if the first three fail, not if three of forty do', () => {
    expect(isHalting(runOf(many(50), set('failed', 0, 3)))).toBe(true);
    expect(isHalting(runOf(many(50), { ...set('accepted', 0, 37), ...set('failed', 37, 40) }))).toBe(false);
  });

  test('has nothing to stop if nothing is left to start, and stays waived once a person decided to continue', () => {
    expect(isHalting(runOf(many(3), set('failed', 0, 3)))).toBe(false);
    const waived = runOf(many(50), set('failed', 0, 9));
    waived.isHaltWaived = true;
    expect(isHalting(waived)).toBe(false);
  });
});
