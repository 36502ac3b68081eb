import { describe, expect, test } from 'vitest';
import type { RawFinding } from '#schema/triage.ts';
import { correctTriage } from './correct-triage.ts';
import { validateTriage, validateTriageFile } from './validate-triage.ts';

function raw(id: string, changes: Partial<RawFinding> = {}): RawFinding {
  return {
    id,
    fingerprint: `fp-${id}`,
    severity: 'important',
    category: 'logic',
    file: 'src/a.ts',
    line: 1,
    issue: `issue ${id}`,
    suggestion: '',
    reviewers: ['one'],
    wordings: [],
    unverified: null,
    ...changes,
  };
}

const entry = (id: string, reason = 'looked at it') => ({ id, reason });

interface Case {
  readonly name: string;
  readonly raw: readonly RawFinding[];
  readonly triage: unknown;
  readonly files?: readonly string[];
  readonly code: 0 | 1 | 2;
  readonly corrected?: boolean;
  readonly says?: RegExp;
}

const codes = { valid: 0, invalid: 1, 'needs-person': 2 } as const;
const three = [raw('a'), raw('b'), raw('c')];
const block = (id: string, changes: Partial<RawFinding> = {}) =>
  raw(id, { severity: 'blocking', ...changes });
const all = (ids: string[]) => ids.map((id) => entry(id));

/** The ten classes that every triage has to survive. */
const known: Case[] = [
  {
    name: '1 over-rejection',
    raw: three,
    triage: { accepted: [], deferred: [], rejected: all(['a', 'b', 'c']), approved: true },
    code: 2,
    says: /3 of 3/,
  },
  {
    name: '2 hallucinated finding',
    raw: [raw('a')],
    triage: { accepted: all(['a', 'ghost']), deferred: [], rejected: [], approved: true },
    code: 1,
    says: /ghost is invented/,
  },
  {
    name: '3 contradiction',
    raw: [block('a')],
    triage: { accepted: all(['a']), deferred: [], rejected: [], approved: true },
    code: 0,
    corrected: true,
  },
  { name: '5 schema violation', raw: [raw('a')], triage: { accepted: 'a', approved: true }, code: 1 },
  {
    name: '6 duplicate entries',
    raw: [raw('a')],
    triage: { accepted: all(['a', 'a']), deferred: [], rejected: [], approved: true },
    code: 0,
    corrected: true,
  },
  {
    name: '7 scope creep',
    raw: [raw('a', { file: 'src/other.ts' })],
    triage: { accepted: all(['a']), deferred: [], rejected: [], approved: true },
    files: ['src/a.ts'],
    code: 1,
    says: /defer it/,
  },
  {
    name: '8 empty result',
    raw: [],
    triage: { accepted: [], deferred: [], rejected: [], approved: true },
    code: 0,
  },
  { name: '9 the triager timed out', raw: [raw('a')], triage: undefined, code: 1 },
  {
    name: '10 combined: lost, over-rejected and contradictory',
    raw: [block('a'), ...three.slice(1), raw('d')],
    triage: { accepted: [], deferred: [], rejected: all(['a', 'b', 'c']), approved: false },
    code: 1,
    corrected: true,
    says: /d is in no bucket/,
  },
];

const own: Case[] = [
  {
    name: 'a finding in two buckets',
    raw: [raw('a')],
    triage: { accepted: all(['a']), deferred: [], rejected: all(['a']), approved: true },
    code: 1,
    says: /accepted and rejected/,
  },
  {
    name: 'a finding in no bucket',
    raw: [raw('a'), raw('b')],
    triage: { accepted: all(['a']), deferred: [], rejected: [], approved: true },
    code: 1,
    says: /b is in no bucket/,
  },
  {
    name: 'not approved without a blocking finding',
    raw: [raw('a')],
    triage: { accepted: all(['a']), deferred: [], rejected: [], approved: false },
    code: 0,
    corrected: true,
  },
  {
    name: 'approved is missing',
    raw: [raw('a')],
    triage: { accepted: all(['a']), deferred: [], rejected: [] },
    code: 0,
    corrected: true,
  },
  {
    name: 'approved is a word',
    raw: [block('a')],
    triage: { accepted: all(['a']), deferred: [], rejected: [], approved: 'yes' },
    code: 0,
    corrected: true,
  },
  {
    name: 'an unverified blocking finding is accepted: it does not block',
    raw: [block('a', { unverified: 'outside the diff' })],
    triage: { accepted: all(['a']), deferred: [], rejected: [], approved: true },
    code: 0,
  },
  {
    name: 'two reviewers block and the finding is rejected',
    raw: [block('a', { reviewers: ['one', 'two'] })],
    triage: { accepted: [], deferred: [], rejected: all(['a']), approved: true },
    code: 2,
    says: /2 reviewers/,
  },
  {
    name: 'two reviewers block under two ids, one rejected twice',
    raw: [block('a', { fingerprint: 'x' }), block('b', { fingerprint: 'x', reviewers: ['two'] })],
    triage: { accepted: [], deferred: [], rejected: all(['a', 'b']), approved: true },
    code: 2,
  },
  {
    name: 'one reviewer blocks and is rejected with a reason',
    raw: [block('a')],
    triage: { accepted: [], deferred: [], rejected: all(['a']), approved: true },
    code: 0,
  },
  {
    name: 'everything rejected and the blocking one without a reason',
    raw: [block('a')],
    triage: { accepted: [], deferred: [], rejected: [entry('a', '  ')], approved: true },
    code: 2,
    says: /without a reason/,
  },
  {
    name: 'a rejection without a reason',
    raw: [raw('a'), raw('b')],
    triage: { accepted: all(['a']), deferred: [], rejected: [entry('b', '')], approved: true },
    code: 1,
    says: /no reason/,
  },
  {
    name: 'a deferral without a reason',
    raw: [raw('a')],
    triage: { accepted: [], deferred: [{ id: 'a' }], rejected: [], approved: true },
    code: 1,
    says: /no reason/,
  },
  {
    name: 'an acceptance needs no reason',
    raw: [raw('a')],
    triage: { accepted: [{ id: 'a' }], deferred: [], rejected: [], approved: true },
    code: 0,
  },
  {
    name: 'seven of ten rejected is allowed',
    raw: [...'abcdefghij'].map((id) => raw(id)),
    triage: { accepted: all(['a', 'b', 'c']), deferred: [], rejected: all([...'defghij']), approved: true },
    code: 0,
  },
  {
    name: 'eight of ten rejected is not',
    raw: [...'abcdefghij'].map((id) => raw(id)),
    triage: { accepted: all(['a', 'b']), deferred: [], rejected: all([...'cdefghij']), approved: true },
    code: 2,
  },
  {
    name: 'both of two rejected is allowed: too few to judge',
    raw: [raw('a'), raw('b')],
    triage: { accepted: [], deferred: [], rejected: all(['a', 'b']), approved: true },
    code: 0,
  },
  {
    name: 'unverified findings may all be rejected',
    raw: three.map((each) => ({ ...each, unverified: 'no such line' })),
    triage: { accepted: [], deferred: [], rejected: all(['a', 'b', 'c']), approved: true },
    code: 0,
  },
  {
    name: 'a lowered severity',
    raw: [block('a')],
    triage: { accepted: [{ ...entry('a'), severity: 'minor' }], deferred: [], rejected: [], approved: true },
    code: 1,
    corrected: true,
    says: /reported as blocking, not minor/,
  },
  {
    name: 'twins with two fates',
    raw: [raw('a', { fingerprint: 'x' }), raw('b', { fingerprint: 'x' })],
    triage: { accepted: all(['a']), deferred: [], rejected: all(['b']), approved: true },
    code: 1,
    says: /^a and b are one problem and are accepted and rejected$/,
  },
  {
    name: 'out of scope and deferred',
    raw: [raw('a', { file: 'src/other.ts' })],
    triage: { accepted: [], deferred: all(['a']), rejected: [], approved: true },
    files: ['src/a.ts'],
    code: 0,
  },
  { name: 'an array instead of an object', raw: [raw('a')], triage: [], code: 1 },
  {
    name: 'entries that are ids alone',
    raw: [raw('a')],
    triage: { accepted: ['a'], deferred: [], rejected: [], approved: true },
    code: 1,
  },
  {
    name: 'an id from the prototype',
    raw: [raw('a')],
    triage: { accepted: all(['a', '__proto__', 'constructor']), deferred: [], rejected: [], approved: true },
    code: 1,
    says: /__proto__ is invented/,
  },
  {
    name: 'raw findings that share an id',
    raw: [raw('a'), raw('a')],
    triage: { accepted: all(['a']), deferred: [], rejected: [], approved: true },
    code: 1,
    says: /occurs 2 times/,
  },
  {
    name: 'a triage that is a word, and null',
    raw: [raw('a')],
    triage: 'approved',
    code: 1,
  },
  {
    name: 'entries without an id, twice: they are no repeats of each other',
    raw: [raw('a')],
    triage: { accepted: [{ reason: 'x' }, null, 7, []], deferred: [], rejected: [], approved: true },
    code: 1,
  },
  {
    name: 'everything rejected but one deferred, and a rejection without a reason: no guard for it',
    raw: [block('a'), raw('b')],
    triage: { accepted: [], deferred: all(['b']), rejected: [entry('a', '')], approved: true },
    code: 1,
    says: /^finding a has no reason$/,
  },
  {
    name: 'two blocking findings without a reason are both named',
    raw: [block('a'), block('b')],
    triage: { accepted: [], deferred: [], rejected: [entry('a', ''), entry('b', '')], approved: true },
    code: 2,
    says: /everything is rejected, a, b without a reason/,
  },
  {
    name: 'a severity that is repeated as it was',
    raw: [block('a')],
    triage: {
      accepted: [{ ...entry('a'), severity: 'blocking' }],
      deferred: [],
      rejected: [],
      approved: false,
    },
    code: 0,
  },
];

describe.each([
  { set: 'the ten adversarial classes', cases: known },
  { set: 'classes of our own', cases: own },
])('$set', ({ cases }) => {
  test.each(cases)('$name → $code', ({ raw: findings, triage, files = null, code, corrected, says }) => {
    const report = validateTriage({ raw: findings, files, triage });
    expect(codes[report.status]).toBe(code);
    expect(report.corrected).toBe(corrected ?? false);
    if (says) expect([...report.errors, ...report.guards].join('\n')).toMatch(says);
    if (code === 0) expect([...report.errors, ...report.guards]).toEqual([]);
    if (code === 0 && report.triage) {
      const again = validateTriage({ raw: findings, files, triage: report.triage });
      expect({ ...again, corrected: false }).toEqual({ ...report, corrected: false });
      expect(again.corrected).toBe(false);
    }
  });
});

describe('a triage in a file', () => {
  test('class 4: text that is not JSON is invalid, and the error says so', () => {
    const report = validateTriageFile('{"schema": "joinery/triage@1", ');
    expect(report).toMatchObject({ status: 'invalid', triage: null, corrected: false, guards: [] });
    expect(report.errors).toHaveLength(1);
    expect(report.errors[0]).toMatch(/^it is not JSON: \S/);
    expect(report.schema).toBe('joinery/triage-check@1');
  });

  test('is corrected before the schema check', () => {
    const text = JSON.stringify({
      schema: 'joinery/triage@1',
      raw: [block('a')],
      triage: { accepted: [entry('a')], deferred: [], rejected: [] },
    });
    const report = validateTriageFile(`\uFEFF${text}`);
    expect(report).toMatchObject({
      schema: 'joinery/triage-check@1',
      status: 'valid',
      corrected: true,
      triage: { approved: false },
    });
  });

  test('names the place of each schema error', () => {
    const text = JSON.stringify({ schema: 'joinery/triage@1', raw: [{ id: 'a' }], triage: {} });
    expect(validateTriageFile(text).errors.join('\n')).toMatch(/^raw\.0\.fingerprint: /);
    expect(validateTriageFile('3').errors.join('\n')).toMatch(/^the document: /);
  });

  test('knows the files of the diff', () => {
    const file = {
      schema: 'joinery/triage@1',
      raw: [raw('a', { file: 'src/z.ts' })],
      triage: { accepted: [entry('a')], deferred: [], rejected: [], approved: true },
    };
    expect(validateTriageFile(JSON.stringify(file)).status).toBe('valid');
    expect(validateTriageFile(JSON.stringify({ ...file, files: ['src/a.ts'] })).status).toBe('invalid');
  });
});

test('a correction does not change the given value', () => {
  const given = { accepted: [entry('a'), entry('a')], deferred: [], rejected: [], approved: true };
  const copy = structuredClone(given);
  expect(correctTriage(given, [block('a')]).isCorrected).toBe(true);
  expect(given).toEqual(copy);
});

test.each([undefined, null, 'x', 7, []])('%j is not corrected: the schema check reports it', (given) => {
  expect(correctTriage(given, [])).toEqual({ triage: given, isCorrected: false });
});
