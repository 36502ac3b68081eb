import { describe, expect, test } from 'vitest';
import { redFiles, summarise, type TestResults } from '#scripts/test-summary.ts';

const green: TestResults = {
  success: true,
  numPassedTests: 7,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [],
};
const testFile = { name: 'a.test.ts', status: 'failed', message: 'cannot load', assertionResults: [] };
const oneTest = (status: string) => ({ status, fullName: 'adds up', failureMessages: ['1 is not 2'] });
const ok = (name: string) => ({ name, ok: true, seconds: 1 });
const broken = (name: string) => ({ name, ok: false, seconds: 1 });
const session = { missing: [], samples: [], seed: '1', sizes: 'normal', elsewhere: [] };

function lastLine(text: string): string | undefined {
  return text.split('\n').at(-1);
}

test('all green: the last line counts the tests', () => {
  const summary = summarise({ ...session, steps: [ok('types'), ok('tests')], results: green });
  expect(lastLine(summary.text)).toBe('7 passed, 0 failed');
  expect(summary.failed).toBe(0);
});

test('a failed step that is not a test is never hidden behind green tests', () => {
  const summary = summarise({ ...session, steps: [broken('types'), ok('tests')], results: green });
  expect(lastLine(summary.text)).toBe('7 passed, 1 failed');
});

test('failed tests are counted once, not again as a failed step', () => {
  const results = { ...green, numPassedTests: 5, numFailedTests: 2 };
  const summary = summarise({ ...session, steps: [broken('tests')], results });
  expect(lastLine(summary.text)).toBe('5 passed, 2 failed');
});

test('a test file that cannot be loaded is a failure', () => {
  const results = { ...green, testResults: [testFile] };
  const summary = summarise({ ...session, steps: [broken('tests')], results });
  expect(lastLine(summary.text)).toBe('7 passed, 1 failed');
});

test('a test file whose setup failed is a failure beside failed tests elsewhere', () => {
  const testResults = [
    { ...testFile, assertionResults: [oneTest('skipped')] },
    { ...testFile, assertionResults: [oneTest('failed')] },
  ];
  const results = { ...green, numFailedTests: 1, numPendingTests: 1, testResults };
  const summary = summarise({ ...session, steps: [broken('tests')], results });
  expect(lastLine(summary.text)).toBe('7 passed, 2 failed');
  expect(summary.text).toContain('could not be run: a.test.ts\n    cannot load');
  expect(summary.text).toContain('failed: a.test.ts > adds up\n    1 is not 2');
});

test('a run that ended without results is a failure', () => {
  const summary = summarise({ ...session, steps: [broken('tests')], results: null });
  expect(lastLine(summary.text)).toBe('0 passed, 1 failed');
});

test('no test at all is a failure', () => {
  const summary = summarise({ ...session, steps: [ok('tests')], results: { ...green, numPassedTests: 0 } });
  expect(summary.failed).toBe(1);
});

test('the seed and the size of each sampled guarantee are printed once', () => {
  const samples = ['order: 100 cases', 'order: 100 cases'];
  const { text } = summarise({ ...session, steps: [ok('tests')], results: green, samples, seed: '42' });
  expect(text).toContain('seed 42');
  expect(text.match(/order: 100 cases/g)).toHaveLength(1);
});

test('a missing requirement of a suite is a failure, and is named', () => {
  const missing = ['python3 is not on PATH. Next: install Python 3'];
  const summary = summarise({ ...session, missing, steps: [], results: null });
  expect(summary.text).toContain('FAILED  python3 is not on PATH. Next: install Python 3');
  expect(lastLine(summary.text)).toBe('0 passed, 1 failed');
});

test('what other suites run is printed before the last line', () => {
  const elsewhere = [{ command: 'npm run test:wide', runs: 'larger samples' }];
  const { text } = summarise({ ...session, steps: [ok('tests')], results: green, elsewhere });
  expect(text).toMatch(/\nalso: npm run test:wide +larger samples\n7 passed, 0 failed$/);
});

describe('red files run once more, alone', () => {
  const first: TestResults = {
    ...green,
    numPassedTests: 1,
    numFailedTests: 1,
    testResults: [
      { ...testFile, assertionResults: [oneTest('failed')] },
      { ...testFile, name: 'b.test.ts', status: 'passed', assertionResults: [oneTest('passed')] },
    ],
  };
  const again = (status: 'passed' | 'failed'): TestResults => ({
    ...green,
    testResults: [{ ...testFile, status, assertionResults: [oneTest(status)] }],
  });
  const steps = [ok('types'), broken('tests')];

  test('a test that passes then is named and does not fail the suite', () => {
    const summary = summarise({
      ...session,
      steps: [...steps, ok('red files alone')],
      results: first,
      second: again('passed'),
    });
    expect(lastLine(summary.text)).toBe('2 passed, 0 failed');
    expect(summary.text).toContain('unsteady: a.test.ts > adds up: failed among all tests');
  });

  test('a test that fails again fails the suite', () => {
    const summary = summarise({
      ...session,
      steps: [...steps, broken('red files alone')],
      results: first,
      second: again('failed'),
    });
    expect(lastLine(summary.text)).toBe('1 passed, 1 failed');
    expect(summary.text).not.toContain('unsteady');
  });

  test('without a second result the first one counts', () => {
    const summary = summarise({ ...session, steps, results: first, second: null });
    expect(lastLine(summary.text)).toBe('1 passed, 1 failed');
  });

  test('a step that failed for another reason still fails the suite', () => {
    const summary = summarise({
      ...session,
      steps: [broken('types'), broken('tests'), ok('red files alone')],
      results: first,
      second: again('passed'),
    });
    expect(lastLine(summary.text)).toBe('2 passed, 1 failed');
  });

  test('a file that could not be run is red', () => {
    expect(redFiles({ ...green, testResults: [testFile] })).toEqual(['a.test.ts']);
  });
});
