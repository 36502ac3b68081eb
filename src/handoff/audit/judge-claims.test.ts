import { expect, test } from 'vitest';
import type { CodeClaim } from '#schema/audit.ts';
import { ClaimJudgements, claimsToJudge, withJudgements } from './judge-claims.ts';

const claim: CodeClaim = {
  agent: 'developer',
  claimedIn: '03-impl.md',
  claimedAt: 4,
  from: '01-plan.md#login',
  file: 'src/a.ts',
  lines: [1, 2],
  status: 'UNJUDGED',
  decidedBy: 'code',
  inDiff: true,
  symbols: { found: [], missing: [] },
  evidence: '',
};
const text = 'const a = 1;\nconst b  = 2;\n';
const good = { claim: 'c1', status: 'CONFIRMED', lines: [1, 2], quote: 'const b = 2;', confidence: 'high' };

function judge(judgements: object[], claims: CodeClaim[] = [claim], file: string | null = text) {
  return withJudgements(claims, ClaimJudgements.parse({ judgements }), () => file)[0];
}

test('only claims that code left open are judged', () => {
  const partial = { ...claim, status: 'PARTIAL' as const };
  expect(claimsToJudge([partial, claim]).map(({ id }) => id)).toEqual(['c1']);
  expect(judge([good], [partial])).toBe(partial);
});

test.each([
  ['cited lines and words that are there', good, 'CONFIRMED'],
  ['no lines', { ...good, lines: undefined }, 'PARTIAL'],
  ['lines that are not there', { ...good, lines: [8, 9] }, 'PARTIAL'],
  ['lines the wrong way round', { ...good, lines: [2, 1] }, 'PARTIAL'],
  ['words of another line', { ...good, lines: [1, 1] }, 'PARTIAL'],
  ['no words', { ...good, quote: ' ' }, 'PARTIAL'],
  ['a judgement that it is partial', { ...good, status: 'PARTIAL' }, 'PARTIAL'],
  ['certainty that there is no trace', { ...good, status: 'MISSING_IN_CODE' }, 'MISSING_IN_CODE'],
  ['a guess that there is no trace', { ...good, status: 'MISSING_IN_CODE', confidence: 'medium' }, 'PARTIAL'],
  ['silence', { ...good, claim: 'c2' }, 'PARTIAL'],
])('%s: %s', (_name, judgement, status) => {
  expect(judge([judgement])).toMatchObject({ status, decidedBy: 'agent' });
});

test('two judgements of one claim, or an unreadable file, are unclear', () => {
  expect(judge([good, good])?.status).toBe('PARTIAL');
  expect(judge([good], [claim], null)?.status).toBe('PARTIAL');
});
