import { describe, expect, test } from 'vitest';
import type { FileChange } from '#grounding/change/change.ts';
import { changedLines } from '#lib/changed-lines.ts';
import { ReviewerAnswer } from '#schema/review.ts';
import { judgeCriteria } from './criteria.ts';
import { mergeFindings } from './merge-findings.ts';
import { type Claimed, reasonUnverified } from './verify-finding.ts';

const before = Array.from({ length: 30 }, (_, index) => `const line${index + 1} = ${index};`).join('\n');
const after = before.replace('const line10 = 9;', 'const line10 = total(9);');
const file: FileChange = {
  status: 'modified',
  path: 'src/a.ts',
  oldPath: 'src/old.ts',
  before,
  after,
  lines: changedLines(before, after),
  unreadable: null,
};

function claim(changes: Partial<Claimed> = {}): Claimed {
  return {
    severity: 'blocking',
    category: 'logic',
    file: 'src/a.ts',
    issue: 'It is wrong.',
    suggestion: '',
    ...changes,
  };
}

test('findings that do not hold come after all that hold, whatever severity they claim', () => {
  const findings = [
    claim({ file: 'ghost.ts', issue: 'Invented.' }),
    claim({ line: 900, issue: 'Invented, too.' }),
    claim({ line: 10, severity: 'minor', issue: 'Real.' }),
  ];
  const merged = mergeFindings([{ reviewer: 'a', findings }], [file]);
  expect(merged.map(({ id, unverified }) => [id, unverified === null])).toEqual([
    ['f1', true],
    ['f2', false],
    ['f3', false],
  ]);
  expect(merged[0]?.issue).toBe('Real.');
});

describe('a finding holds against the diff', () => {
  test.each([
    ['by its file alone', claim(), null],
    ['by the old path of a renamed file', claim({ file: 'src/old.ts' }), null],
    ['on the changed line', claim({ line: 10 }), null],
    ['three lines above it', claim({ line: 7 }), null],
    ['three lines below it', claim({ line: 13 }), null],
    ['far away, on a symbol that the change names', claim({ line: 25, symbol: 'total' }), null],
    ['with a quote in other white space', claim({ quote: ' const  line10 =\n total(9);' }), null],
    ['with an empty quote', claim({ quote: ' ' }), null],
    ['on a member of what is there', claim({ symbol: 'line10.total' }), null],
    ['on the first word of the file', claim({ symbol: 'const' }), null],
  ])('%s', (_name, finding, expected) => {
    expect(reasonUnverified(finding, [file])).toBe(expected);
  });

  test.each([
    ['in a file that did not change', claim({ file: 'src/b.ts' }), /not part of the change/],
    ['four lines above the change', claim({ line: 6 }), /outside the diff/],
    ['four lines below the change', claim({ line: 14 }), /outside the diff/],
    ['on a line that does not exist', claim({ line: 31 }), /has 30 lines, and it names line 31/],
    ['on a symbol that does not exist', claim({ symbol: 'tota' }), /there is no tota /],
    ['on a symbol that is part of others', claim({ symbol: 'ne10' }), /there is no ne10 /],
    [
      'with a quote that runs into the next word',
      claim({ quote: 'constline10' }),
      /quotes is not in the file/,
    ],
    ['on a symbol of signs', claim({ symbol: '??' }), /there is no/],
    ['with a quote that is not there', claim({ quote: 'total(8)' }), /quotes is not in the file/],
    ['far away, on a symbol that is not changed', claim({ line: 25, symbol: 'line25' }), /outside the diff/],
  ])('not %s', (_name, finding, expected) => {
    expect(reasonUnverified(finding, [file])).toMatch(expected);
  });

  test('anywhere in a new or deleted file, nowhere after its end, and in a binary one', () => {
    const added = { ...file, status: 'added' as const, before: null };
    expect(reasonUnverified(claim({ line: 30 }), [added])).toBeNull();
    expect(reasonUnverified(claim({ line: 31 }), [added])).not.toBeNull();
    expect(reasonUnverified(claim({ line: 1 }), [{ ...file, status: 'deleted', after: null }])).toBeNull();
    expect(reasonUnverified(claim({ line: 99 }), [{ ...file, before: null, after: null }])).toBeNull();
    expect(reasonUnverified(claim({ line: 31 }), [{ ...added, after: `${after}\n` }])).toMatch(/30 lines/);
  });
});

describe('merging', () => {
  const merge = (...all: [string, Claimed[]][]) =>
    mergeFindings(
      all.map(([reviewer, findings]) => ({ reviewer, findings })),
      [file],
    );

  test('two reviewers who mean one place report one finding, with both wordings', () => {
    const [one, ...rest] = merge(
      ['a', [claim({ line: 10, severity: 'minor', issue: 'Sum is off.' })]],
      ['b', [claim({ line: 10, issue: 'Adds the wrong thing.' })]],
    );
    expect(rest).toEqual([]);
    expect(one).toMatchObject({
      severity: 'blocking',
      reviewers: ['a', 'b'],
      issue: 'Adds the wrong thing.',
      unverified: null,
    });
    expect(one?.wordings).toEqual([
      { reviewer: 'a', issue: 'Sum is off.' },
      { reviewer: 'b', issue: 'Adds the wrong thing.' },
    ]);
    expect(one).toMatchObject({ id: 'f1', line: 10 });
    expect(one).not.toHaveProperty('symbol');
  });

  test('one reviewer with two problems on one line reports two', () => {
    const found = merge(['a', [claim({ line: 10, issue: 'First.' }), claim({ line: 10, issue: 'Second.' })]]);
    expect(found).toHaveLength(2);
    expect(new Set(found.map(({ id }) => id)).size).toBe(2);
  });

  test('of two problems on one line, another reviewer means the first', () => {
    const [first, second] = ['First.', 'Second.'].map((issue) => claim({ line: 10, issue }));
    const found = merge(['a', [first, second] as Claimed[]], ['b', [claim({ line: 10, issue: 'Another.' })]]);
    const shared = found.find(({ reviewers }) => reviewers.length === 2);
    expect(shared?.wordings.map(({ issue }) => issue)).toEqual(['First.', 'Another.']);
    expect(found.map(({ fingerprint }) => fingerprint)).toContain(`${shared?.fingerprint}~2`);
    expect(shared?.fingerprint).toMatch(/^[0-9a-f]{12}$/);
  });

  test('without a line its words identify it, with a symbol that does, and its place is kept', () => {
    const [one] = merge(['a', [claim({ issue: 'a bc' })]]);
    const [other] = merge(['a', [claim({ issue: 'ab c' })]]);
    expect(one?.fingerprint).not.toBe(other?.fingerprint);
    expect(one).not.toHaveProperty('line');
    expect(merge(['a', [claim({ symbol: 'line10', line: 10 })]])).toMatchObject([
      { symbol: 'line10', line: 10 },
    ]);
    const [blank] = mergeFindings([{ reviewer: 'a', findings: [claim({ line: 99 })] }], [file]);
    expect(blank?.fingerprint).toBe(merge(['a', [claim()]])[0]?.fingerprint);
  });

  test('findings of equal severity have a fixed order, whichever came first', () => {
    const claims = [7, 8, 9, 11, 12].map((line) => claim({ line, issue: `At ${line}.` }));
    const issues = (findings: Claimed[]) => merge(['a', findings]).map(({ issue }) => issue);
    expect(issues(claims)).toEqual(issues(claims.toReversed()));
    const prints = merge(['a', claims]).map(({ fingerprint }) => fingerprint);
    expect(prints).toEqual(prints.toSorted());
  });

  test('one reviewer who repeats itself reports one finding', () => {
    expect(merge(['a', [claim({ issue: 'It is wrong!' }), claim({ issue: 'it IS wrong' })]])).toHaveLength(1);
  });

  test('other categories, files and symbols are other findings', () => {
    const others = [
      claim(),
      claim({ category: 'security' }),
      claim({ file: 'src/old.ts' }),
      claim({ symbol: 'line1' }),
    ];
    expect(merge(['a', others])).toHaveLength(4);
  });

  test('a claim that does not hold adds no severity, and its wording is kept', () => {
    const far = claim({ symbol: 'line25', line: 25, severity: 'blocking' });
    const near = claim({ symbol: 'line25', severity: 'minor' });
    expect(merge(['a', [far]], ['b', [near]])).toMatchObject([
      { severity: 'minor', unverified: null, reviewers: ['a', 'b'] },
    ]);
    expect(merge(['a', [far]])).toMatchObject([
      { severity: 'blocking', unverified: 'line 25 is outside the diff' },
    ]);
  });

  test('the fingerprint depends on the text of a line, not its number; the worst comes first', () => {
    const moved = { ...file, after: `// new\n${after}`, lines: changedLines(before, `// new\n${after}`) };
    const [here] = merge(['a', [claim({ line: 10 })]]);
    const [there] = mergeFindings([{ reviewer: 'a', findings: [claim({ line: 11 })] }], [moved]);
    expect(there?.fingerprint).toBe(here?.fingerprint);
    const order = merge(['a', [claim({ severity: 'info' }), claim({ line: 10 })]]);
    expect(order.map(({ severity }) => severity)).toEqual(['blocking', 'info']);
  });

  test('findings are conserved: every wording of every reviewer is in exactly one finding', () => {
    const many = Array.from({ length: 40 }, (_, index) =>
      claim({
        line: (index % 14) + 1,
        issue: `Problem ${index % 9}.`,
        category: index % 2 ? 'logic' : 'api',
      }),
    );
    const found = merge(['a', many.slice(0, 25)], ['b', many.slice(15)]);
    expect(found.flatMap(({ wordings }) => wordings)).toHaveLength(50);
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
  });
});

describe('criteria', () => {
  const said = (status: string, evidence = '') =>
    ReviewerAnswer.parse({ findings: [], criteria: [{ text: 'Sums are right', status, evidence }] });
  const judge = (...answers: ReviewerAnswer[]) =>
    judgeCriteria(
      ['Sums are right.'],
      answers.map((answer, index) => ({ reviewer: `r${index}`, answer })),
      (path) => path === 'src/a.ts',
    )[0];

  test('the worst verdict counts', () => {
    expect(judge(said('met', 'src/a.ts:3'), said('met', 'src/a.ts:9'))?.status).toBe('met');
    expect(judge(said('met', 'src/a.ts:3'), said('partial'))?.status).toBe('partial');
    expect(judge(said('partial'), said('missing'))?.status).toBe('missing');
    expect(judge(said('met', 'src/a.ts:3'), said('unclear'))?.status).toBe('unclear');
    expect(judge(said('unclear'), said('partial'))?.status).toBe('partial');
  });

  test.each([
    ['src/a.ts', 'met'],
    ['see src/a.ts.', 'met'],
    ['src/a.ts: the loop', 'met'],
    ['`src/a.ts`, line 3', 'met'],
    ['src/a.tsx', 'unclear'],
    ['src/a', 'unclear'],
    ['the code', 'unclear'],
    ['...', 'unclear'],
  ])('met by %j is %s', (evidence, status) => {
    expect(judge(said('met', evidence))?.status).toBe(status);
  });

  test('are the same whatever their punctuation, and different ones stay different', () => {
    const answer = (text: string) =>
      ReviewerAnswer.parse({ findings: [], criteria: [{ text, status: 'missing' }] });
    expect(judge(answer('sums -- are RIGHT!'))?.status).toBe('missing');
    expect(judge(answer('Sums areright'))?.status).toBe('unclear');
    expect(judge(answer('Sums are wrong'))?.status).toBe('unclear');
  });

  test('met needs a file that exists, and silence is unclear', () => {
    expect(judge(said('met'))?.status).toBe('unclear');
    expect(judge(said('met', 'src/none.ts:3'))?.status).toBe('unclear');
    expect(judge(ReviewerAnswer.parse({ findings: [] }))).toMatchObject({
      status: 'unclear',
      by: { r0: 'unclear: not answered' },
    });
    expect(judge()?.status).toBe('unclear');
    expect(judge(said('missing'))?.by).toEqual({ r0: 'missing' });
  });
});
