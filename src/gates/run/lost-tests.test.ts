import { describe, expect, test } from 'vitest';
import { judgeLost, lostTests, type SuiteRun, type TestTexts } from './lost-tests.ts';

function suite(passing: readonly string[] | number, failing: readonly string[] = []): SuiteRun {
  const isNamed = typeof passing !== 'number';
  const passed = isNamed ? passing.length : passing;
  const tests = {
    passed,
    failed: failing.length,
    skipped: 0,
    failing: [...failing],
    hasAllNames: true,
    readers: [],
  };
  return { outcome: 'exited', exitCode: 0, tests, passing: isNamed ? passing : null };
}

const untouched: TestTexts = { gone: [], renamed: [], fewer: 0 };

describe('tests that ran on the base commit', () => {
  test.each<[string, SuiteRun, SuiteRun | null, TestTexts | null, string]>([
    ['all run', suite(['a', 'b']), suite(['a', 'b']), untouched, 'pass'],
    ['all run, and one more', suite(3), suite(2), untouched, 'pass'],
    ['one does not run', suite(1), suite(2), untouched, 'fail'],
    ['one fails now, which is judged elsewhere', suite(1, ['b']), suite(2), untouched, 'pass'],
    ['another stands in for one', suite(['a', 'c']), suite(['a', 'b']), untouched, 'fail'],
    ['one moved to another file', suite(['y.js > b']), suite(['x.js > deep > b']), untouched, 'pass'],
    [
      'one was renamed',
      suite(['f > new']),
      suite(['f > old']),
      { gone: ['old'], renamed: [], fewer: 0 },
      'warn',
    ],
    ['one was taken out', suite(1), suite(2), { gone: ['b'], renamed: [], fewer: 1 }, 'warn'],
    ['one was taken out, two do not run', suite(1), suite(3), { gone: ['b'], renamed: [], fewer: 1 }, 'fail'],
    ['a row was taken out', suite(['adds 1']), suite(['adds 1', 'adds 2']), untouched, 'fail'],
    [
      'a table was taken out',
      suite(['x']),
      suite(['x', 'adds 1', 'adds 2']),
      { gone: ['adds %i'], renamed: [], fewer: 1 },
      'warn',
    ],
    [
      'of pytest, a class is no test class any more',
      suite(['t.py::test_a']),
      suite(['t.py::test_a', 't.py::TestB::test_b']),
      untouched,
      'fail',
    ],
    [
      'it is unknown how many the change took out',
      suite(1),
      suite(2),
      { gone: ['b'], renamed: [], fewer: null },
      'inconclusive',
    ],
    ['the change cannot be read', suite(['a']), suite(['a', 'b']), null, 'inconclusive'],
    [
      'a suite was renamed, in an output that puts it before the title',
      suite(['basket adds', 'basket removes']),
      suite(['cart adds', 'cart removes']),
      {
        ...untouched,
        renamed: [
          { from: 'cart adds', to: 'basket adds' },
          { from: 'cart removes', to: 'basket removes' },
        ],
      },
      'pass',
    ],
    [
      'a suite was renamed and one of its tests does not run',
      suite(['basket adds', 'new']),
      suite(['cart adds', 'cart removes']),
      {
        ...untouched,
        renamed: [
          { from: 'cart adds', to: 'basket adds' },
          { from: 'cart removes', to: 'basket removes' },
        ],
      },
      'fail',
    ],
    [
      'a test of Go was renamed, and its subtests with it',
      suite(['TestNew', 'TestNew/one']),
      suite(['TestOld', 'TestOld/one']),
      { ...untouched, gone: ['TestOld'] },
      'warn',
    ],
    ['there is no base', suite(1), null, untouched, 'pass'],
  ])('%s', (_name, run, base, texts, status) => {
    expect(judgeLost(lostTests(run, base), texts).status).toBe(status);
  });

  test('are named', () => {
    const lost = lostTests(suite(['a']), suite(['a', 'f.js > b']));
    expect(judgeLost(lost, untouched).reason).toBe('1 that ran on the base commit did not run: f.js > b');
  });
});
