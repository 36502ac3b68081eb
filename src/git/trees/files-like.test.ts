import { expect, test } from 'vitest';
import { filesLike } from './files-like.ts';
import { GitTree } from './tree.ts';

const paths = ['a/b/package.json', 'a/package.json', 'a/b/c.json', 'a/z.ts', 'x/package.json', 'x/y.json'];
const tree = GitTree.of('tree', paths.map((path) => `100644 blob ${'1'.repeat(40)}\t${path}\0`).join(''));

test('files of the same name come first, then those with the same ending, the nearest first', () => {
  expect(filesLike(tree, ['a/b/package.json'], 20)).toEqual([
    'a/b/package.json',
    'a/package.json',
    'x/package.json',
    'a/b/c.json',
    'x/y.json',
  ]);
});

test('there are never more than asked for', () => {
  expect(filesLike(tree, ['a/b/package.json'], 2)).toEqual(['a/b/package.json']);
  expect(filesLike(tree, [], 20)).toEqual([]);
});
