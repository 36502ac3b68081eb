import { expect, test } from 'vitest';
import { headsFrom, headsOf } from './heads.ts';

const fork = [
  { id: 'p', parents: [] },
  { id: 'x', parents: ['p'] },
  { id: 'y', parents: ['p'] },
];

test('a migration with two followers has two heads; one that follows both joins them', () => {
  expect(headsFrom(fork, 'p')).toEqual(['x', 'y']);
  expect(headsFrom([...fork, { id: 'm', parents: ['x', 'y'] }], 'p')).toEqual(['m']);
  expect(headsFrom([...fork, { id: 'm', parents: ['x', 'y'] }, { id: 'n', parents: ['m'] }], 'p')).toEqual([
    'n',
  ]);
});

test('a migration that nothing follows is a head itself', () => {
  expect(headsFrom(fork, 'x')).toEqual(['x']);
  expect(headsOf(fork)).toEqual(['x', 'y']);
});

test('migrations that follow each other in a circle have no head and end the walk', () => {
  const circle = [
    { id: 'a', parents: ['b'] },
    { id: 'b', parents: ['a'] },
  ];
  expect(headsFrom(circle, 'a')).toEqual([]);
});
