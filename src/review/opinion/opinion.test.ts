import { describe, expect, test } from 'vitest';
import type { Finding } from '#schema/check-report.ts';
import { cutDiff } from './cut-diff.ts';
import { type Facts, holdToFacts } from './hold-to-facts.ts';
import { opinionPrompt } from './opinion-prompt.ts';
import { readOpinion } from './read-opinion.ts';
import { compareClaims } from './with-opinion.ts';

/** The answer from the worked example in the source documents. */
const worked = {
  status: 'fail',
  summary: 'Field name mismatch between User model and GraphQL UserType.',
  interface_mismatches: [
    {
      task_a: 'feat/user-model',
      task_b: 'feat/user-graphql',
      location_a: 'models/user.py:2',
      location_b: 'schema/types.py:3',
      description: 'User.name is expected as User.display_name',
      severity: 'critical',
    },
  ],
  schema_inconsistencies: [],
  duplicates: [],
  missing_connections: [],
  contract_gaps: [
    { contract_item: 'users table with name column', status: 'partial', notes: 'One must change.' },
  ],
  critical_issues: ['Field name mismatch'],
  recommendations: ['Align on a single field name.'],
};

const model = 'class User:\n    name = 1\n    email = 2\n';
const types = 'class UserType:\n    id = 1\n    display_name = 2\n';
const facts: Facts = {
  base: { ref: 'main', commit: '0'.repeat(40), changed: new Set(), files: new Map() },
  branches: [
    {
      ref: 'feat/user-model',
      commit: '1'.repeat(40),
      changed: new Set(['models/user.py']),
      files: new Map([['models/user.py', model]]),
    },
    {
      ref: 'feat/user-graphql',
      commit: '2'.repeat(40),
      changed: new Set(['schema/types.py']),
      files: new Map([['schema/types.py', types]]),
    },
  ],
  contract: [{ name: 'User', words: ['User', 'users'], status: 'partial', detail: 'no column name' }],
};
const report = {
  findings: [] as Finding[],
  union: { tree: '3'.repeat(40), excluded: [], conflicts: [] },
  base: { ref: 'main', commit: '0'.repeat(40) },
};

function claimsOf(answer: unknown) {
  const read = readOpinion(typeof answer === 'string' ? answer : JSON.stringify(answer));
  if (read.status !== 'read') throw new Error(read.reason);
  return read;
}

describe('an answer', () => {
  test.each([
    ['bare', (json: string) => json],
    ['fenced', (json: string) => `Here it is:\n\n\`\`\`json\n${json}\n\`\`\`\nDone.`],
    ['inside prose', (json: string) => `I looked at {both}. ${json} That is all.`],
  ])('is read %s', (_name, wrap) => {
    const { claims, said, criticalIssues } = claimsOf(wrap(JSON.stringify(worked)));
    expect(claims.map(({ category, severity }) => [category, severity])).toEqual([
      ['interface', 'critical'],
      ['contract', 'minor'],
    ]);
    expect([said, criticalIssues]).toEqual(['fail', ['Field name mismatch']]);
  });

  test.each(['OK', '', '[1, 2]', '{"hello": 1}', '{"status": '])('%j is no answer', (text) => {
    expect(readOpinion(text)).toMatchObject({ status: 'unusable' });
  });

  test('nested too deeply to walk through is no answer', () => {
    const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    expect(readOpinion(deep)).toMatchObject({ status: 'unusable' });
    expect(claimsOf(JSON.stringify(worked).replace(/\}$/, `,"more":${deep}}`)).claims).toHaveLength(2);
  });

  test('with parts that violate the schema keeps the others and lists the unread ones', () => {
    const { claims, unread } = claimsOf({
      ...worked,
      schema_inconsistencies: 'many',
      duplicates: [{ description: 'twice' }, { description: 'again', locations: ['schema/types.py:1'] }],
    });
    expect(claims.map(({ entry }) => entry)).toEqual([
      'interfaceMismatches[0]',
      'duplicates[1]',
      'contractGaps[0]',
    ]);
    expect(unread.map((each) => each.split(':')[0])).toEqual(['schemaInconsistencies', 'duplicates[0]']);
  });

  test.each([
    ['src/a.ts:12', { file: 'src/a.ts', line: 12, symbol: null }],
    ['./src/a.ts:12-14', { file: 'src/a.ts', line: 12, symbol: null }],
    ['src/a.ts:12:3', { file: 'src/a.ts', line: 12, symbol: null }],
    ['src/a.ts:12#User.name', { file: 'src/a.ts', line: 12, symbol: 'User.name' }],
    ['src/a.ts#User.name', { file: 'src/a.ts', line: null, symbol: 'User.name' }],
    ['src/a.ts:7 (total())', { file: 'src/a.ts', line: 7, symbol: 'total' }],
    ['src/a.ts', { file: 'src/a.ts', line: null, symbol: null }],
  ])('names the place %j', (written, expected) => {
    const { claims } = claimsOf({ duplicates: [{ description: 'x', locations: [written] }] });
    expect(claims[0]?.places[0]).toMatchObject(expected);
  });
});

describe('a claim', () => {
  const judge = (mismatch: object) =>
    claimsOf({ interface_mismatches: [{ ...worked.interface_mismatches[0], ...mismatch }] }).claims.map(
      (claim) => holdToFacts(claim, facts),
    )[0];

  test.each([
    ['file', { location_a: 'models/account.py:1' }, /account.py does not exist on feat\/user-model/],
    ['file of the other branch', { location_a: 'schema/types.py:1' }, /does not exist on feat\/user-model/],
    ['line', { location_b: 'schema/types.py:4' }, /has 3 lines on feat\/user-graphql, and it names line 4/],
    ['line zero', { location_b: 'schema/types.py:0' }, /names line 0/],
    ['symbol', { location_b: 'schema/types.py:3#nick_name' }, /there is no nick_name/],
    ['branch', { task_b: 'feat/nobody' }, /there is no branch feat\/nobody/],
    ['number of a branch', { task_b: '3' }, /there is no branch 3/],
  ])('with a %s that does not exist is dropped', (_name, mismatch, reason) => {
    expect(judge(mismatch)).toEqual({ dropped: expect.stringMatching(reason) });
  });

  test('may name branches by the numbers of the prompt, and places without a branch', () => {
    expect(judge({ task_a: 1, task_b: '2' })).toMatchObject({
      held: { branches: ['feat/user-model', 'feat/user-graphql'] },
    });
    const { claims } = claimsOf({
      duplicates: [{ description: 'x', locations: ['schema/types.py:1', 'models/user.py'] }],
    });
    expect(claims.map((claim) => holdToFacts(claim, facts))).toMatchObject([
      { held: { branches: ['feat/user-graphql', 'feat/user-model'] } },
    ]);
  });

  test('about the contract needs an existing item that code does not find satisfied', () => {
    const gap = (item: string, contract: Facts['contract']) =>
      claimsOf({ contract_gaps: [{ contract_item: item, status: 'missing' }] }).claims.map((claim) =>
        holdToFacts(claim, { ...facts, contract }),
      )[0];
    const user = facts.contract?.[0];
    if (!user) throw new Error('no item');
    expect(gap('users table', [user])).toMatchObject({ held: { item: { name: 'User' } } });
    expect(gap('orders table', [user])).toEqual({ dropped: 'the contract has no item orders table' });
    expect(gap('users table', [{ ...user, status: 'satisfied' }])).toEqual({
      dropped: 'code finds User satisfied',
    });
    expect(gap('users table', null)).toMatchObject({ dropped: expect.stringContaining('no contract') });
  });
});

describe('what a model claims', () => {
  const compare = (answer: object, findings: Finding[] = []) =>
    compareClaims(claimsOf(answer).claims, facts, { ...report, findings });

  test('is never proven and never blocks', () => {
    const { findings, dropped } = compare(worked);
    expect(dropped).toEqual([]);
    expect(
      findings.map(({ severity, confidence, decidedBy, branches }) => [
        severity,
        confidence,
        decidedBy,
        branches,
      ]),
    ).toEqual([
      ['blocking', 'possible', 'agent', ['feat/user-model', 'feat/user-graphql']],
      ['minor', 'possible', 'agent', ['feat/user-model', 'feat/user-graphql']],
    ]);
  });

  test('is one finding however often it is repeated, whatever the words and lines', () => {
    const [first] = worked.interface_mismatches;
    const said = (more: object) => compare({ interface_mismatches: [first, { ...first, ...more }] }).findings;
    expect(said({ description: 'Other words.', severity: 'minor' })).toMatchObject([
      { severity: 'blocking' },
    ]);
    expect(said({ location_b: 'schema/types.py:2' })).toHaveLength(2);
    const moved = {
      ...facts,
      branches: facts.branches.map((branch) => ({
        ...branch,
        files: new Map([...branch.files].map(([path, text]) => [path, `# new\n${text}`])),
      })),
    };
    const later = {
      interface_mismatches: [{ ...first, location_a: 'models/user.py:3', location_b: 'schema/types.py:4' }],
    };
    const [now] = compareClaims(claimsOf(later).claims, moved, report).findings;
    expect(now?.id).toBe(compare({ interface_mismatches: [first] }).findings[0]?.id);
  });

  test('that code found as well is merged into that finding, which stays unchanged', () => {
    const [own] = compare(worked).findings;
    if (!own) throw new Error('no finding');
    const byRule: Finding = {
      ...own,
      id: 'f'.repeat(16),
      rule: 'S10',
      decidedBy: 'code',
      severity: 'blocking',
      confidence: 'proven',
    };
    const { findings, agrees } = compare({ interface_mismatches: worked.interface_mismatches }, [byRule]);
    expect(findings).toEqual([]);
    expect(agrees).toEqual([{ finding: byRule.id, says: 'User.name is expected as User.display_name' }]);
    expect(
      compare({ interface_mismatches: worked.interface_mismatches }, [
        { ...byRule, branches: ['feat/user-model', 'other'] },
      ]).agrees,
    ).toEqual([]);
  });
});

describe('a diff that is too long', () => {
  const hunk = (n: number) => `@@ -${n} +${n} @@\n-old ${n}\n+new ${n} ${'x'.repeat(80)}\n`;
  const file = (name: string, hunks: number) =>
    `diff --git ${name} ${name}\n--- ${name}\n+++ ${name}\n${Array.from({ length: hunks }, (_, n) => hunk(n + 1)).join('')}`;
  const diff = `${file('a.ts', 10)}${file('b.ts', 10)}`;

  test('stays complete if it fits, and never exceeds its share', () => {
    expect(cutDiff(diff, Buffer.byteLength(diff), () => false)).toEqual({ text: diff, omitted: 0 });
    for (let bytes = 0; bytes < Buffer.byteLength(diff); bytes += 13) {
      const { text, omitted } = cutDiff(diff, bytes, () => false);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(bytes);
      const kept = text.match(/^@@ /gm)?.length ?? 0;
      expect(kept + omitted).toBe(20);
      for (const part of text.split(/^(?=@@ )/m).slice(1))
        expect(diff).toContain(part.split('[Trunc')[0]?.split('diff --git')[0]);
      if (bytes > 40)
        expect(text).toContain(`[Truncated: ${omitted} hunk${omitted === 1 ? '' : 's'} omitted]`);
    }
  });

  test('keeps the files at the seams first', () => {
    const { text } = cutDiff(diff, 600, (head) => head.includes(' b.ts\n'));
    expect(text).toContain('+++ b.ts');
    expect(text).not.toContain('+++ a.ts');
  });
});

describe('the prompt', () => {
  const branches = [1, 2, 3].map((n) => ({
    ref: `feat/${n}`,
    diff: Array.from(
      { length: 400 },
      (_, line) => `diff --git f${n}-${line} f${n}-${line}\n@@ -1 +1 @@\n+${'ä'.repeat(60)}\n`,
    ).join(''),
  }));
  const contract = {
    schema: 'joinery/contract@1' as const,
    coreQuestion: 'CORE-QUESTION',
    entities: Array.from({ length: 200 }, (_, n) => ({
      name: `Entity${n}`,
      type: 'type' as const,
      createdByTask: null,
      keyFields: ['id'],
    })),
    relationships: [],
    coreQueries: [],
  };
  const subject = { base: 'main', branches, risk: null, findings: [], spec: null, contract };

  test('gives diffs half of its bytes, divided equally, and cuts neither contract nor instructions', () => {
    const maxBytes = 60_000;
    const { prompt, record } = opinionPrompt(subject, 'ROLE-TEXT\n', maxBytes);
    const shares = prompt.text.split(/^(?=# )/m).filter((part) => part.startsWith('# Branch '));
    expect(shares).toHaveLength(3);
    for (const share of shares) {
      expect(Buffer.byteLength(share)).toBeLessThanOrEqual(maxBytes / 6);
      expect(Buffer.byteLength(share)).toBeGreaterThan(maxBytes / 6 - 500);
      expect(share).toMatch(/\[Truncated: \d+ hunks omitted\]\n```\n/);
    }
    expect(record.cut.map(({ branch }) => branch)).toEqual(['feat/1', 'feat/2', 'feat/3']);
    for (const part of ['ROLE-TEXT', 'CORE-QUESTION', 'Entity199', '# Your answer', 'critical_issues'])
      expect(prompt.text).toContain(part);
    expect(prompt.text.indexOf('# Your answer')).toBeGreaterThan(prompt.text.indexOf('# The contract'));
  });

  test('loses whole chapters of a spec, and says so', () => {
    const chapter = (n: number) => `## Chapter ${n}\n\n${'word '.repeat(1500)}\n`;
    const spec = { path: 'specs/a.md', text: `# Spec\n\n${[1, 2, 3, 4, 5, 6].map(chapter).join('')}` };
    const { prompt, record } = opinionPrompt({ ...subject, contract: null, spec }, 'ROLE\n', 60_000);
    expect(record.dropped.length).toBeGreaterThan(0);
    expect(Buffer.byteLength(prompt.text)).toBeLessThanOrEqual(60_000);
    for (const id of record.dropped) expect(prompt.text).toContain(`- ${id}`);
    expect(prompt.text).toContain('# Left out for lack of space');
  });
});
