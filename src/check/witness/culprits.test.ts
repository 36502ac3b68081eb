import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { minimalSets } from '#test/support/minimal-sets.ts';
import { sample } from '#test/support/sampling.ts';
import { findCulprits } from './culprits.ts';

/** The branches other than the one with the test, and one to three sets of them that break it. */
const planted = fc.constantFrom(4, 16, 64).chain((branches) =>
  fc.record({
    branches: fc.constant(branches),
    guilty: fc.array(
      fc.uniqueArray(fc.integer({ min: 0, max: branches - 2 }), { minLength: 1, maxLength: 2 }),
      { minLength: 1, maxLength: 3 },
    ),
  }),
);

const inOrder = (sets: readonly (readonly number[])[]) =>
  sets.map((set) => set.toSorted((a, b) => a - b).join(' ')).sort();

function membersOf(branches: number): number[] {
  return Array.from({ length: branches - 1 }, (_, index) => index);
}

function holdsFor(guilty: readonly (readonly number[])[]) {
  return (some: readonly number[]) => guilty.some((set) => set.every((each) => some.includes(each)));
}

describe('the search for culprits', () => {
  test('finds what brute force finds, smallest set first', async () => {
    await fc.assert(
      fc.asyncProperty(planted, async ({ branches, guilty }) => {
        const members = membersOf(branches);
        const holds = holdsFor(guilty);
        const { sets } = await findCulprits(members, async (some) => holds(some));
        expect(inOrder(sets)).toEqual(inOrder(minimalSets(members, holds)));
        const sizes = sets.map((set) => set.length);
        expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
      }),
      sample('culprits as brute force finds them', { normal: 60, soak: 3000 }),
    );
  });

  test.each([4, 16, 64])('takes few checks among %i branches, in the median', async (branches) => {
    const counts: number[] = [];
    await fc.assert(
      fc.asyncProperty(
        planted.filter((each) => each.branches === branches),
        async ({ guilty }) => {
          const holds = holdsFor(guilty);
          const { checks } = await findCulprits(membersOf(branches), async (some) => holds(some));
          counts.push(checks.first);
        },
      ),
      sample(`checks among ${branches} branches`, { normal: 60, soak: 1000 }),
    );
    const median = counts.toSorted((a, b) => a - b)[counts.length >> 1] ?? Number.NaN;
    expect(median).toBeLessThanOrEqual(2 * Math.log2(branches) + 4);
  });

  test('a member that hides the failure does not make an innocent one guilty', async () => {
    // 3 repairs what 0 breaks, and 2 breaks it again: only the search from the full set finds it.
    const holds = async (some: readonly number[]) =>
      some.includes(0) && (!some.includes(3) || some.includes(2));
    const { sets } = await findCulprits([0, 1, 2, 3], holds);
    expect(sets[0]).toEqual([0]);
  });
});
