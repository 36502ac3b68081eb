import { expect, test } from 'vitest';
import { checkPlanted } from '#test/support/behaviour/check-planted.ts';
import { plantedPairs } from '#test/support/behaviour/planted.ts';
import { chance } from '#test/support/seed.ts';

const pairs = chance('behaviour with pytest', { normal: 4, wide: 12, soak: 40 }).pick(plantedPairs('pytest'));

test.each(pairs)('two branches that are green alone: $name', async (pair) => {
  const { code, witnesses, inconclusive } = await checkPlanted(pair);
  expect({ code, witnesses, inconclusive }).toEqual(
    pair.isConflict
      ? { code: 1, witnesses: ['blocking: change feature'], inconclusive: [] }
      : { code: 0, witnesses: [], inconclusive: [] },
  );
});
