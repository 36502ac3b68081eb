import { describe, expect, test } from 'vitest';
import { RawFinding } from '#schema/triage.ts';
import { familyOf, judgeConsensus } from './consensus.ts';

const two = [
  { name: 'a', family: 'anthropic' },
  { name: 'b', family: 'openai' },
];
const twins = two.map((judge) => ({ ...judge, family: 'anthropic' }));
const finding = (changes: object = {}) =>
  RawFinding.parse({
    id: 'f',
    fingerprint: 'f',
    severity: 'blocking',
    file: 'a.ts',
    issue: 'x',
    reviewers: ['a'],
    ...changes,
  });
const nothing = () => null;

describe('consensus', () => {
  test.each([
    ['nobody', [], [], 'unverified', 'no reviewer answered'],
    ['one reviewer', two.slice(0, 1), [], 'unverified', 'only one reviewer answered'],
    ['two families without a finding', two, [], 'agreed', 'reviewers of different families agree'],
    [
      'one family without a finding',
      twins,
      [],
      'unverified',
      'all reviewers are models of one family (anthropic)',
    ],
    ['one objects', two, [finding()], 'split', 'reviewers disagree on 1 of 1'],
    [
      'both object',
      two,
      [finding({ reviewers: ['a', 'b'] })],
      'agreed',
      'reviewers of different families agree',
    ],
    [
      'a lesser finding of one',
      two,
      [finding({ severity: 'important' })],
      'agreed',
      'reviewers of different families agree',
    ],
    [
      'an invented objection',
      two,
      [finding({ unverified: 'outside' })],
      'agreed',
      'reviewers of different families agree',
    ],
  ] as const)('%s', (_name, judges, findings, verdict, reason) => {
    expect(judgeConsensus(judges, findings, [], nothing)).toMatchObject({
      verdict,
      reason,
      reviewers: judges.length,
    });
  });

  test('says which reviewer takes which position', () => {
    expect(judgeConsensus(two, [finding()], [], nothing).disagreements).toEqual([
      { topic: 'f: x', positions: { a: 'blocking', b: 'no finding' }, settledBy: null },
    ]);
  });

  test('says on how many points out of how many they disagree', () => {
    const criteria = [{ text: 't', status: 'met' as const, by: { a: 'met: x', b: 'missing' } }];
    const { reason, disagreements } = judgeConsensus(two, [finding()], criteria, () => 'test: confirmed');
    expect(reason).toBe('reviewers disagree on 1 of 2');
    expect(disagreements[1]).toEqual({
      topic: 'criterion: t',
      positions: { a: 'met: x', b: 'missing' },
      settledBy: null,
    });
  });

  test('a test settles a disagreement, also within one model family; it stays in the report', () => {
    const settled = judgeConsensus(two, [finding()], [], () => 'test: confirmed');
    expect(settled.verdict).toBe('agreed');
    expect(settled.disagreements).toMatchObject([{ settledBy: 'test: confirmed' }]);
    expect(settled.reason).toBe('a test decided what they disagreed on');
    expect(judgeConsensus(two, [], [], nothing).reason).toBe('reviewers of different families agree');
    const both = judgeConsensus(twins, [finding({ reviewers: ['a', 'b'] })], [], () => 'test: confirmed');
    expect(both).toMatchObject({ verdict: 'agreed', reason: 'a test decided each finding' });
    expect(judgeConsensus(twins, [finding()], [], () => 'test: confirmed').verdict).toBe('agreed');
    expect(
      judgeConsensus(twins, [finding(), finding({ id: 'g', reviewers: ['a', 'b'] })], [], ({ id }) =>
        id === 'f' ? 'test' : null,
      ).verdict,
    ).toBe('unverified');
  });

  test.each([
    [{ a: 'met: x', b: 'missing' }, 'split'],
    [{ a: 'met: x', b: 'partial' }, 'split'],
    [{ a: 'met: x', b: 'unclear' }, 'agreed'],
    [{ a: 'missing', b: 'missing' }, 'agreed'],
  ])('criteria %j: %s', (by, verdict) => {
    expect(judgeConsensus(two, [], [{ text: 't', status: 'met', by }], nothing).verdict).toBe(verdict);
  });

  test.each([
    ['claude', null, 'anthropic'],
    ['codex', null, 'openai'],
    ['opencode', 'claude-opus', 'anthropic'],
    ['opencode', 'gpt-5', 'openai'],
    ['x', 'o3', 'openai'],
    ['x', 'gemini-3', 'google'],
    ['x', 'qwen-3', 'qwen'],
    ['x', 'llama-5', 'meta'],
    ['x', 'codestral', 'mistral'],
    ['x', 'deepseek-r2', 'deepseek'],
    ['x', 'own-model', 'own-model'],
    ['x', null, 'x'],
  ])('%s with %s is %s', (agent, model, family) => {
    expect(familyOf(agent, model)).toBe(family);
  });
});
