import { describe, expect, test } from 'vitest';
import { RawFinding, Triage, type Verification } from '#schema/triage.ts';
import { judgeRedTest } from './judge-red-test.ts';
import { testsNamed } from './tests-named.ts';
import { openFindings, withProof } from './with-proof.ts';

const run = (log: string, changes: object = {}) =>
  judgeRedTest({ outcome: 'exited', exitCode: 1, tests: { passed: 0, failed: 1 }, log, ...changes });

describe('a red test', () => {
  test.each([
    ['vitest', 'AssertionError: expected 1 to be 2'],
    ['node:test', "code: 'ERR_ASSERTION'"],
    ['jest', 'Expected: 2\nReceived: 1'],
    ['pytest', 'E       assert 1 == 2'],
  ])('confirms with an assertion of %s', (_name, log) => {
    expect(run(log)).toEqual({ result: 'confirmed', note: 'an assertion fails' });
  });

  test.each([
    'SyntaxError: Unexpected token',
    "Error: Cannot find module './x'",
    'ModuleNotFoundError: No module named x',
    'ImportError: cannot import name',
    'error TS2304: Cannot find name',
    'Test timed out in 5000ms',
    "The requested module does not provide an export named 'x'",
    'ReferenceError: x is not defined',
  ])('does not confirm with %s, whatever else it prints', (log) => {
    expect(run(`AssertionError: expected\n${log}`).result).toBe('inconclusive');
  });

  test.each([
    ['it passes', '', { exitCode: 0, tests: { passed: 1, failed: 0 } }, 'not_reproduced', 'the test passes'],
    ['it timed out', 'AssertionError', { outcome: 'timeout' }, 'inconclusive', 'did not end: timeout'],
    [
      'nothing was run',
      'AssertionError',
      { tests: { passed: 0, failed: 0 } },
      'inconclusive',
      'no test was run',
    ],
    ['nobody can read it', 'AssertionError', { tests: null }, 'inconclusive', 'no test was run'],
    ['it throws', 'TypeError: x is null', {}, 'inconclusive', 'no assertion says why'],
    ['it does not load', "Cannot find module './x'", {}, 'inconclusive', 'broken: Cannot find module'],
    ['it fails and exits with 0', 'AssertionError', { exitCode: 0 }, 'inconclusive', 'no assertion says why'],
    [
      'it passes and exits with 1',
      'AssertionError',
      { tests: { passed: 1, failed: 0 } },
      'inconclusive',
      'no assertion says why',
    ],
    [
      'as many pass as fail',
      'AssertionError',
      { tests: { passed: 1, failed: 1 } },
      'confirmed',
      'an assertion fails',
    ],
  ])('%s: %s', (_name, log, changes, result, note) => {
    expect(run(log, changes)).toMatchObject({ result, note: expect.stringContaining(note) });
  });
});

describe('the triage after proof', () => {
  const raw = ['a', 'b'].map((id) =>
    RawFinding.parse({
      id,
      fingerprint: id,
      severity: 'blocking',
      file: 'a.ts',
      issue: id,
      reviewers: ['x'],
    }),
  );
  const triage = Triage.parse({
    accepted: [{ id: 'a' }, { id: 'b' }],
    deferred: [],
    rejected: [],
    approved: false,
  });
  const verified = (result: Verification['result']) => ({ result, test: 't.test.ts', note: 'n' });

  test('findings that were not reproduced are deferred, never rejected; the rest stays', () => {
    const results = new Map([
      ['a', verified('not_reproduced')],
      ['b', verified('confirmed')],
    ]);
    const next = withProof(raw, triage, results);
    expect(next.accepted).toMatchObject([{ id: 'b', verification: { result: 'confirmed' } }]);
    expect(next.deferred).toMatchObject([{ id: 'a', reason: 'not reproduced by t.test.ts: n' }]);
    expect(next).toMatchObject({ rejected: [], approved: false });
  });

  test('approves when nothing blocking is left, and not because of an inconclusive test', () => {
    const all = (result: Verification['result']) => new Map(raw.map(({ id }) => [id, verified(result)]));
    expect(withProof(raw, triage, all('not_reproduced')).approved).toBe(true);
    expect(withProof(raw, triage, all('inconclusive')).approved).toBe(false);
    expect(withProof(raw, triage, new Map())).toEqual(triage);
  });

  const putOff = Triage.parse({
    accepted: [],
    deferred: [{ id: 'a', reason: 'later' }, { id: 'b' }],
    rejected: [],
    approved: true,
  });

  test('what a test confirms is accepted, even if it was deferred', () => {
    const results = new Map([
      ['a', verified('confirmed')],
      ['b', verified('not_reproduced')],
    ]);
    const next = withProof(raw, putOff, results);
    expect(next).toMatchObject({
      accepted: [
        {
          id: 'a',
          reason: 'confirmed by t.test.ts; the triage wanted to put it off: later',
          verification: {},
        },
      ],
      deferred: [{ id: 'b', verification: { result: 'not_reproduced' } }],
      approved: false,
    });
    expect(openFindings(raw, next)).toEqual([]);
  });

  test('a deferred finding that would block stays open until a test disproves it', () => {
    const ids = (list: readonly RawFinding[], results: [string, Verification][] = []) =>
      openFindings(list, withProof(list, putOff, new Map(results))).map(({ id }) => id);
    expect(ids(raw)).toEqual(['a', 'b']);
    expect(ids(raw, [['a', verified('inconclusive')]])).toEqual(['a', 'b']);
    expect(ids(raw, [['a', verified('not_reproduced')]])).toEqual(['b']);
    expect(ids(raw.map((each) => ({ ...each, severity: 'important' as const })))).toEqual([]);
    expect(ids(raw.map((each) => ({ ...each, unverified: 'it is not part of the change' })))).toEqual([]);
    expect(openFindings(raw, triage)).toEqual([]);
  });

  test('a test without a name still counts', () => {
    const nameless = new Map([['a', { result: 'not_reproduced' as const, test: null, note: 'n' }]]);
    expect(withProof(raw, triage, nameless).deferred).toMatchObject([
      { reason: 'not reproduced by a test: n' },
    ]);
  });
});

describe('tests that a prover names', () => {
  const findings = [{ id: 'f-1' }, { id: 'f-2' }];
  const said = (tests: object[]) => `Done.\n\`\`\`json\n${JSON.stringify({ tests })}\n\`\`\``;

  test('count if they were written, one file per finding', () => {
    const text = said([
      { finding: 'f-1', file: 'a.test.ts' },
      { finding: 'f-2', file: 'a.test.ts' },
      { finding: 'f-1', file: 'b.test.ts' },
      { finding: 'ghost', file: 'b.test.ts' },
      { finding: 'f-2', file: 'never.test.ts' },
    ]);
    expect([...testsNamed(text, ['a.test.ts', 'b.test.ts'], findings)]).toEqual([['f-1', 'a.test.ts']]);
  });

  test('a single file for a single finding need not be named', () => {
    expect([...testsNamed('done', ['a.test.ts'], [{ id: 'f-1' }])]).toEqual([['f-1', 'a.test.ts']]);
    expect(testsNamed('done', ['a.test.ts'], findings).size).toBe(0);
    expect(testsNamed('done', ['a.test.ts', 'b.test.ts'], [{ id: 'f-1' }]).size).toBe(0);
  });
});
