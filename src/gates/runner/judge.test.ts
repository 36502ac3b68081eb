import { describe, expect, test } from 'vitest';
import type { Evidence } from '#schema/gates.ts';
import { readTestResults } from '#tests/results/read-test-results.ts';
import { failureMarkers } from './failure-markers.ts';
import { judgeEvidence } from './judge.ts';

function evidence(claim: Evidence['claim'], log: string, more: Partial<Evidence> = {}): Evidence {
  return {
    schema: 'joinery/evidence@1',
    id: 'x',
    at: '2026-01-01T00:00:00.000Z',
    claim,
    gate: null,
    command: 'npm run x',
    tree: 'a'.repeat(40),
    treeAfter: 'a'.repeat(40),
    outcome: 'exited',
    exitCode: 0,
    signal: null,
    log: { file: 'x', bytes: Buffer.byteLength(log), sha256: '0'.repeat(64), isCut: false },
    tests: claim === 'test' ? readTestResults(log) : null,
    markers: claim === 'test' ? [] : failureMarkers(log),
    incidents: [],
    tools: {},
    wallMs: 1,
    run: null,
    task: null,
    attempt: null,
    ...more,
  };
}

describe('evidence', () => {
  test.each<[string, Evidence, string | null]>([
    ['tests that pass', evidence('test', '5 passed'), null],
    ['a boast', evidence('test', 'All tests passed!'), 'no-counts'],
    ['no test at all', evidence('test', 'No tests found, exiting with code 0'), 'no-tests'],
    ['only skipped tests', evidence('test', 'Tests:       3 skipped, 3 total'), 'no-tests'],
    ['silence', evidence('test', ''), 'empty-log'],
    ['a failing test behind a swallowed exit code', evidence('test', '5 passed, 1 failed'), 'failing-tests'],
    ['20 failed is not 0 failed', evidence('test', '5 passed, 20 failed'), 'failing-tests'],
    ['0 failed is none', evidence('test', '5 passed, 0 failed'), null],
    ['colours', evidence('test', '\x1b[32m5 passed\x1b[0m'), null],
    ['an exit code', evidence('test', '5 passed', { exitCode: 1 }), 'exit-code'],
    [
      'a command that changed the files',
      evidence('test', '5 passed', { treeAfter: 'b'.repeat(40) }),
      'changed-tree',
    ],
    ['a signal', evidence('test', '5 passed', { exitCode: null, signal: 'SIGSEGV' }), 'exit-code'],
    ['a timeout', evidence('test', '5 passed', { outcome: 'timeout', exitCode: null }), 'not-finished'],
    [
      'a program that is not there',
      evidence('test', '', { outcome: 'not-started', exitCode: null }),
      'not-finished',
    ],
    [
      'a log without its middle',
      evidence('test', 'a … b', { log: { file: 'x', bytes: 5, sha256: '0'.repeat(64), isCut: true } }),
      'cut-log',
    ],
    ['a build', evidence('build', 'built in 3 s'), null],
    ['a silent build', evidence('build', ''), 'empty-log'],
    ['`true`', evidence('lint', '', { command: 'true' }), 'empty-log'],
    [
      'a tool that is silent when all is well',
      evidence('typecheck', '', { command: 'npx tsc --noEmit' }),
      null,
    ],
    ['a silent gate of the base commit', evidence('lint', '', { gate: 'lint', command: './lint.sh' }), null],
    [
      'an error behind a swallowed exit code',
      evidence('typecheck', "a.ts(1,1): error TS2304: Cannot find name 'x'."),
      'failure-marker',
    ],
    ['problems of a linter', evidence('lint', '✖ 3 problems (2 errors, 1 warning)'), 'failure-marker'],
    ['no problems of a linter', evidence('lint', 'Found 0 errors. 0 errors, 3 warnings'), null],
    ['a failed build', evidence('build', 'BUILD FAILED in 3s'), 'failure-marker'],
    ['npm', evidence('build', 'npm ERR! code 1'), 'failure-marker'],
    ['a stack of Python', evidence('lint', 'Traceback (most recent call last):\n  x'), 'failure-marker'],
    ['a panic', evidence('build', 'panic: runtime error'), 'failure-marker'],
    [
      'a file name with error in it',
      evidence('build', 'compiled src/errors.ts and 12 error-handling.ts'),
      null,
    ],
  ])('of %s', (_name, given, flaw) => {
    expect(judgeEvidence(given).flaw).toBe(flaw);
  });
});
