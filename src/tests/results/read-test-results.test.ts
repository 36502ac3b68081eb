import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sample } from '#test/support/sampling.ts';
import { plainLines } from './plain-lines.ts';
import { readTestResults } from './read-test-results.ts';

const folder = new URL('../../../test/recordings/test-runners/', import.meta.url);
const recorded = new Map(
  readdirSync(folder).map((file) => [
    file.replace(/\.txt$/, ''),
    readFileSync(new URL(file, folder), 'utf8'),
  ]),
);

type Counts = readonly [passed: number, failed: number, skipped: number];

/** Recorded from the real runners (go: from its documentation): three pass, two fail, one is skipped. */
const js = [3, 2, 1] as const;
const both = [2, 0, 0] as const;
const none = [0, 0, 0] as const;
const python = [3, 3, 2] as const;
const unittest = [1, 3, 2] as const;
const expected: Readonly<Record<string, readonly [reader: string, counts: Counts]>> = {
  'vitest-default-fail': ['vitest', js],
  'vitest-verbose-fail': ['vitest', js],
  'vitest-dot-fail': ['vitest', js],
  'vitest-json-fail': ['jest-json', js],
  'vitest-junit-fail': ['junit', js],
  'vitest-tap-fail': ['tap', js],
  'vitest-tapflat-fail': ['tap', js],
  'vitest-default-pass': ['vitest', both],
  'vitest-verbose-pass': ['vitest', both],
  'vitest-dot-pass': ['vitest', both],
  'vitest-json-pass': ['jest-json', both],
  'vitest-junit-pass': ['junit', both],
  'vitest-tap-pass': ['tap', both],
  'vitest-tapflat-pass': ['tap', both],
  'vitest-default-empty': ['vitest', none],
  'vitest-json-empty': ['jest-json', none],
  'jest-default-fail': ['jest', js],
  'jest-verbose-fail': ['jest', js],
  'jest-json-fail': ['jest-json', js],
  'jest-default-pass': ['jest', both],
  'jest-verbose-pass': ['jest', both],
  'jest-json-pass': ['jest-json', both],
  'jest-default-empty': ['jest', [0, 1, 0]],
  'jest-none-empty': ['jest', none],
  'jest-pass-none': ['jest', none],
  'mocha-spec-fail': ['mocha', js],
  'mocha-dot-fail': ['mocha', js],
  'mocha-min-fail': ['mocha', js],
  'mocha-json-fail': ['mocha-json', js],
  'mocha-xunit-fail': ['junit', js],
  'mocha-tap-fail': ['tap', js],
  'mocha-spec-pass': ['mocha', both],
  'mocha-dot-pass': ['mocha', both],
  'mocha-min-pass': ['mocha', both],
  'mocha-json-pass': ['mocha-json', both],
  'mocha-xunit-pass': ['junit', both],
  'mocha-tap-pass': ['tap', both],
  'mocha-spec-empty': ['mocha', none],
  'node-spec-fail': ['node-spec', js],
  'node-tap-fail': ['tap', js],
  'node-junit-fail': ['junit', js],
  'node-spec-pass': ['node-spec', both],
  'node-tap-pass': ['tap', both],
  'node-junit-pass': ['junit', both],
  'node-tap-empty': ['tap', none],
  'tap-tap-fail': ['tap', [2, 1, 1]],
  'ava-tap-fail': ['tap', [1, 1, 1]],
  'ava-default-fail': ['lines', [0, 1, 1]],
  'pytest-default-fail': ['pytest', python],
  'pytest-q-fail': ['pytest', python],
  'pytest-qq-fail': ['pytest', python],
  'pytest-v-fail': ['pytest', python],
  'pytest-ra-fail': ['pytest', python],
  'pytest-junit-fail': ['junit', python],
  'pytest-default-pass': ['pytest', both],
  'pytest-q-pass': ['pytest', both],
  'pytest-default-empty': ['pytest', none],
  'unittest-default-fail': ['unittest', unittest],
  'unittest-v-fail': ['unittest', unittest],
  'unittest-default-pass': ['unittest', [1, 0, 0]],
  'unittest-default-empty': ['unittest', none],
  'cargo-default-fail': ['cargo', [3, 2, 1]],
  'cargo-q-fail': ['cargo', [3, 2, 1]],
  'cargo-first-fail': ['cargo', [1, 2, 1]],
  'cargo-default-pass': ['cargo', [5, 0, 1]],
  'cargo-default-empty': ['cargo', none],
  'nextest-default-fail': ['nextest', [2, 1, 1]],
  'go-default-fail': ['go', [1, 4, 0]],
  'go-v-fail': ['go', [3, 3, 1]],
  'go-json-fail': ['go-json', [1, 2, 1]],
  'go-default-pass': ['go', [1, 0, 0]],
  'go-default-empty': ['go', none],
};
/** Dots without a total: suites and tests look the same. */
const notUnderstood = ['node-dot-fail', 'node-dot-pass'];

const counts = (log: string): Counts | null => {
  const results = readTestResults(log);
  return results && [results.passed, results.failed, results.skipped];
};
const ending = (end: string) => expect.stringMatching(new RegExp(`${end.replace(/[[\]().]/g, '\\$&')}$`));
const textOf = (name: string) => recorded.get(name) ?? '';

describe('test results', () => {
  test('every recorded output has an expectation', () => {
    expect([...recorded.keys()].sort()).toEqual([...Object.keys(expected), ...notUnderstood].sort());
  });

  test.each(Object.entries(expected))('of %s', (name, [reader, wanted]) => {
    const results = readTestResults(textOf(name));
    expect({ counts: counts(textOf(name)), readers: results?.readers }).toEqual({
      counts: wanted,
      readers: [reader],
    });
    if (name !== 'ava-default-fail') expect(results?.failing).toHaveLength(wanted[1]);
  });

  test.each(notUnderstood)('of %s are not guessed', (name) => {
    expect(readTestResults(textOf(name))).toBeNull();
  });

  test.each([
    [
      'vitest-default-fail',
      ['vfail/math.test.mjs > math > division > divides', 'vfail/text.test.mjs > text > splits > twice'],
    ],
    [
      'jest-default-fail',
      ['fail/math.test.js > math › division › divides', 'fail/text.test.js > text › splits > twice'],
    ],
    [
      'jest-json-fail',
      [
        '/project/fail/math.test.js > math > division > divides',
        '/project/fail/text.test.js > text > splits > twice',
      ],
    ],
    ['mocha-spec-fail', ['math > division > divides', 'text > splits > twice']],
    ['mocha-json-fail', ['math division divides', 'text splits > twice']],
    ['node-spec-fail', ['nfail/math.test.js > divides', 'nfail/text.test.js > splits > twice']],
    ['node-tap-fail', ['math > division > divides', 'text > splits > twice']],
    ['node-junit-fail', ['math.division > divides', 'text > splits > twice']],
    [
      'vitest-tap-fail',
      ['vfail/math.test.mjs > math > division > divides', 'vfail/text.test.mjs > text > splits > twice'],
    ],
    [
      'pytest-default-fail',
      ['test_math.py::test_divides', 'test_math.py::test_many[2]', 'test_math.py::TestText::test_error'],
    ],
    ['cargo-default-fail', ['src/lib.rs tests::fails', 'src/lib.rs tests::panics']],
    ['go-default-fail', ['TestDivide', 'TestMany', 'TestMany/two', 'example.com/project/broken']],
  ])('name the failing tests of %s', (name, failing) => {
    expect(readTestResults(textOf(name))).toMatchObject({ failing, hasAllNames: true });
  });

  test.each([
    [
      'vitest-verbose-pass',
      ['vpass/text.test.mjs > text > joins', 'vpass/text.test.mjs > text > splits > twice'],
    ],
    ['jest-verbose-fail', ['adds', 'multiplies', 'joins']],
    ['jest-json-fail', ['adds', 'multiplies', 'joins']],
    ['mocha-spec-fail', ['adds', 'multiplies', 'joins']],
    ['mocha-json-fail', ['adds', 'multiplies', 'joins']],
    ['node-spec-fail', ['math > adds', 'math > multiplies', 'text > joins']],
    ['node-tap-fail', ['math > adds', 'math > multiplies', 'text > joins']],
    ['node-junit-fail', ['adds', 'multiplies', 'joins']],
    [
      'pytest-v-fail',
      ['test_math.py::test_adds', 'test_math.py::test_many[1]', 'test_math.py::TestText::test_joins'],
    ],
    ['unittest-v-fail', ['test_joins (test_un.TestText.test_joins)']],
    ['cargo-default-fail', ['tests::adds', 'outside', 'src/lib.rs - add (line 1)']],
    ['go-v-fail', ['TestAdd', 'TestMany/one', 'TestJoin']],
    ['go-json-fail', ['TestAdd']],
    ['nextest-default-fail', ['tests::adds', 'outside']],
    ['vitest-default-pass', []],
    ['pytest-q-pass', []],
  ])('name the passing tests of %s, if it lists them', (name, passing) => {
    expect(readTestResults(textOf(name))?.passing).toEqual(passing.map((end) => ending(end)));
  });

  test.each([
    ['nothing', ''],
    ['a boast', 'All tests passed!\nEverything is green.\n'],
    ['a compiler', 'src/a.ts(1,1): error TS2304: Cannot find name\n'],
    ['a linter', '✖ 3 problems (2 errors, 1 warning)\n'],
  ])('are not found in %s', (_name, log) => {
    expect(readTestResults(log)).toBeNull();
  });

  test.each([
    ['rspec', '12 examples, 1 failure, 2 pending', [9, 1, 2]],
    ['minitest', '5 runs, 8 assertions, 1 failures, 1 errors, 1 skips', [2, 2, 1]],
    ['exunit', '3 doctests, 12 tests, 2 failures', [10, 2, 0]],
    ['phpunit', 'OK (12 tests, 30 assertions)', [12, 0, 0]],
    ['phpunit', 'Tests: 12, Assertions: 30, Failures: 1, Skipped: 2.', [9, 1, 2]],
    [
      'dotnet',
      'Failed!  - Failed:     1, Passed:    12, Skipped:     2, Total:    15, Duration: 1 s',
      [12, 1, 2],
    ],
    ['surefire', '[ERROR] Tests run: 5, Failures: 1, Errors: 1, Skipped: 1', [2, 2, 1]],
    ['gradle', '12 tests completed, 1 failed', [11, 1, 0]],
    ['deno', 'FAILED | 2 passed | 1 failed | 1 ignored (5ms)', [2, 1, 1]],
    ['ctest', '90% tests passed, 1 tests failed out of 10', [9, 1, 0]],
    ['lines', '  1 failed\n    a.spec.ts:3:1 › x\n  3 passed (2.1s)', [3, 1, 0]],
    ['lines', ' 3 pass\n 0 fail\nRan 3 tests across 1 file. [5.00ms]', [3, 0, 0]],
    ['generic', '5 passed', [5, 0, 0]],
    ['generic', 'Tests: 5 passed, 20 failed', [5, 20, 0]],
  ])('of %s from its closing line', (reader, log, wanted) => {
    expect(counts(log)).toEqual(wanted);
    expect(readTestResults(log)?.readers).toEqual([reader]);
  });

  test('of a file that cannot be loaded are a failure', () => {
    const log =
      ' FAIL  a.test.ts [ a.test.ts ]\nError: no\n\n Test Files  1 failed | 1 passed (2)\n      Tests  3 passed (3)\n';
    expect(readTestResults(log)).toMatchObject({
      passed: 3,
      failed: 1,
      failing: ['a.test.ts [ a.test.ts ]'],
    });
  });
});

describe('several runners', () => {
  const prefixed = (prefix: string, name: string) =>
    textOf(name)
      .trimEnd()
      .split('\n')
      .map((line) => `${prefix}${line}`);

  test('are summed', () => {
    expect(
      counts(textOf('vitest-default-fail') + textOf('pytest-default-fail') + textOf('cargo-default-pass')),
    ).toEqual([11, 5, 4]);
    expect(counts(textOf('vitest-default-pass') + textOf('vitest-default-fail'))).toEqual([5, 2, 1]);
  });

  test.each([
    ['[web] ', '[api] '],
    ['web:test: ', 'api:test: '],
    ['packages/web test: ', 'packages/api test: '],
    ['web-1  | ', 'api-1  | '],
  ])('in parallel are separated by %j and %j', (one, two) => {
    const [web, api] = [prefixed(one, 'mocha-spec-fail'), prefixed(two, 'unittest-default-fail')];
    const mixed = web.flatMap((line, index) => [line, ...(api[index] === undefined ? [] : [api[index]])]);
    expect(counts([...mixed, ...api.slice(web.length)].join('\n'))).toEqual([4, 5, 3]);
  });
});

describe('noise', () => {
  const names = fc.constantFrom(...Object.keys(expected));
  const colour = fc.constantFrom(
    '\x1b[31m',
    '\x1b[1;32m',
    '\x1b[38;5;208m',
    '\x1b]8;;http://localhost\x07',
    '\x1b[2K',
  );
  const complaint = fc.constantFrom(
    'npm warn deprecated left-pad@1.0.0: use String.prototype.padStart()',
    '(node:123) ExperimentalWarning: a feature is experimental',
    '(Use `node --trace-warnings ...` to show where the warning was created)',
    'DEBUG 12:00:01 connected to 127.0.0.1:5432',
    '2026-11-15T12:00:00Z INFO request GET /health 200 in 3 ms',
    '',
  );

  test('does not change the counts', () => {
    fc.assert(
      fc.property(
        names,
        fc.array(fc.tuple(fc.nat(), colour)),
        fc.array(fc.tuple(fc.nat(), complaint)),
        (name, colours, complaints) => {
          const lines = plainLines(textOf(name));
          for (const [index, [at, code]] of new Map(colours.map((each) => [each[0] % lines.length, each]))) {
            const line = lines[index] ?? '';
            const middle = at % (line.length + 1);
            lines[index] = `${line.slice(0, middle)}${code}${line.slice(middle)}\x1b[0m`;
          }
          for (const [at, text] of complaints)
            lines.splice(at % (lines.length + 1), 0, `\x1b[33m${text}\x1b[39m`);
          expect(counts(lines.join('\n'))).toEqual(expected[name]?.[1]);
        },
      ),
      sample('test results survive noise', { normal: 100, soak: 20_000 }),
    );
  });

  test('from another runner at the same time does not either', () => {
    const byLines = ['vitest', 'jest', 'mocha', 'node-spec', 'pytest', 'unittest', 'cargo', 'go'];
    const readable = Object.keys(expected).filter((name) => byLines.includes(expected[name]?.[0] ?? ''));
    const pair = fc
      .tuple(fc.constantFrom(...readable), fc.constantFrom(...readable))
      .filter(([a, b]) => expected[a]?.[0] !== expected[b]?.[0]);
    fc.assert(
      fc.property(pair, fc.infiniteStream(fc.boolean()), ([a, b], turns) => {
        const [first, second] = [plainLines(textOf(a)), plainLines(textOf(b))];
        const mixed: string[] = [];
        while (first.length > 0 && second.length > 0) {
          mixed.push((turns.next().value ? first : second).shift() ?? '');
        }
        const wanted = [0, 1, 2].map((n) => (expected[a]?.[1][n] ?? 0) + (expected[b]?.[1][n] ?? 0));
        expect(counts([...mixed, ...first, ...second].join('\n'))).toEqual(wanted);
      }),
      sample('test results of two runners at once', { normal: 100, soak: 20_000 }),
    );
  });

  test('of any kind is read without hanging or throwing', () => {
    const started = performance.now();
    for (const unit of [
      '<testcase name="',
      'not ok 1 - {\n    ',
      '# Subtest: a\n  ',
      '1 passed, ',
      '  1) a\n       ',
      '{"Action":"',
      '<testcase name="a">',
      '<![CDATA[',
      '<system-out>',
      'Ran 1 test in 0.1s\n',
      '=',
    ]) {
      const text = unit.repeat(1_000_000 / unit.length);
      readTestResults(text);
      readTestResults(`TAP version 13\n<testsuite>${text}</testsuite>`);
    }
    expect(performance.now() - started).toBeLessThan(30_000);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => void readTestResults(text)),
      sample('any log is read', { normal: 100, soak: 20_000 }),
    );
  });
});
