import { describe, expect, test } from 'vitest';
import { ChallengeAnswer } from '#schema/challenge.ts';
import { challengeVectors, challengeVerdict, judgeChallenge } from './challenge-verdict.ts';

const many = (count: number, vector: string, severity = 'blocking' as const) =>
  Array.from({ length: count }, () => ({ vector, severity }));

describe('the verdict of a challenge', () => {
  test.each([
    [0, 0, 'approve'],
    [1, 0, 'revise'],
    [2, 0, 'revise'],
    [3, 0, 'reject'],
    [4, 0, 'reject'],
    [0, 1, 'revise'],
    [0, 3, 'revise'],
    [2, 9, 'revise'],
    [3, 1, 'reject'],
  ])('%i objections to the first vector, %i to others: %s', (first, others, verdict) => {
    for (const kind of ['plan', 'spec'] as const) {
      const [root = '', other = ''] = challengeVectors[kind];
      expect(challengeVerdict(kind, [...many(first, root), ...many(others, other)])).toBe(verdict);
    }
  });

  test('findings that do not block change nothing', () => {
    const mild = ['minor', 'info'].flatMap((severity) => many(5, 'premise', severity as 'blocking'));
    expect(challengeVerdict('plan', mild)).toBe('approve');
    expect(challengeVerdict('plan', [...mild, ...many(1, 'risks')])).toBe('revise');
  });
});

test('every vector has a name', () => {
  expect(challengeVectors).toEqual({
    plan: ['premise', 'scope', 'alternatives', 'risks', 'acceptance', 'metrics'],
    spec: [
      'plan-alignment',
      'state-coverage',
      'edge-cases',
      'data-flow',
      'failure-modes',
      'accessibility',
      'motion',
      'developer-contract',
    ],
  });
});

describe('objections', () => {
  const document = 'The cache\n  is never emptied.';
  const judge = (findings: object[], more: object = {}) =>
    judgeChallenge('plan', document, ChallengeAnswer.parse({ findings, right: 'It is short.', ...more }));
  const objection = { vector: 'risks', severity: 'blocking', quote: 'cache is never', issue: 'It grows.' };

  test('block if they quote the document, whatever its white space', () => {
    expect(judge([objection])).toMatchObject({ verdict: 'revise', findings: [{ unverified: null }] });
  });

  test.each([
    ['without a quote', { quote: ' ' }, 'it quotes nothing'],
    ['with a quote that is not there', { quote: 'cache is always' }, 'what it quotes is not in the document'],
    ['with a quote of joined words', { quote: 'cacheis' }, 'what it quotes is not in the document'],
    ['from a vector that there is not', { vector: 'taste' }, 'taste is not a vector of a plan'],
    ['from a vector of other documents', { vector: 'motion' }, 'motion is not a vector of a plan'],
  ])('do not block %s, but are kept', (_name, change, unverified) => {
    const { verdict, findings } = judge([{ ...objection, ...change }]);
    expect(verdict).toBe('approve');
    expect(findings).toMatchObject([{ severity: 'minor', issue: 'It grows.', unverified }]);
  });

  test('with severity info need no quote', () => {
    expect(judge([{ ...objection, severity: 'info', quote: '' }]).findings[0]?.unverified).toBeNull();
  });

  test('are compared with the counts of the answer', () => {
    const right = { counts: { blocking: 1, minor: 0, info: 0 } };
    expect(judge([objection], right).problems).toEqual([]);
    expect(judge([objection], { counts: { blocking: 0, minor: 1, info: 0 } }).problems).toEqual([
      'it counts 0 blocking and lists 1',
      'it counts 1 minor and lists 0',
    ]);
    expect(judge([objection]).problems).toEqual([]);
  });

  test('must come with praise, otherwise the answer is invalid', () => {
    expect(ChallengeAnswer.safeParse({ findings: [] }).success).toBe(false);
    expect(ChallengeAnswer.safeParse({ findings: [], right: ' ' }).success).toBe(false);
  });
});
