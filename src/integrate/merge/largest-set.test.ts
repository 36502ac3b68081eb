import { expect, test } from 'vitest';
import { largestCoherentSet } from './largest-set.ts';

const clash = (owner: string | null, ...others: string[]) => ({
  owner,
  branches: owner === null ? others : [owner, ...others],
});

test('nothing clashes: all of them', () => {
  expect(largestCoherentSet(['a', 'b', 'c'], [])).toEqual(['a', 'b', 'c']);
});

test('one that clashes with many stays behind, whoever owns the findings', () => {
  const findings = [clash('b', 'a'), clash('c', 'a'), clash('d', 'a')];
  expect(largestCoherentSet(['a', 'b', 'c', 'd'], findings)).toEqual(['b', 'c', 'd']);
});

test('between two of one size the owner stays behind', () => {
  expect(largestCoherentSet(['a', 'b'], [clash('a', 'b')])).toEqual(['b']);
  expect(largestCoherentSet(['a', 'b'], [clash('b', 'a')])).toEqual(['a']);
});

test('whoever clashes with the target stays behind', () => {
  expect(largestCoherentSet(['a', 'b'], [clash(null, 'main', 'a')])).toEqual(['b']);
});

test('three that clash only together lose one', () => {
  expect(largestCoherentSet(['a', 'b', 'c'], [clash('b', 'a', 'c')])).toEqual(['a', 'c']);
});

test('a branch built on a guilty one brings the problem along', () => {
  const findings = [{ ...clash('b', 'a'), alsoIn: ['b2'] }];
  expect(largestCoherentSet(['a', 'b', 'b2', 'c'], findings)).toEqual(['b', 'b2', 'c']);
});
