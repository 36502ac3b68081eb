import { expect, test } from 'vitest';
import { ownerOf } from './conflict-owner.ts';

const side = (ref: string, files: number) => ({ ref, isBase: false, changes: { length: files } });

test.each([
  ['the smaller branch', side('a', 1), side('b', 2), 'a', 'it is the smaller change: 1 file against 2'],
  [
    'the one named last of two equal ones',
    side('a', 1),
    side('b', 1),
    'b',
    'both change 1 file; it was named last',
  ],
])('a text conflict is resolved by %s, and the reason is true', (_, a, b, ref, reason) => {
  expect(ownerOf(a, b)).toEqual({ ref, reason });
});
