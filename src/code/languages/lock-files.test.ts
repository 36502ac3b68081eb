import { expect, test } from 'vitest';
import { languageOf } from './index.ts';

const lockFiles = [
  'package-lock.json',
  'web/pnpm-lock.yaml',
  'yarn.lock',
  'poetry.lock',
  'crates/a/Cargo.lock',
  'uv.lock',
  'pdm.lock',
  'Pipfile.lock',
  'npm-shrinkwrap.json',
];

test('lock files are not read; files that only look like one are', () => {
  expect(lockFiles.filter((path) => languageOf(path))).toEqual([]);
  expect(
    ['package.json', 'lock.yaml', 'Cargo.toml', 'Pipfile', 'src/lock.ts'].map((path) => languageOf(path)?.id),
  ).toEqual(['json', 'yaml', 'toml', 'toml', 'ts']);
});
