import { expect, test } from 'vitest';
import { smallestSet } from './smallest-set.ts';

/** A problem of these members together; counts the questions. */
function problemOf(guilty: readonly number[]) {
  const asked = new Set<string>();
  const holds = async (members: readonly number[]) => {
    asked.add([...members].sort((a, b) => a - b).join(' '));
    return guilty.every((member) => members.includes(member));
  };
  return { holds, asked };
}

const twenty = Array.from({ length: 20 }, (_, index) => index);
const sorted = (members: readonly number[] | null) => members?.toSorted((a, b) => a - b);

test('a pair at the start of the order takes three questions', async () => {
  const { holds, asked } = problemOf([0, 1]);
  expect(sorted(await smallestSet(twenty, holds))).toEqual([0, 1]);
  expect(asked.size).toBe(3);
});

test.each([[[3, 17]], [[19, 18]], [[2, 9, 13]], [[0, 5, 10, 15]]])(
  '%j is found among twenty in few questions',
  async (guilty) => {
    const { holds, asked } = problemOf(guilty);
    expect(sorted(await smallestSet(twenty, holds))).toEqual(sorted(guilty));
    expect(asked.size).toBeLessThan(10 * guilty.length);
  },
);

test('one branch alone is a set too', async () => {
  expect(await smallestSet(twenty, problemOf([4]).holds)).toEqual([4]);
});

test('nothing is found where the problem does not exist for all members together', async () => {
  expect(await smallestSet([1, 2, 3], problemOf([7]).holds)).toBeNull();
  expect(await smallestSet([], problemOf([7]).holds)).toBeNull();
});

test('no member of the result can be left out, even where a member hides the problem from some sets', async () => {
  const holds = async (members: readonly number[]) => {
    const key = members.toSorted((a, b) => a - b).join(' ');
    return key === '0 1 2' || key === '0 2' || key === '0 1 2 3';
  };
  expect(sorted(await smallestSet([1, 0, 2, 3], holds))).toEqual([0, 2]);
});
