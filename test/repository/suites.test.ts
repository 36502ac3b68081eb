import { globSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '#scripts/root.ts';
import { slowFiles } from '#scripts/slow-first.ts';
import { type Suite, suites } from '#scripts/suites.ts';

const testFiles = globSync('{src,test}/**/*.test.ts', { cwd: root, exclude: ['**/fixtures/**'] });

function runs({ include, exclude }: Suite, file: string): boolean {
  const isIn = (globs: readonly string[]) => globs.some((glob) => matchesGlob(file, glob));
  return isIn(include) && !isIn(exclude);
}

test('every test file runs in soak and in one of the suites before it', () => {
  expect(testFiles.length).toBeGreaterThan(100);
  const { soak, ...others } = suites;
  for (const file of testFiles) {
    expect(runs(soak, file), file).toBe(true);
    expect(
      Object.values<Suite>(others).some((suite) => !suite.relatedTo && runs(suite, file)),
      file,
    ).toBe(true);
  }
});

test('every suite is an npm script', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const [name, { command }] of Object.entries(suites))
    expect(scripts[command.replace(/^npm (run )?/, '')]).toBe(
      `node scripts/with-node.js scripts/test.ts ${name}`,
    );
});

test('CI runs every suite whose samples are fixed', () => {
  const lines = readFileSync(join(root, '.ci', 'run'), 'utf8').split('\n');
  const called = lines.map((line) => line.replace(/^(attempt|suite) \d+ /, ''));
  const fixed = Object.values<Suite>(suites).filter(({ seed }) => seed !== null);
  expect(called).toEqual(expect.arrayContaining(fixed.map(({ command }) => command)));
});

test('only suites that need more than Node, npm and git can have missing requirements', () => {
  expect(suites.test.missing()).toEqual([]);
  expect(suites.long.missing()).toEqual([]);
  expect(suites.wide.missing()).toEqual([]);
});

test('the slow tests that run first exist', () => {
  expect(slowFiles.filter((file) => !testFiles.includes(file))).toEqual([]);
});
