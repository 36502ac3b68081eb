import { describe, expect, test } from 'vitest';
import { Plan } from '#schema/plan.ts';
import { judgeDecomposition } from './gate.ts';
import { type CodeReading, emptyReading } from './reading.ts';

const limits = { warnLines: 3000, failLines: 6000 };

function plan(...tasks: object[]): Plan {
  return Plan.parse({
    schema: 'joinery/plan@1',
    tasks: tasks.map((task) => ({ title: 'A task', ...task })),
  });
}

function code(lines: Record<string, number>, uses: CodeReading['uses'] = []): CodeReading {
  const paths = Object.keys(lines);
  return { ...emptyReading, existing: Object.fromEntries(paths.map((path) => [path, [path]])), lines, uses };
}

describe('task size', () => {
  test.each([
    [2999, []],
    [3000, []],
    [3001, ['warn']],
    [5999, ['warn']],
    [6000, ['fail']],
  ])('%i lines', (lines, expected) => {
    const { findings } = judgeDecomposition(
      plan({ id: 'a', files: ['a.ts'] }),
      code({ 'a.ts': lines }),
      limits,
    );
    expect(findings.map(({ status }) => status)).toEqual(expected);
  });

  test('counts a file once, however many declarations cover it, and no new files', () => {
    const reading = {
      ...code({ 'src/a.ts': 2000 }),
      existing: { 'src/': ['src/a.ts'], 'src/a.ts': ['src/a.ts'] },
    };
    const cut = plan({ id: 'a', files: ['src/', 'src/a.ts', 'src/new.ts'] });
    expect(judgeDecomposition(cut, reading, limits).findings).toEqual([]);
  });
});

describe('a file of two tasks', () => {
  test('fails without a dependency, whichever way it is declared', () => {
    for (const [mine, theirs] of [
      ['src/a.ts', 'src/a.ts'],
      ['src/', 'src/a.ts'],
      ['src/a.ts', './src'],
    ]) {
      const { findings } = judgeDecomposition(
        plan({ id: 'x', files: [mine] }, { id: 'y', files: [theirs] }),
        emptyReading,
        limits,
      );
      expect(findings).toMatchObject([{ check: 'shared-file', status: 'fail', tasks: ['x', 'y'] }]);
    }
  });

  test('passes with a dependency, even an indirect one', () => {
    const cut = plan(
      { id: 'x', files: ['a.ts'] },
      { id: 'between', files: ['b.ts'], dependsOn: ['x'] },
      { id: 'y', files: ['a.ts'], dependsOn: ['between'] },
    );
    expect(judgeDecomposition(cut, emptyReading, limits).findings).toEqual([]);
  });

  test('names with a common beginning are two files', () => {
    const cut = plan({ id: 'x', files: ['src/a'] }, { id: 'y', files: ['src/ab.ts'] });
    expect(judgeDecomposition(cut, emptyReading, limits).findings).toEqual([]);
  });
});

describe('a symbol that one task changes and another uses', () => {
  const reading = code({ 'user.ts': 10, 'api.ts': 10 }, [{ from: 'api.ts', to: 'user.ts', names: ['User'] }]);

  test('gets the missing dependency, and a finding says so', () => {
    const { plan: repaired, findings } = judgeDecomposition(
      plan({ id: 'api', files: ['api.ts'] }, { id: 'user', files: ['user.ts'] }),
      reading,
      limits,
    );
    expect(repaired.tasks.map(({ id, dependsOn }) => [id, dependsOn])).toEqual([
      ['api', ['user']],
      ['user', []],
    ]);
    expect(findings).toMatchObject([{ status: 'repaired', tasks: ['user', 'api'] }]);
    expect(findings[0]?.message).toContain('user.ts#User');
  });

  test('is left alone where one task already depends on the other', () => {
    const cut = plan(
      { id: 'api', files: ['api.ts'] },
      { id: 'user', files: ['user.ts'], dependsOn: ['api'] },
    );
    expect(judgeDecomposition(cut, reading, limits)).toEqual({ plan: cut, findings: [] });
  });

  test('is left alone where the task declares that it changes something else', () => {
    const cut = plan(
      { id: 'api', files: ['api.ts'] },
      { id: 'user', files: ['user.ts'], changes: ['user.ts#formatName'] },
    );
    expect(judgeDecomposition(cut, reading, limits).findings).toEqual([]);
    const member = plan(
      { id: 'api', files: ['api.ts'] },
      { id: 'user', files: ['user.ts'], changes: ['user.ts#User.name'] },
    );
    expect(judgeDecomposition(member, reading, limits).findings).toHaveLength(1);
  });

  test('used both ways gets one dependency, so that there is no cycle', () => {
    const both = code({ 'user.ts': 1, 'api.ts': 1 }, [
      { from: 'api.ts', to: 'user.ts', names: ['User'] },
      { from: 'user.ts', to: 'api.ts', names: ['serve'] },
    ]);
    const { plan: repaired } = judgeDecomposition(
      plan({ id: 'api', files: ['api.ts'] }, { id: 'user', files: ['user.ts'] }),
      both,
      limits,
    );
    expect(repaired.tasks.map(({ dependsOn }) => dependsOn)).toEqual([[], ['api']]);
  });

  test('used both ways orders the tasks so that fewer uses have to follow', () => {
    const both = code({ 'user.ts': 1, 'api.ts': 1 }, [
      { from: 'api.ts', to: 'user.ts', names: ['User', 'Group', 'Role'] },
      { from: 'user.ts', to: 'api.ts', names: ['serve'] },
    ]);
    const { plan: repaired, findings } = judgeDecomposition(
      plan({ id: 'api', files: ['api.ts'] }, { id: 'user', files: ['user.ts'] }),
      both,
      limits,
    );
    expect(repaired.tasks.map(({ dependsOn }) => dependsOn)).toEqual([['user'], []]);
    expect(findings[0]?.message).toContain('user uses what api changes');
  });

  test('in a chain of three needs no dependency that is already implied', () => {
    const chain = code({ 'a.ts': 1, 'b.ts': 1, 'c.ts': 1 }, [
      { from: 'b.ts', to: 'a.ts', names: ['A'] },
      { from: 'c.ts', to: 'b.ts', names: ['B'] },
    ]);
    const { plan: repaired } = judgeDecomposition(
      plan({ id: 'a', files: ['a.ts'] }, { id: 'b', files: ['b.ts'] }, { id: 'c', files: ['c.ts'] }),
      chain,
      limits,
    );
    expect(repaired.tasks.map(({ dependsOn }) => dependsOn)).toEqual([[], ['a'], ['b']]);
  });
});
