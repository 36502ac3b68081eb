import { describe, expect, test } from 'vitest';
import { ReviewReport } from '#schema/review.ts';
import { judgeReview } from './judge-review.ts';

const finding = (id: string, severity: string, more: object = {}) => ({
  ...{ id, fingerprint: `print-${id}`, severity, category: 'logic', file: 'a.ts', line: 3 },
  ...{ issue: `Problem ${id}.`, suggestion: 'Fix it.', reviewers: ['x'], ...more },
});
const first = { isLast: false, told: new Set<string>() };

function report(findings: readonly object[], accepted: readonly string[], more: object = {}): ReviewReport {
  return ReviewReport.parse({
    schema: 'joinery/review@1',
    ...{ verdict: 'revise', reason: 'accepted findings block', stoppedAt: 'nowhere' },
    base: { ref: 'main', commit: 'a' },
    branch: { ref: 'work', commit: 'b' },
    ...{
      checks: [],
      order: [],
      reviewers: [],
      findings,
      guards: [],
      rebuttals: 0,
      criteria: [],
      scopeCreep: [],
    },
    triage: { accepted: accepted.map((id) => ({ id })), deferred: [], rejected: [], approved: false },
    consensus: { verdict: 'agreed', reviewers: 2, reason: '', disagreements: [] },
    ...{ redTests: [], cost: [], resume: null, ...more },
  });
}

describe('what a developer learns from a review', () => {
  test('only accepted findings, with the place, the advice and the red test', () => {
    const redTests = [{ finding: 'f1', file: 'a.red.test.ts', content: '', evidence: 'e' }];
    const { findings, check } = judgeReview(
      report([finding('f1', 'blocking'), finding('f2', 'blocking')], ['f1'], { redTests }),
      first,
    );
    expect(findings).toEqual([
      {
        fingerprint: 'review:print-f1',
        severity: 'blocking',
        message:
          'a.ts:3 Problem f1. Fix it. a.red.test.ts fails because of it: make it pass and leave the test as it is.',
      },
    ]);
    expect(check).toMatchObject({ name: 'review', status: 'fail', decidedBy: 'agent', required: true });
  });

  test('no place and no advice if there is none', () => {
    const bare = finding('f1', 'minor', { line: undefined, suggestion: '' });
    expect(judgeReview(report([bare], ['f1']), first).findings[0]?.message).toBe('a.ts Problem f1.');
  });

  test('an important finding is worth one attempt, but not the last one or a second', () => {
    const severity = (state: Parameters<typeof judgeReview>[1]) =>
      judgeReview(report([finding('f1', 'important')], ['f1'], { verdict: 'approve' }), state).findings[0]
        ?.severity;
    expect(severity(first)).toBe('blocking');
    expect(severity({ ...first, isLast: true })).toBe('important');
    expect(severity({ isLast: false, told: new Set(['review:print-f1']) })).toBe('important');
    expect(severity({ isLast: false, told: new Set(['review:print-f2']) })).toBe('blocking');
  });

  test('a finding that does not hold against the diff blocks nothing, and minor findings stay minor', () => {
    const said = (one: object) => judgeReview(report([one], ['f1']), first).findings[0]?.severity;
    expect(said(finding('f1', 'blocking', { unverified: 'not there' }))).toBe('important');
    expect(said(finding('f1', 'important', { unverified: 'not there' }))).toBe('important');
    expect(said(finding('f1', 'minor'))).toBe('minor');
  });

  test('an unmet criterion blocks, under an id that does not depend on the reviewer', () => {
    const criteria = [
      { text: 'It greets.', status: 'missing', by: {} },
      { text: 'It is fast.', status: 'partial', by: {} },
    ];
    const [one, ...rest] = judgeReview(report([], [], { criteria }), first).findings;
    expect(rest).toEqual([]);
    expect(one).toMatchObject({ severity: 'blocking', message: expect.stringContaining('It greets.') });
    expect(one?.fingerprint).toMatch(/^review:criterion:[0-9a-f]{12}$/);
  });

  test('what reviewers could not decide goes to a person', () => {
    const split = { verdict: 'split', reviewers: 2, reason: 'they disagree', disagreements: [] };
    const judged = judgeReview(
      report([], [], { verdict: 'uncertain', reason: 'they disagree', consensus: split }),
      first,
    );
    expect(judged).toMatchObject({
      isUndecided: true,
      check: { status: 'inconclusive', detail: 'split: they disagree' },
      findings: [
        { fingerprint: 'review:nowhere:split', severity: 'blocking', message: 'review: they disagree' },
      ],
    });
    const approved = judgeReview(report([], [], { verdict: 'approve' }), first);
    expect(approved).toMatchObject({ isUndecided: false, findings: [], check: { status: 'pass' } });
  });
});
