import { expect, test } from 'vitest';
import type { SuiteRun } from '#gates/run/lost-tests.ts';
import { judgeCase } from './judge-case.ts';

const passed = { passed: 2, failed: 0, skipped: 0, failing: [], hasAllNames: true, readers: ['tap'] };
const failed = { ...passed, passed: 1, failed: 1 };
const cart = { path: 'test/cart.test.js', id: 'cart > adds up' };

const run = (changes: Partial<SuiteRun>): SuiteRun => ({
  outcome: 'exited',
  exitCode: 0,
  tests: passed,
  passing: [],
  ...changes,
});

test.each<[string, Partial<SuiteRun>, string]>([
  ['a green run', {}, 'pass'],
  ['a green run that names it', { passing: ['cart > adds up', 'other'] }, 'pass'],
  ['a run that names others alone', { passing: ['one', 'other'] }, 'unknown'],
  ['a run in which it fails', { exitCode: 1, tests: { ...failed, failing: ['cart > adds up'] } }, 'fail'],
  [
    'a run in which its file does not load',
    { exitCode: 1, tests: { ...failed, failing: ['test/cart.test.js'] } },
    'fail',
  ],
  ['a run in which another fails', { exitCode: 1, tests: { ...failed, failing: ['other'] } }, 'pass'],
  ['failures without a name', { exitCode: 1, tests: { ...failed, hasAllNames: false } }, 'unknown'],
  ['an output that nothing can be read from', { exitCode: 1, tests: null }, 'unknown'],
  ['an exit code that no test explains', { exitCode: 7 }, 'unknown'],
  ['a run without tests', { tests: { ...passed, passed: 0 } }, 'unknown'],
  ['a run that timed out', { outcome: 'timeout', exitCode: null, tests: null }, 'unknown'],
])('%s: %s', (_name, changes, kind) => {
  expect(judgeCase(run(changes), cart).kind).toBe(kind);
});

const inClass = { path: 'tests/test_cart.py', id: 'CartTest.test_adds' };

test.each([
  'tests/test_cart.py::CartTest::test_adds',
  'tests/test_cart.py::CartTest::test_adds[1-[2]]',
  'tests.test_cart.CartTest > test_adds',
  'test_adds (tests.test_cart.CartTest)',
  'test_adds (tests.test_cart.CartTest.test_adds)',
  'test_adds (tests.test_cart.CartTest.test_adds) (row=1)',
  'tests.test_cart (unittest.loader._FailedTest.tests.test_cart)',
])('a method of a Python class fails as %s', (name) => {
  expect(judgeCase(run({ exitCode: 1, tests: { ...failed, failing: [name] } }), inClass).kind).toBe('fail');
  expect(judgeCase(run({ passing: [name, 'other'] }), inClass).kind).toBe(
    name.includes('_FailedTest') ? 'unknown' : 'pass',
  );
});

test.each([
  'tests/test_cart.py::OldCartTest::test_adds',
  'tests/test_cart.py::test_adds',
  'tests/test_cart.py::CartTest::test_adds_more',
  'test_adds (tests.test_cart.OldCartTest.test_adds)',
  'tests.test_till (unittest.loader._FailedTest.tests.test_till)',
])('%s is another test', (name) => {
  expect(judgeCase(run({ exitCode: 1, tests: { ...failed, failing: [name] } }), inClass).kind).toBe('pass');
});
