import { expect, test } from 'vitest';
import { largestCoherentSet } from './largest-set.ts';

const clash = (owner: string | null, ...others: string[]) => ({
  owner,
  branches: owner === null ? others : [owner, ...others],
});

test('without clashes all branches stay', () => {
  expect(largestCoherentSet(['a', 'b', 'c'], [])).toEqual(['a', 'b', 'c']);
});

test('a branch that clashes with many is excluded, even if others own the findings', () => {
  const findings = [clash('b', 'a'), clash('c', 'a'), clash('d', 'a')];
  expect(largestCoherentSet(['a', 'b', 'c', 'd'], findings)).toEqual(['b', 'c', 'd']);
});

test('of two sets of one size, the one without the owner wins', () => {
  expect(largestCoherentSet(['a', 'b'], [clash('a', 'b')])).toEqual(['b']);
  expect(largestCoherentSet(['a', 'b'], [clash('b', 'a')])).toEqual(['a']);
});

test('a branch that clashes with the target is excluded', () => {
  expect(largestCoherentSet(['a', 'b'], [clash(null, 'main', 'a')])).toEqual(['b']);
});

test('of three that clash only together, one is excluded', () => {
  expect(largestCoherentSet(['a', 'b', 'c'], [clash('b', 'a', 'c')])).toEqual(['a', 'c']);
});

test('a branch built on a guilty one has the same problem', () => {
  const findings = [{ ...clash('b', 'a'), alsoIn: ['b2'] }];
  expect(largestCoherentSet(['a', 'b', 'b2', 'c'], findings)).toEqual(['b', 'b2', 'c']);
});
