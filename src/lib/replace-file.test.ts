import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#test/support/joinery.ts';
import { replaceFile } from './replace-file.ts';

test('a link stays a link, and a private file stays private', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'dotfiles'));
  const [file, link] = [join(folder, 'dotfiles', 'settings.json'), join(folder, 'settings.json')];
  writeFileSync(file, 'old', { mode: 0o600 });
  symlinkSync(file, link);
  replaceFile(link, 'new');
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['new', 0o600]);
  expect(readdirSync(join(folder, 'dotfiles'))).toEqual(['settings.json']);
});

test('a failed write leaves nothing behind', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'taken'));
  expect(() => replaceFile(join(folder, 'taken'), 'x')).toThrow();
  expect(readdirSync(folder)).toEqual(['taken']);
});
