import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#test/support/joinery.ts';
import { ownFolder, writeOwnFile } from './own-place.ts';

test('a folder that another program replaced by a link becomes a folder again', () => {
  const [ours, foreign] = [temporaryFolder(), temporaryFolder()];
  mkdirSync(join(ours, 'tasks'));
  symlinkSync(foreign, join(ours, 'tasks/a'));
  const cache = ownFolder(ours, 'tasks', 'a', 'cache');
  expect(readdirSync(foreign)).toEqual([]);
  expect(lstatSync(join(ours, 'tasks/a')).isDirectory()).toBe(true);
  expect(cache).toBe(join(ours, 'tasks/a/cache'));
  writeFileSync(join(cache, 'kept'), '');
  expect(existsSync(join(ownFolder(ours, 'tasks', 'a', 'cache'), 'kept'))).toBe(true);
});

test('a file in the place of a folder is removed', () => {
  const ours = temporaryFolder();
  writeFileSync(join(ours, 'tmp'), 'x');
  expect(lstatSync(ownFolder(ours, 'tmp')).isDirectory()).toBe(true);
});

test('a file is not written through a link', () => {
  const ours = temporaryFolder();
  const victim = join(temporaryFolder(), 'victim');
  writeFileSync(victim, 'kept');
  const file = join(ours, 'gitconfig');
  symlinkSync(victim, file);
  writeOwnFile(file, 'ours');
  expect([readFileSync(victim, 'utf8'), readFileSync(file, 'utf8')]).toEqual(['kept', 'ours']);
});
