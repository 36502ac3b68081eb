import { expect, test } from 'vitest';
import { kindsThatMeet } from './kinds-that-meet.ts';
import { allKinds } from './readings.ts';

const constants = [{ name: 'MAX_SIZE', role: 'MAX_SIZE', value: 1, written: '1', line: 1 }];
const imports = [{ name: 'lodash', line: 1 }];

test('a kind is read only beside a kind that it is compared with', () => {
  expect(kindsThatMeet([{ constants }])).toEqual(['code', 'constants']);
  expect(kindsThatMeet([{ imports }, {}])).toEqual(['code', 'dependencies']);
});

test('beside a branch with news of all kinds everything is read', () => {
  const whole = Object.fromEntries(allKinds.map((kind) => [kind, []]));
  expect(kindsThatMeet([whole])).toEqual(allKinds);
});
