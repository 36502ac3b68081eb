import { expect, test } from 'vitest';
import { memoryTree } from '#code/resolve/memory-tree.ts';
import { createJavaResolver } from './resolve-java.ts';

const root = 'core/src/main/java';
const { tree } = memoryTree({
  [`${root}/org/example/shop/Store.java`]: '',
  [`${root}/org/library/data/Failure.java`]: '',
});
const from = `${root}/org/example/shop/Store.java`;

test.each([
  ['org.example.shop', 'found'],
  ['org.example.shop.orders', 'missing'],
  ['org.library.http', 'external'],
  ['com.other', 'external'],
])('%s is %s', (specifier, status) => {
  expect(createJavaResolver(tree).resolve(specifier, from).status).toBe(status);
});
