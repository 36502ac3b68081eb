import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AuditReport } from '#schema/audit.ts';
import { type ReferenceAgent, referenceGaps, referenceScore } from '#test/support/reference-audit.ts';
import { sample } from '#test/support/sampling.ts';
import { auditDocuments } from './audit-documents.ts';
import { percentOf, statusOf } from './graph.ts';
import { languageOf } from './language.ts';
import { resolvePath } from './resolve-path.ts';
import { addresseesOf, roster } from './roster.ts';

interface Doc {
  readonly headings?: readonly string[];
  readonly inputs?: readonly string[];
  readonly outputs?: readonly string[];
  readonly decisions?: readonly string[];
}

/** A document with its record; omitted subsections say `- none`. */
function doc({ headings = [], inputs, outputs, decisions }: Doc): string {
  const items = (list?: readonly string[]) => (list ?? ['none']).map((item) => `- ${item}`);
  return [
    ...headings.map((heading) => `## ${heading}\n`),
    '## Handoff Record',
    '### Inputs consumed',
    ...items(inputs),
    '### Outputs for next agents',
    ...items(outputs),
    '### Decisions NOT covered by inputs',
    ...items(decisions),
    '',
  ].join('\n');
}

function audit(
  files: Readonly<Record<string, string>>,
  beside: Readonly<Record<string, string>> = {},
): AuditReport {
  return auditDocuments({
    subject: { kind: 'folder', name: 'f', path: '/f' },
    documents: Object.entries(files).map(([name, text]) => ({ name, path: name, text })),
    verify: () => ({ diff: { status: 'skipped', detail: '' }, claims: [] }),
    readBeside: (path) => (Object.hasOwn(beside, path) ? { text: beside[path] ?? '' } : 'missing'),
  });
}

const sections = (count: number) => Array.from({ length: count }, (_, n) => `S${n}`);
const outputsTo = (count: number, to: string) =>
  sections(count).map((_, n) => `\`01-plan.md#s${n}\` → ${to}`);
const inputsOf = (count: number) => sections(count).map((_, n) => `\`01-plan.md#s${n}\` → used`);

describe('the score', () => {
  test.each([
    [9, 11, 82, 'Normal'],
    [7, 9, 78, 'Normal'],
    [1, 8, 13, 'Theater'],
    [11, 11, 100, 'Healthy'],
    [0, 3, 0, 'Theater'],
  ])('%i of %i is %i, %s', (cited, declared, score, status) => {
    const report = audit({
      '01-plan.md': doc({ headings: sections(declared), outputs: outputsTo(declared, 'developer') }),
      '03-impl.md': doc({ inputs: cited === 0 ? ['`01-plan.md#handoff-record` → x'] : inputsOf(cited) }),
    });
    expect(report).toMatchObject({ score, status, actualEdges: cited, possibleEdges: declared });
    expect(report.gaps).toHaveLength(declared - cited);
    expect(report.exitCode).toBe(status === 'Theater' ? 2 : 0);
  });

  test('is n/a if nothing was addressed to an agent that took part', () => {
    const report = audit({
      '01-plan.md': doc({
        headings: ['S0'],
        outputs: ['`01-plan.md#s0` → user', '`01-plan.md#s0` → shipper'],
      }),
    });
    expect(report).toMatchObject({ score: null, status: 'n/a', possibleEdges: 0, exitCode: 0 });
  });

  test.each([
    [100, 'Healthy'],
    [90, 'Healthy'],
    [89, 'Normal'],
    [70, 'Normal'],
    [69, 'Suspicious'],
    [50, 'Suspicious'],
    [49, 'Theater'],
    [0, 'Theater'],
    [null, 'n/a'],
  ] as const)('%s is %s', (score, status) => {
    expect(statusOf(score)).toBe(status);
  });

  test('rounds half up', () => {
    expect([percentOf(1, 200), percentOf(1, 201), percentOf(199, 200), percentOf(0, 7)]).toEqual([
      1, 0, 100, 0,
    ]);
  });

  test('counts a pair per addressee, and a gap per unused output', () => {
    const report = audit({
      '01-plan.md': doc({
        headings: ['S0', 'S1'],
        outputs: [
          '`01-plan.md#s0` → developer + qa-tester (specs)',
          '`01-plan.md#s1` → developer / qa-tester',
        ],
      }),
      '03-impl.md': doc({
        headings: ['C'],
        inputs: ['`01-plan.md#s0` → x'],
        outputs: ['`03-impl.md#c` → qa-tester'],
      }),
      '04-qa.md': doc({ inputs: ['`03-impl.md#c` → x'] }),
    });
    expect(report).toMatchObject({ possibleEdges: 5, actualEdges: 2, score: 40 });
    expect(report.gaps).toMatchObject([{ output: '01-plan.md#s1', addressedTo: ['developer', 'qa-tester'] }]);
  });

  test('needs the literal path and anchor', () => {
    const report = audit({
      '01-plan.md': doc({ headings: ['S0', 'S1'], outputs: ['`01-plan.md#s0` → developer'] }),
      '03-impl.md': doc({ inputs: ['`./01-plan.md#s0` → x', '`01-plan.md#s1` → y'] }),
    });
    expect(report.actualEdges).toBe(0);
  });

  test('counts what was addressed; what was never declared is a finding', () => {
    const all = {
      '01-plan.md': doc({
        headings: ['S0', 'S1'],
        outputs: ['`01-plan.md#s0` → designer', '`01-plan.md#s1` → developer'],
      }),
      '02-design.md': doc({
        headings: ['D'],
        inputs: ['`01-plan.md#s0` → x'],
        outputs: ['`02-design.md#d` → developer'],
      }),
      '03-impl.md': doc({ inputs: ['`02-design.md#d` → x'] }),
    };
    const less = {
      ...all,
      '01-plan.md': doc({ headings: ['S0', 'S1'], outputs: ['`01-plan.md#s0` → designer'] }),
    };
    expect(audit(all)).toMatchObject({ score: 67, missingOutputs: [] });
    expect(audit(less)).toMatchObject({
      score: 100,
      possibleEdges: 2,
      missingOutputs: [{ agent: 'planner', to: 'developer' }],
      undeclaredSections: [{ agent: 'planner', sections: ['s1'] }],
    });
    expect(audit(less).findings.map(({ flag }) => flag)).toContain('MISSING_OUTPUT');
  });

  test('leaves out what goes back to earlier agents', () => {
    const report = audit({
      '01-plan.md': doc({ headings: ['S0'], inputs: ['`01.5-plan-critique.md#c` → revised'] }),
      '01.5-plan-critique.md': doc({
        headings: ['C'],
        inputs: ['`01-plan.md#s0` → x'],
        outputs: ['`01.5-plan-critique.md#c` → planner'],
      }),
    });
    expect(report).toMatchObject({ score: null, backward: [{ addressedTo: 'planner', isCited: true }] });
  });

  test('agrees with the reference on random crews', () => {
    const crew = roster.filter(({ order }) => order !== null);
    const index = fc.nat(crew.length - 1);
    const member = fc.record({
      // Section 5 does not exist.
      takes: fc.array(fc.tuple(index, fc.nat(5)), { maxLength: 8 }),
      makes: fc.array(fc.tuple(fc.nat(5), fc.array(index, { maxLength: 3 })), { maxLength: 6 }),
    });
    fc.assert(
      fc.property(fc.dictionary(index.map(String), member, { maxKeys: 8 }), (drawn) => {
        const members = Object.entries(drawn).map(([key, value]) => ({ entry: crew[Number(key)], ...value }));
        const fileOf = (n: number) =>
          `${crew[n]?.files[0]?.replace(/\.md$/, '')}x.md`.replace(/^([a-z].*)x\.md$/, '$1.md');
        const name = (n: number) => fileOf(n);
        const files = Object.fromEntries(
          members.map(({ entry, takes, makes }) => {
            const self = crew.indexOf(entry as never);
            return [
              name(self),
              doc({
                headings: ['S0', 'S1', 'S2', 'S3', 'S4'],
                ...(takes.length > 0 ? { inputs: takes.map(([n, s]) => `\`${name(n)}#s${s}\` → x`) } : {}),
                ...(makes.length > 0
                  ? {
                      outputs: makes.map(
                        ([s, to]) =>
                          `\`${name(self)}#s${s}\` → ${to.map((n) => crew[n]?.role).join(' + ') || 'user'}`,
                      ),
                    }
                  : {}),
              }),
            ];
          }),
        );
        const agents = members.map(({ entry, takes, makes }): ReferenceAgent => {
          const self = crew.indexOf(entry as never);
          return {
            role: entry?.role ?? '',
            order: entry?.order ?? 0,
            isTerminal: entry?.isTerminal ?? false,
            inputs: takes.map(([n, s]) => `${name(n)}#s${s}`),
            outputs: makes.map(([s, to]) => ({
              ref: `${name(self)}#s${s}`,
              to: to.map((n) => crew[n]?.role ?? ''),
            })),
          };
        });
        const report = audit(files);
        const { possibleEdges: possible, actualEdges: actual, score } = report;
        expect({ possible, actual, score }).toEqual(referenceScore(agents));
        const told = {
          gaps: report.gaps.map(({ output }) => output).sort(),
          orphans: report.orphans.map(({ agent }) => agent).sort(),
        };
        expect(told).toEqual(referenceGaps(agents));
        const isPresent = (n: number) => members.some(({ entry }) => entry === crew[n]);
        const invented = members.flatMap(({ takes, makes }) => [
          ...takes.filter(([n, s]) => s === 5 && isPresent(n)),
          ...makes.filter(([s]) => s === 5),
        ]);
        expect(report.fabrications).toHaveLength(invented.length);
        expect(report.compliance).toEqual({ compliant: members.length, total: members.length });
      }),
      sample('scores of random crews', { normal: 2000, soak: 20_000 }),
    );
  });
});

describe('flags', () => {
  const good = {
    '01-plan.md': doc({
      headings: ['S0'],
      outputs: ['`01-plan.md#s0` → developer'],
      decisions: ['A. Reason: b'],
    }),
    '03-impl.md': doc({ inputs: ['`01-plan.md#s0` → x'] }),
  };
  const flagsOf = (change: (plan: string, impl: string) => [string, string]) => {
    const [plan, impl] = change(good['01-plan.md'], good['03-impl.md']);
    const report = audit({ '01-plan.md': plan, '03-impl.md': impl });
    return { exitCode: report.exitCode, flags: [...new Set(report.findings.map(({ flag }) => flag))] };
  };

  test('a good pipeline has none', () => {
    expect(audit(good)).toMatchObject({ score: 100, exitCode: 0, compliance: { compliant: 2, total: 2 } });
    expect(flagsOf((plan, impl) => [plan, impl]).flags).toEqual(['NO_OUTPUTS']);
  });

  test.each([
    ['MISSING_HANDOFF_RECORD', '## Handoff Record', '## handoff record', 1],
    ['INCOMPLETE_HANDOFF_RECORD', '### Inputs consumed', '### Inputs', 1],
    ['INCOMPLETE_HANDOFF_RECORD', '- `01-plan.md#s0` → x', 'nothing', 1],
    ['MALFORMED_INPUT', ' → x', ' -> x', 1],
    ['MISSING_FILE', '01-plan.md#s0', '09-plan.md#s0', 2],
    ['FABRICATION', '#s0', '#s9', 1],
    ['INVALID_PATH', '01-plan.md', '../01-plan.md', 1],
    ['INVALID_PATH', '01-plan.md', '/etc/passwd', 1],
    ['INVALID_PATH', '01-plan.md', 'https://example.com/a.md', 1],
    ['ORPHAN', '- `01-plan.md#s0` → x', '- none', 2],
  ])('%s', (flag, from, to, exitCode) => {
    const found = flagsOf((plan, impl) => [plan, impl.replace(from, to)]);
    expect(found.flags).toContain(flag);
    expect(found.exitCode).toBe(exitCode);
  });

  test.each([
    ['MALFORMED_OUTPUT', ' → developer', '→ developer', 1],
    ['MALFORMED_DECISION', '. Reason:', '. reason:', 1],
    ['FABRICATION', '#s0', '#s9', 1],
    ['UNKNOWN_ADDRESSEE', 'developer', 'develper', 0],
  ])('%s of the planner', (flag, from, to, exitCode) => {
    const found = flagsOf((plan, impl) => [plan.replace(from, to), impl]);
    expect(found.flags).toContain(flag);
    expect(found.exitCode).toBe(exitCode);
  });

  test("an output must be the agent's own", () => {
    const found = flagsOf((plan, impl) => [plan, impl.replace('- none', '- `01-plan.md#s0` → qa-tester')]);
    expect(found.flags).toContain('INVALID_PATH');
  });

  test('both names of a document refer to it', () => {
    const qa = doc({ inputs: ['`03-impl.md#c` → x'] });
    const dev = doc({
      headings: ['C'],
      inputs: ['`01-plan.md#s0` → x'],
      outputs: ['`03-impl.md#c` → qa-tester'],
    });
    const report = audit({ '01-plan.md': good['01-plan.md'], '03-dev-notes.md': dev, '04-qa-report.md': qa });
    expect(report).toMatchObject({
      score: 100,
      pipeline: ['planner', 'developer', 'qa-tester'],
      exitCode: 0,
    });
  });

  test('a second file of an agent needs no record', () => {
    expect(audit({ ...good, '03-notes.md': '# more\n' }).exitCode).toBe(0);
  });

  test('anchors of source files are lines or names', () => {
    const cite = (anchor: string) =>
      audit(
        { ...good, '03-impl.md': doc({ inputs: [`\`src/a.ts#${anchor}\` → x`] }) },
        { 'src/a.ts': 'export const one = 1;\n' },
      ).findings.filter(({ flag }) => flag === 'FABRICATION').length;
    expect(['L1', 'L1-L1', 'one', 'L2', 'L0', 'L2-L1', 'on', 'two'].map(cite)).toEqual([
      0, 0, 0, 1, 1, 1, 1, 1,
    ]);
  });

  test('stay the same if lines move', () => {
    const prints = (text: string) =>
      audit({ '01-plan.md': text }).findings.map(({ fingerprint }) => fingerprint);
    const bad = good['01-plan.md'].replace('#s0', '#s9');
    expect(prints(bad)).toEqual(prints(`\n\n${bad}`));
  });
});

describe('orphans', () => {
  const crew = (outputs: number, cited: number) => {
    const report = audit({
      '01-plan.md': doc({ headings: sections(outputs), outputs: outputsTo(outputs, 'developer') }),
      '03-impl.md': doc({ inputs: cited === 0 ? ['`01-plan.md#handoff-record` → x'] : inputsOf(cited) }),
    });
    return report.orphans.map(({ agent }) => agent);
  };

  test('are agents with two outputs or more of which less than 20 % are cited', () => {
    expect(crew(1, 0)).toEqual([]);
    expect(crew(2, 0)).toEqual(['planner']);
    expect(crew(5, 1)).toEqual([]);
    expect(crew(6, 1)).toEqual(['planner']);
  });

  test('are all agents that consumed nothing, except planner and thinker', () => {
    const files = ['design-doc.md', '01-plan.md', '02-design.md', '06-review.md', 'investigation.md'];
    const report = audit(Object.fromEntries(files.map((name) => [name, doc({})])));
    expect(report.orphans).toMatchObject([
      { agent: 'designer', why: 'no-inputs' },
      { agent: 'reviewer', why: 'no-inputs' },
      { agent: 'investigator', why: 'no-inputs' },
    ]);
    const isFree = ({ mayStart }: (typeof roster)[number]) => mayStart === true;
    expect(roster.filter(isFree).map(({ role }) => role)).toEqual(['thinker', 'planner']);
  });
});

test.each([
  ['developer + qa-tester (testable specs)', ['developer', 'qa-tester']],
  ['user / developer (if asked (twice))', ['developer']],
  ['{designer | planner | user}', ['designer', 'planner']],
  ['planner (if REVISE), reviewer', ['planner', 'reviewer']],
  ['`developer` and reviewer', ['developer', 'reviewer']],
  ['nobody', []],
])('addressees of %s', (written, roles) => {
  const known = new Set(roster.map(({ role }) => role));
  expect(addresseesOf(written, (name) => known.has(name)).roles).toEqual(roles);
});

test.each([
  ['01-plan.md', { kind: 'document', name: '01-plan.md' }],
  ['harness/erd.md', { kind: 'file', path: '.claude/harness/erd.md' }],
  ['src/a.ts', { kind: 'file', path: 'src/a.ts' }],
  ['./src//a.ts', { kind: 'file', path: 'src/a.ts' }],
])('%s resolves', (written, target) => {
  expect(resolvePath(written)).toEqual(target);
});

test.each([
  '/a',
  '~/a',
  'C:\\a',
  'c:/a',
  '\\\\server\\a',
  'file:///a',
  'a/../../b',
  '..',
  'a\\..\\b',
  'a\0b',
  'src\\a',
])('%j is refused', (written) => {
  expect(resolvePath(written).kind).toBe('invalid');
});

test.each([
  ['ko', '# 계획\n사용자는 로그인할 수 있어야 한다. Use React.'],
  [
    'ko',
    '# Plan\n사용자는 로그인할 수 있어야 한다.\nThe user can log in with a password, and the page shows the name of the user. Use React for the page.',
  ],
  ['ja', '# 計画\nユーザーはログインできる。'],
  ['zh', '# 计划\n用户可以登录。'],
  ['de', '# Plan\nDer Nutzer kann sich anmelden und die Seite ist nicht leer.'],
  ['en', '# Plan\nThe user can log in. Café.'],
  ['en', '```\n사용자는 로그인할 수 있어야 한다\n```\nplain words here'],
  ['en', ''],
] as const)('is written in %s', (language, text) => {
  expect(languageOf([text])).toBe(language);
});
