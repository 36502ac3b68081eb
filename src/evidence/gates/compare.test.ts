import { describe, expect, it } from 'vitest';
import { compareWithBase, type SuiteRun } from './compare.ts';

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
    ...more,
  };
}

const nameless = (passed: number, failed: number): SuiteRun => ({
  outcome: 'exited',
  exitCode: failed > 0 ? 1 : 0,
  tests: { passed, failed, skipped: 0, failing: [], hasAllNames: failed === 0, readers: ['x'] },
});
const silent = (exitCode: number): SuiteRun => ({ outcome: 'exited', exitCode, tests: null });
const timeout: SuiteRun = { outcome: 'timeout', exitCode: null, tests: null };

describe('a suite against its base', () => {
  it.each<[string, readonly [SuiteRun, ...SuiteRun[]], SuiteRun | null, object]>([
    ['passes', [suite(3, [])], null, { status: 'pass', newFailures: [] }],
    ['fails by a new failure', [suite(2, ['a'])], suite(3, []), { status: 'fail', newFailures: ['a'] }],
    ['passes with an old one', [suite(2, ['a'])], suite(2, ['a']), { status: 'pass', knownFailures: ['a'] }],
    [
      'fails when another fails instead',
      [suite(2, ['b'])],
      suite(2, ['a']),
      { status: 'fail', newFailures: ['b'] },
    ],
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
    ['is not judged when nobody can count', [silent(0)], suite(3, []), { status: 'inconclusive' }],
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
    ['warns when tests are gone', [suite(2, ['a'])], suite(9, ['a']), { status: 'warn' }],
    ['counts without names: more', [nameless(2, 2)], nameless(3, 1), { status: 'fail' }],
    [
      'counts without names: as many are not the same',
      [nameless(3, 1)],
      nameless(3, 1),
      { status: 'inconclusive' },
    ],
    [
      'names a flaky test',
      [suite(2, ['a']), suite(3, [])],
      suite(3, []),
      { status: 'warn', flaky: ['a'], newFailures: [] },
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
    expect(compareWithBase(runs, base)).toMatchObject(expected);
  });
});
