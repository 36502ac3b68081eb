import { expect, test } from 'vitest';
import { paceOf } from './pace.ts';

test('a few steps need no count', () => {
  expect(paceOf(9)(3)).toBe('');
});

test('many steps are counted; the rest is estimated once some are done', () => {
  let time = 0;
  const pace = paceOf(180, () => time);
  expect(pace(0)).toBe(' (1 of 180)');
  time = 20_000;
  expect(pace(4)).toBe(' (5 of 180)');
  expect(pace(20)).toBe(' (21 of 180, about 3 min left)');
  time = 170_000;
  expect(pace(170)).toBe(' (171 of 180, less than a minute left)');
});
