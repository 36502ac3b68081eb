import { describe, expect, test } from 'vitest';
import { type ConditionOperator, conditionOperators } from '#schema/workflow.ts';
import { holds, variablesOf } from './condition.ts';
import { checkShape } from './read-workflow.ts';

type Row = readonly [value: unknown, wanted: unknown, isTrue: boolean];

/** Per operator: value of the variable, operand, expected result. */
const table: Record<ConditionOperator, readonly Row[]> = {
  equals: [
    ['a', 'a', true],
    [' A ', 'a', true],
    ['a', 'b', false],
    ['3', 3, true],
    [3, '3', true],
    ['', 0, false],
    ['yes', true, true],
    [false, 'no', true],
    ['maybe', true, false],
    [undefined, null, true],
    [undefined, 'a', false],
    [[1], [1], false],
    [true, 1, false],
  ],
  not_equals: [
    ['a', 'b', true],
    ['a', 'A', false],
    [undefined, 'a', true],
  ],
  gt: [
    [2, 1, true],
    [1, 1, false],
    ['2', 1, false],
    [undefined, 1, false],
  ],
  gte: [
    [1, 1, true],
    [0, 1, false],
  ],
  lt: [
    [0, 1, true],
    [1, 1, false],
    [undefined, 1, false],
  ],
  lte: [
    [1, 1, true],
    [2, 1, false],
  ],
  contains: [
    ['Hello World', 'lo w', true],
    [['a', 'bc'], 'a,b', true],
    [undefined, 'a', false],
  ],
  startsWith: [
    [' Hello', 'he', true],
    ['Hello', 'lo', false],
  ],
  endsWith: [
    ['Hello ', 'LO', true],
    ['Hello', 'he', false],
  ],
  matches: [
    ['v12', '^V\\d+$', true],
    ['v', '^v\\d+$', false],
    ['a'.repeat(40), '^(a+)+b$', false],
  ],
  in: [
    ['B', ['a', 'b'], true],
    [3, ['3'], true],
    ['c', ['a', 'b'], false],
    [undefined, ['a'], false],
  ],
};

describe('conditions', () => {
  const rows = (Object.keys(conditionOperators) as ConditionOperator[]).flatMap((operator) =>
    table[operator].map((row) => [operator, ...row] as const),
  );

  test.each(rows)('%s: %j against %j is %j', (operator, value, wanted, isTrue) => {
    expect(holds({ var: 'x', [operator]: wanted }, value === undefined ? {} : { x: value })).toBe(isTrue);
  });

  test('the schema accepts exactly the operators of the evaluator', () => {
    const problemsOf = (operator: string, wanted: unknown) =>
      checkShape({
        id: 'abc',
        name: 'n',
        description: 'd',
        version: '1.0.0',
        steps: [{ id: 'abc', title: 't', prompt: 'p', runCondition: { var: 'x', [operator]: wanted } }],
      }).problems;
    for (const operator of Object.keys(conditionOperators) as ConditionOperator[])
      expect(problemsOf(operator, table[operator][0]?.[1])).toEqual([]);
    expect(problemsOf('equal', 1)).toMatchObject([
      {
        rule: 'unknown-field',
        path: 'steps[0].runCondition.equal',
        message: 'unknown field "equal"; did you mean "equals"?',
      },
    ]);
  });

  test('no condition, an empty one and a bare variable', () => {
    expect(holds(undefined, {})).toBe(true);
    expect(holds({}, {})).toBe(true);
    expect(holds({ var: 'x' }, { x: 'a' })).toBe(true);
    expect(holds({ var: 'x' }, { x: 0 })).toBe(false);
    expect(holds({ var: 'constructor' }, {})).toBe(false);
  });

  test('and, or and not nest', () => {
    const condition = {
      and: [
        {
          or: [
            { var: 'a', equals: 1 },
            { var: 'b', equals: 1 },
          ],
        },
        { not: { var: 'c', equals: 1 } },
      ],
    };
    expect(holds(condition, { b: 1 })).toBe(true);
    expect(holds(condition, { b: 1, c: 1 })).toBe(false);
    expect(holds(condition, {})).toBe(false);
    expect(variablesOf(condition)).toEqual(['a', 'b', 'c']);
  });
});
