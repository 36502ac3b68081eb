import { describe, expect, test } from 'vitest';
import { compareWithBase } from './compare.ts';
import type { SuiteRun } from './lost-tests.ts';

function suite(passed: number, failing: readonly string[], more: Partial<SuiteRun> = {}): SuiteRun {
  return {
    outcome: 'exited',
    exitCode: failing.length > 0 ? 1 : 0,
    tests: {
      passed,
      failed: failing.length,
      skipped: 0,
      failing: [...failing],
      hasAllNames: true,
      readers: ['x'],
    },
    passing: null,
    ...more,
  };
}

const nameless = (passed: number, failed: number): SuiteRun => ({
  outcome: 'exited',
  exitCode: failed > 0 ? 1 : 0,
  tests: { passed, failed, skipped: 0, failing: [], hasAllNames: failed === 0, readers: ['x'] },
  passing: null,
});
const silent = (exitCode: number): SuiteRun => ({ outcome: 'exited', exitCode, tests: null, passing: null });
const timeout: SuiteRun = { outcome: 'timeout', exitCode: null, tests: null, passing: null };

describe('a suite against its base', () => {
  test.each<[string, readonly [SuiteRun, ...SuiteRun[]], SuiteRun | readonly SuiteRun[] | null, object]>([
    ['passes', [suite(3, [])], null, { status: 'pass', newFailures: [] }],
    ['fails by a new failure', [suite(2, ['a'])], suite(3, []), { status: 'fail', newFailures: ['a'] }],
    ['passes with an old one', [suite(2, ['a'])], suite(2, ['a']), { status: 'pass', knownFailures: ['a'] }],
    [
      'fails when another fails instead',
      [suite(2, ['b'])],
      suite(2, ['a']),
      { status: 'fail', newFailures: ['b'] },
    ],
    ['is not judged when nothing passes', [suite(0, ['a'])], suite(0, ['a']), { status: 'inconclusive' }],
    ['fails when nothing passes any more', [suite(0, ['a'])], suite(1, []), { status: 'fail' }],
    ['fails without a base', [suite(2, ['a'])], null, { status: 'fail', newFailures: ['a'] }],
    [
      'fails when it runs no test',
      [suite(0, [])],
      suite(3, []),
      { status: 'fail', reason: 'no test ran: 0 tests' },
    ],
    [
      'fails when it runs no test and the base did not either',
      [suite(0, [])],
      suite(0, []),
      { status: 'fail' },
    ],
    ['fails when it broke before any test', [silent(1)], silent(1), { status: 'fail' }],
    ['is not judged when tests cannot be counted', [silent(0)], suite(3, []), { status: 'inconclusive' }],
    ['fails when it hangs', [timeout], suite(3, []), { status: 'fail', newFailures: ['(timed out)'] }],
    ['is not judged when it always hangs', [timeout], timeout, { status: 'inconclusive' }],
    [
      'fails when only the exit code does',
      [suite(3, [], { exitCode: 1 })],
      suite(3, []),
      { status: 'fail', newFailures: ['(exit code 1)'] },
    ],
    [
      'passes when the exit code always did',
      [suite(3, [], { exitCode: 1 })],
      suite(3, [], { exitCode: 1 }),
      { status: 'pass' },
    ],
    [
      'fails although its exit code is swallowed',
      [suite(2, ['a'], { exitCode: 0 })],
      suite(3, []),
      { status: 'fail' },
    ],
    ['counts without names: more', [nameless(2, 2)], nameless(3, 1), { status: 'fail' }],
    [
      'counts without names: as many are not the same',
      [nameless(3, 1)],
      nameless(3, 1),
      { status: 'inconclusive' },
    ],
    [
      'names a flaky test that is flaky on the base commit too',
      [suite(2, ['a']), suite(3, [])],
      [suite(3, []), suite(3, []), suite(2, ['a'])],
      { status: 'warn', flaky: ['a'], newFailures: [] },
    ],
    [
      'is not judged by a flaky test that never failed on the base commit',
      [suite(2, ['a']), suite(3, [])],
      [suite(3, []), suite(3, []), suite(3, [])],
      { status: 'inconclusive', flaky: ['a'], newFailures: [] },
    ],
    [
      'is not judged when no run passed as a whole',
      [suite(1, ['a', 'b']), suite(2, ['a']), suite(2, ['b'])],
      [suite(3, []), suite(1, ['a', 'b']), suite(3, [])],
      { status: 'inconclusive', flaky: ['a', 'b'] },
    ],
    [
      'does not take a repetition that left tests out for a success',
      [suite(0, ['a', 'b']), suite(1, []), suite(0, ['b'])],
      [suite(2, []), suite(1, ['a']), suite(1, ['b'])],
      { status: 'fail', flaky: [], newFailures: ['a', 'b'] },
    ],
    [
      'fails by what fails each time',
      [suite(1, ['a', 'b']), suite(2, ['b']), suite(1, ['a', 'b'])],
      suite(3, []),
      { status: 'fail', flaky: ['a'], newFailures: ['b'] },
    ],
    [
      'does not take a broken repetition for a success',
      [suite(2, ['a']), suite(0, []), silent(1)],
      suite(3, []),
      { status: 'fail', newFailures: ['a'] },
    ],
  ])('%s', (_name, runs, base, expected) => {
    const bases = base === null ? [] : [base].flat();
    expect(compareWithBase(runs, bases)).toMatchObject(expected);
  });
});
