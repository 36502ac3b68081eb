import { describe, expect, test } from 'vitest';
import type { Evidence, Gate } from '#schema/gates.ts';
import { checkClaim } from './check-claim.ts';
import { claimsIn } from './claims-in.ts';

describe('claims in a text', () => {
  test.each<[string, readonly [string, number | null][]]>([
    ['All tests pass.', [['test', null]]],
    ['All 42 tests pass.', [['test', 42]]],
    ['Tests: 42 passed, 0 failed', [['test', 42]]],
    ['42/42 tests green', [['test', 42]]],
    [
      'Tests are green, the build succeeds and lint is clean.',
      [
        ['test', null],
        ['lint', null],
        ['build', null],
      ],
    ],
    [
      '- [x] typecheck passes\n- [x] linter: no errors',
      [
        ['typecheck', null],
        ['lint', null],
      ],
    ],
    ['The test suite passed successfully ✅', [['test', null]]],
    ['tsc is clean', [['typecheck', null]]],
    ['The tests do not pass yet.', []],
    ['Two tests fail.', []],
    ['The tests should pass now.', []],
    ['I added tests for the parser.', []],
    ['Refactored the login form.', []],
  ])('%j', (text, expected) => {
    const found = claimsIn(text).map(({ claim, passed }) => [claim, passed]);
    expect(found.toSorted()).toEqual(expected.toSorted());
  });
});

const tree = 'a'.repeat(40);
const other = 'b'.repeat(40);

function evidence(more: Partial<Evidence> = {}): Evidence {
  return {
    schema: 'joinery/evidence@1',
    id: 'e1',
    at: '2026-01-01T00:00:00.000Z',
    claim: 'test',
    gate: null,
    command: 'npm test',
    tree,
    treeAfter: tree,
    outcome: 'exited',
    exitCode: 0,
    signal: null,
    log: { file: 'x', bytes: 10, sha256: '0'.repeat(64), isCut: false },
    tests: { passed: 5, failed: 0, skipped: 0, failing: [], hasAllNames: true, readers: ['x'] },
    markers: [],
    incidents: [],
    tools: {},
    wallMs: 1,
    run: null,
    task: null,
    attempt: null,
    ...more,
  };
}

const gate = (command: string): Gate => ({
  id: 'test',
  kind: 'test',
  command,
  subsystem: null,
  timeoutMs: 1,
  origin: '',
});
const check = (
  records: readonly Evidence[],
  more: { passed?: number | null; gates?: Gate[]; isIntact?: boolean } = {},
) =>
  checkClaim(
    { claim: 'test', text: null, ...(more.passed === undefined ? {} : { passed: more.passed }) },
    { tree, evidence: records, gates: more.gates ?? [], isIntact: () => more.isIntact ?? true },
  ).reason;

describe('a claim', () => {
  test.each<[string, string | null, string | null]>([
    ['stands with evidence for this tree', check([evidence()]), null],
    ['needs evidence', check([]), 'missing'],
    ['needs evidence of its kind', check([evidence({ claim: 'build' })]), 'missing'],
    ['is not proven by another tree', check([evidence({ tree: other })]), 'stale'],
    ['is decided by the newest', check([evidence(), evidence({ exitCode: 1 })]), 'exit-code'],
    [
      'is not touched by later work on another tree',
      check([evidence(), evidence({ tree: other, exitCode: 1 })]),
      null,
    ],
    ['is not proven by a log that was changed', check([evidence()], { isIntact: false }), 'changed-log'],
    [
      'is not proven by another command than the gate',
      check([evidence({ command: 'echo 5 passed' })], { gates: [gate('npm test')] }),
      'other-command',
    ],
    ['is proven by the gate', check([evidence()], { gates: [gate('npm test')] }), null],
    [
      'needs every gate of its kind',
      check([evidence()], { gates: [gate('npm test'), gate('pytest')] }),
      'other-command',
    ],
    ['in words needs a count', check([evidence()], { passed: null }), 'no-count-claimed'],
    ['in words needs the right count', check([evidence()], { passed: 6 }), 'wrong-count'],
    ['in words stands with the right count', check([evidence()], { passed: 5 }), null],
  ])('%s', (_name, found, expected) => {
    expect(found).toBe(expected);
  });
});
