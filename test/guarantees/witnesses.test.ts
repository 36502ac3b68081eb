import { expect, test } from 'vitest';
import { checkPlanted } from '#test/support/behaviour/check-planted.ts';
import { type Planted, plantedPairs } from '#test/support/behaviour/planted.ts';
import { chance } from '#test/support/seed.ts';

/** The same number of conflicts and benign pairs. */
function some(
  name: string,
  pairs: readonly Planted[],
  sizes: { normal: number; wide: number; soak: number },
) {
  const drawn = (isConflict: boolean) =>
    chance(`${name}, ${isConflict ? 'conflicts' : 'benign'}`, sizes).pick(
      pairs.filter((pair) => pair.isConflict === isConflict),
    );
  return [...drawn(true), ...drawn(false)];
}

test.each([
  ...some('behaviour with node:test', plantedPairs('node:test'), { normal: 1, wide: 6, soak: 20 }),
  ...some('behaviour with vitest', plantedPairs('vitest'), { normal: 0, wide: 4, soak: 20 }),
])('two branches that are green alone: $name', async (pair) => {
  const { code, witnesses, inconclusive } = await checkPlanted(pair);
  expect({ code, witnesses, inconclusive }).toEqual(
    pair.isConflict
      ? { code: 1, witnesses: ['blocking: change feature'], inconclusive: [] }
      : { code: 0, witnesses: [], inconclusive: [] },
  );
});
