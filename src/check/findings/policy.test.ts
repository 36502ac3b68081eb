import { expect, test } from 'vitest';
import type { FindingBeforePolicy } from '#schema/check-report.ts';
import { findingId, rootCauseId } from '#schema/identity.ts';
import { applyPolicy, noPolicy, type Policy } from './policy.ts';

const rootCause = rootCauseId('S10', 'src/user.ts#User.name');
const finding: FindingBeforePolicy = {
  id: findingId(rootCause, ['a', 'b']),
  rootCause,
  rule: 'S10',
  category: 'interface',
  severity: 'blocking',
  confidence: 'proven',
  judge: 'facts',
  decidedBy: 'code',
  message: '',
  branches: ['a', 'b'],
  owner: null,
  ownerReason: '',
  sites: [
    {
      branch: 'a',
      file: 'src/user.ts',
      line: 1,
      column: 1,
      endLine: 1,
      symbol: 'src/user.ts#User.fullName',
      role: 'provider',
    },
    {
      branch: 'b',
      file: 'src/greet.ts',
      line: 1,
      column: 1,
      endLine: 1,
      symbol: 'src/greet.ts#greet',
      role: 'consumer',
    },
  ],
  tier: 'R2',
  witness: { unionTree: null, members: [], command: '', output: '', absentOn: [] },
  suggestion: '',
};

function decide(policy: Partial<Policy>) {
  const { kept, ignored, notes } = applyPolicy([{ finding }], { ...noPolicy, ...policy }, '2026-06-15');
  return { severities: kept.map((entry) => entry.finding.severity), ignored, notes };
}

const reason = 'known';

test.each([
  ['its id', { id: finding.id }],
  ['its id as reports for people cut it', { id: finding.id.slice(0, 8) }],
  ['the symbol it is about, though that has another name now', { symbol: 'src/user.ts#User.name' }],
  ['a symbol at one of its places', { symbol: 'src/greet.ts#greet' }],
  ['a glob of one of its files', { path: 'src/gr*.ts' }],
  ['its rule', { rule: 'S10' }],
  ['several of these', { rule: 'S10', path: 'src/**', id: finding.id }],
  ['a day that is not over', { id: finding.id, expires: '2026-06-15' }],
])('an entry with %s accepts a finding, and the report says so', (_what, entry) => {
  expect(decide({ ignore: [{ ...entry, reason }] })).toEqual({
    severities: [],
    ignored: [{ id: finding.id, rule: 'S10', reason }],
    notes: [],
  });
});

test.each([
  ['another id', { id: `${finding.id.slice(0, 8)}x` }],
  ['a piece of the id that could be of any', { id: finding.id.slice(0, 4) }],
  ['another rule as well', { rule: 'S02', path: 'src/**' }],
  ['another symbol', { symbol: 'src/user.ts#User' }],
])('an entry with %s accepts nothing, and the report says so', (_what, entry) => {
  const { severities, notes } = decide({ ignore: [{ ...entry, reason }] });
  expect(severities).toEqual(['blocking']);
  expect(notes).toEqual([
    { check: 'ignore', reason: expect.stringMatching(/^matches nothing .*\(known\)$/) },
  ]);
});

test('an expired entry accepts nothing, and the report says so', () => {
  const { severities, notes } = decide({ ignore: [{ id: finding.id, expires: '2026-06-14', reason }] });
  expect(severities).toEqual(['blocking']);
  expect(notes[0]?.reason).toMatch(/^expired on 2026-06-14: /);
});

test('two entries for one finding both count as used, even when its rule is off', () => {
  const ignore = [
    { id: finding.id, reason: 'first' },
    { path: 'src/**', reason: 'second' },
  ];
  expect(decide({ ignore })).toMatchObject({ notes: [], ignored: [{ reason: 'first' }] });
  expect(decide({ ignore, rules: { S10: 'off' } })).toMatchObject({
    notes: [],
    ignored: [{ reason: 'S10 is off' }],
  });
});

test('a rule has the severity the project gives it', () => {
  expect(decide({ rules: { S10: 'minor' } }).severities).toEqual(['minor']);
});

test('a likely finding of a rule that breaks asks, one that a person accepts does not', () => {
  const likely = { ...finding, confidence: 'likely' as const, judge: null };
  const effect = (policy: Partial<Policy>) =>
    applyPolicy([{ finding: likely }], { ...noPolicy, ...policy }, '2026-06-15').kept[0]?.finding;
  expect(effect({})).toMatchObject({ severity: 'blocking', effect: 'asks' });
  expect(effect({ block: 'proven' })).toMatchObject({ effect: 'shown' });
  const accept = [{ id: finding.id.slice(0, 8), reason: 'the importer goes in May', by: 'person:ada' }];
  expect(effect({ accept })).toMatchObject({
    effect: 'shown',
    judge: 'person:ada',
    accepted: 'the importer goes in May',
  });
});

test('an acceptance of an unknown finding is told', () => {
  const accept = [{ id: 'ffffffff', reason: 'typed wrongly', by: 'person:ada' }];
  expect(decide({ accept }).notes).toEqual([
    { check: 'accept', reason: expect.stringContaining('ffffffff') },
  ]);
});

test('a rule that a project calls blocking is obeyed', () => {
  const likely = { ...finding, rule: 'C10', severity: 'important' as const, confidence: 'likely' as const };
  const effectWith = (wished: Policy['rules']) =>
    applyPolicy([{ finding: { ...likely, judge: null } }], { ...noPolicy, rules: wished }, '2026-01-01')
      .kept[0]?.finding.effect;
  expect(effectWith({})).toBe('shown');
  expect(effectWith({ C10: 'blocking' })).toBe('asks');
});
