import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#test/support/joinery.ts';
import { failedControls, withControl, withoutControls } from './control-tests.ts';

const head = "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n";
const own = "test('own', () => assert.equal(1, 1));\n";

/** The output of node's test runner for a file with a control in it. */
function played(text: string): { code: number | null; output: string } {
  const file = join(temporaryFolder(), 'a.test.mjs');
  writeFileSync(file, withControl(file, text, 'k12') ?? '');
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stdout } = spawnSync(process.execPath, ['--test', '--test-reporter=tap', file], {
    encoding: 'utf8',
    env,
  });
  return { code: status, output: stdout };
}

test('a control fails where assertions work', () => {
  const { code, output } = played(head + own);
  expect(code).not.toBe(0);
  expect(output).toMatch(/not ok \d+ - k12/);
});

test.each([
  ['the assertion of the file', 'assert.equal = () => {};\n'],
  ['all of them', 'for (const name in assert) assert[name] = () => {};\n'],
])('it does not fail if somebody switched off %s', (_, off) => {
  expect(played(head + off + own).output).not.toMatch(/not ok \d+ - k12/);
});

test('a file in another language has none', () => {
  expect(withControl('a_test.go', 'package a\n', 'k12')).toBeNull();
});

test.each([
  ['pytest', 'def test_a():\n    pass\n', 'def test_k12():'],
  ['unittest', 'import unittest\n', 'class Controlk12('],
])('a Python file gets one for %s', (_, text, line) => {
  expect(withControl('test_a.py', text, 'k12')).toContain(line);
});

const tests = (failing: readonly string[]) => ({ passed: 2, failed: failing.length, failing });

test('a run is judged without its controls', () => {
  const run = { exitCode: 1, tests: tests(['a.test.js > k12', 'a.test.js > adds']) };
  expect(failedControls(run, ['k12', 'k34'])).toEqual(['k12']);
  expect(withoutControls(run, ['k12'])).toEqual({ exitCode: 1, tests: tests(['a.test.js > adds']) });
  expect(withoutControls({ exitCode: 1, tests: tests(['k12']) }, ['k12'])).toEqual({
    exitCode: 0,
    tests: tests([]),
  });
});

test('a control that failed in a run that exited with success does not count', () => {
  expect(failedControls({ exitCode: 0, tests: tests(['k12']) }, ['k12'])).toEqual([]);
});
