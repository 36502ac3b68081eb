import { describe, expect, test } from 'vitest';
import type { AttemptState } from '#crew/state/state.ts';
import type { AttemptOutcome, LoopPolicy, Verdict } from '#schema/run.ts';
import { LoopPolicy as LoopPolicySchema } from '#schema/run.ts';
import { nextMove } from './loop.ts';

const policy: LoopPolicy = { max: 3, onNoProgress: 'escalate', onExhausted: 'escalate' };

function attempt(verdict: Verdict, problems: string[] = [], outcome: AttemptOutcome = 'ok'): AttemptState {
  const findings = problems.map((fingerprint) => ({
    fingerprint,
    severity: 'blocking' as const,
    message: fingerprint,
  }));
  return { verdict, outcome, findings } as unknown as AttemptState;
}

const moves = (...attempts: AttemptState[]) => nextMove(policy, attempts).move;

describe('after an attempt', () => {
  test('approved work is accepted', () => expect(moves(attempt('approve'))).toBe('accept'));
  test('a problem is worth another attempt', () => expect(moves(attempt('revise', ['x']))).toBe('again'));
  test('the same problem twice is not', () => {
    expect(moves(attempt('revise', ['x', 'y']), attempt('revise', ['y', 'x']))).toBe('escalate');
  });
  test('another problem is, until the cap', () => {
    expect(moves(attempt('revise', ['x']), attempt('revise', ['y']))).toBe('again');
    expect(moves(attempt('revise', ['x']), attempt('revise', ['y']), attempt('revise', ['x']))).toBe(
      'escalate',
    );
  });
  test('rejection and doubt go to a person at once', () => {
    expect(moves(attempt('reject'))).toBe('escalate');
    expect(moves(attempt('uncertain', ['x']))).toBe('escalate');
  });
  test('an agent that never finished fails', () => {
    expect(moves(attempt('revise', ['c'], 'crashed'), attempt('revise', ['c'], 'crashed'))).toBe('fail');
  });
  test('approval with an open blocking finding is not accepted', () => {
    expect(moves(attempt('approve', ['conflict']))).toBe('again');
  });
});

test('no policy can allow more than three attempts', () => {
  expect(LoopPolicySchema.safeParse({ ...policy, max: 4 }).success).toBe(false);
});
