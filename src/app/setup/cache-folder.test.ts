import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#test/support/joinery.ts';
import { clearCache, measureCache } from './cache-folder.ts';

function cacheWith(name: string) {
  const outside = join(temporaryFolder(), 'precious');
  mkdirSync(outside);
  writeFileSync(join(outside, 'letter'), 'x'.repeat(1000));
  const folder = join(temporaryFolder(), name);
  mkdirSync(join(folder, 'node', 'deep'), { recursive: true });
  writeFileSync(join(folder, 'node', 'deep', 'file'), 'x'.repeat(10));
  writeFileSync(join(folder, 'facts.db'), 'x'.repeat(5));
  return { folder, outside };
}

test('the size is the size of the files, by entry', () => {
  const { folder } = cacheWith('joinery');
  expect(measureCache(folder)).toEqual([
    { name: 'facts.db', bytes: 5 },
    { name: 'node', bytes: 10 },
  ]);
});

test('a cache that does not exist is empty', () => {
  const folder = join(temporaryFolder(), 'joinery');
  expect(measureCache(folder)).toEqual([]);
  expect(clearCache(folder)).toEqual([]);
});

test('clearing deletes everything inside and keeps the folder', () => {
  const { folder } = cacheWith('joinery');
  expect(clearCache(folder).map(({ name }) => name)).toEqual(['facts.db', 'node']);
  expect(readdirSync(folder)).toEqual([]);
});

test('links are neither followed nor measured: what they point to stays', () => {
  const { folder, outside } = cacheWith('joinery');
  symlinkSync(outside, join(folder, 'objects'));
  symlinkSync(outside, join(folder, 'node', 'link'));
  const bytes = measureCache(folder).reduce((sum, entry) => sum + entry.bytes, 0);
  expect(bytes).toBeLessThan(1000);
  clearCache(folder);
  expect(readdirSync(folder)).toEqual([]);
  expect(existsSync(join(outside, 'letter'))).toBe(true);
});

test('a folder with files of others is not cleared', () => {
  const { folder } = cacheWith('home');
  writeFileSync(join(folder, 'thesis.txt'), 'years of work');
  expect(() => clearCache(folder)).toThrow(/thesis\.txt/);
  expect(readdirSync(folder)).toEqual(['facts.db', 'node', 'thesis.txt']);
});

test('a folder with another name that contains only entries of Joinery is cleared', () => {
  const { folder } = cacheWith('elsewhere');
  clearCache(folder);
  expect(readdirSync(folder)).toEqual([]);
});
