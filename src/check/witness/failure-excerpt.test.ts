import { expect, test } from 'vitest';
import { failureExcerpt, failureLine } from './failure-excerpt.ts';

const tap = `TAP version 13
# Subtest: other
ok 1 - other
not ok 2 - adds up
  ---
  duration_ms: 2.7
  error: |-
    Expected values to be strictly equal:

    19 !== 15
  code: 'ERR_ASSERTION'
  ...
1..2
`;

test('starts at the failing test and leaves out what differs from run to run', () => {
  const excerpt = failureExcerpt(tap, 'adds up');
  expect(excerpt.split('\n')[0]).toBe('not ok 2 - adds up');
  expect(excerpt).not.toContain('duration_ms');
  expect(failureExcerpt(tap.replace('2.7', '3.9'), 'adds up')).toBe(excerpt);
});

test.each([
  ['node:test', tap, '19 !== 15'],
  [
    'pytest',
    '____ test_cart ____\nE       assert 19 == 15\nFAILED t.py::test_cart - assert 19 == 15',
    'E       assert 19 == 15',
  ],
  [
    'cargo',
    "thread 'a' panicked at t.rs:5:5:\nassertion `left == right` failed\n  left: 19",
    'assertion `left == right` failed',
  ],
  ['a runner that says little', 'FAIL adds up', null],
])('%s shows what was expected', (_runner, log, line) => {
  expect(failureLine(log, 'adds up')).toBe(line);
});

test('the end of an output that does not name the test', () => {
  expect(
    failureExcerpt(Array.from({ length: 50 }, (_, n) => `line ${n}`).join('\n'), 'adds up')
      .split('\n')
      .at(-1),
  ).toBe('line 49');
});
