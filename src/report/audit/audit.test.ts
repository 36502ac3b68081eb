import { describe, expect, test } from 'vitest';
import { sarifErrors } from '#report/testing/sarif-schema.ts';
import { parseXml } from '#report/testing/xml.ts';
import { plainPaint } from '#report/text/paint.ts';
import { type AuditLanguage, AuditReport } from '#schema/audit.ts';
import { renderAuditMarkdown } from './markdown.ts';
import { renderAuditSarif } from './sarif.ts';
import { renderAuditSvg } from './svg.ts';
import { renderAuditTerminal } from './terminal.ts';
import { wordsIn } from './words.ts';

const agent = (name: string, more: Partial<AuditReport['agents'][number]> = {}) => ({
  agent: name,
  files: [`${name}.md`],
  hasRecord: true,
  isCompliant: true,
  inputs: { declared: 1, valid: 1, isNone: false },
  outputs: { declared: 2, cited: 1, isNone: false },
  decisions: { logged: 1, isNone: false },
  density: 50,
  citationsIn: 1,
  citationsOut: 1,
  flags: [],
  ...more,
});

const hostile = 'a|b <i>`x`</i>\u001b[31m\u202e&';

const report: AuditReport = AuditReport.parse({
  schema: 'joinery/audit@1',
  subject: { kind: 'folder', name: 'login', path: '/x/login' },
  language: 'en',
  iteration: '2/3',
  pipeline: ['planner', 'developer', hostile],
  score: 33,
  status: 'Theater',
  possibleEdges: 3,
  actualEdges: 1,
  edges: [
    { from: 'planner', to: 'developer', output: '01-plan.md#a', isCited: true },
    { from: 'planner', to: 'developer', output: '01-plan.md#b', isCited: false },
  ],
  gaps: [
    { agent: 'planner', output: '01-plan.md#b', file: '01-plan.md', line: 9, addressedTo: ['developer'] },
  ],
  missingOutputs: [{ agent: 'developer', to: hostile, file: '03-impl.md' }],
  undeclaredSections: [],
  backward: [],
  fabrications: [
    { agent: 'developer', file: '03-impl.md', line: 7, cited: '01-plan.md#ghost', kind: 'input' },
  ],
  orphans: [{ agent: 'developer', why: 'ignored', density: 0, unused: 2 }],
  compliance: { compliant: 2, total: 3 },
  agents: [agent('planner'), agent('developer'), agent(hostile, { hasRecord: false, isCompliant: false })],
  code: {
    diff: { status: 'skipped', detail: 'this is no git repository' },
    claims: [
      {
        agent: 'developer',
        claimedIn: '03-impl.md',
        claimedAt: 7,
        from: '01-plan.md#a',
        file: 'src/a.ts',
        lines: [1, 2],
        status: 'PARTIAL',
        decidedBy: 'code',
        inDiff: null,
        symbols: { found: [], missing: ['one'] },
        evidence: 'one does not occur in src/a.ts',
      },
    ],
  },
  findings: [
    {
      flag: 'FABRICATION',
      severity: 'blocking',
      agent: 'developer',
      file: '03-impl.md',
      line: 7,
      message: '`01-plan.md` has no section `#ghost`',
      hint: '',
      fingerprint: 'abc',
    },
  ],
  exitCode: 1,
});

const at = '2026-11-16T12:00:00.000Z';

describe('coherence-report.md', () => {
  const text = renderAuditMarkdown(report, { at });

  test('has the sections its readers expect, in order', () => {
    expect(text.match(/^##? .*$/gm)).toEqual([
      '# Coherence Report: login',
      '## Overall',
      '## Gaps (1)',
      '## Fabrications (1)',
      '## Code Verification Details',
      '## Orphans (1)',
      '## Per-Agent Citation Density',
      '## Per-Agent Handoff Compliance',
      '## Recommendations',
      '## Raw Data (machine-readable)',
      '## Verdict',
    ]);
  });

  test('can be parsed by programs that read the prose', () => {
    expect(/Coordination Score\*?\*?:?\s*\*?\*?(\d+)\s*%/.exec(text)?.[1]).toBe('33');
    expect(/\((\d+)\s*\/\s*(\d+)\s+edges?\)/.exec(text)?.slice(1)).toEqual(['1', '3']);
    expect(/Status:\s*([A-Za-z]+)/.exec(text)?.[1]).toBe('Theater');
    expect(/Fabrications?:\s*\*?\*?(\d+)/.exec(text)?.[1]).toBe('1');
    expect(/##\s*Gaps?\s*\((\d+)\)/.exec(text)?.[1]).toBe('1');
  });

  test('has the same numbers in its JSON', () => {
    const json: unknown = JSON.parse(/```json\n(.*?)\n```/s.exec(text)?.[1] ?? '');
    expect(json).toMatchObject({
      score: 33,
      possible_edges: 3,
      actual_edges: 1,
      gaps: [{ agent: 'planner', anchor: '01-plan.md#b', addressed_to: 'developer' }],
      missing_outputs: [{ agent: 'developer' }],
      agents: { planner: { hr_compliant: true, outputs: 2 } },
    });
  });

  test('keeps its tables intact and makes invisible characters visible', () => {
    const rows = text.match(/^\|.*\|$/gm) ?? [];
    for (const row of rows) expect([4, 6]).toContain(row.split('|').length - 2);
    for (const character of ['\u001b', '\u202e']) expect(text).not.toContain(character);
  });

  test.each(Object.keys(wordsIn) as AuditLanguage[])('speaks %s', (language) => {
    const words = wordsIn[language];
    const own = renderAuditMarkdown({ ...report, language }, { at });
    expect(own).toContain(words.verdict.Theater);
    expect(own).toContain(words.recommend.gaps('`01-plan.md#b`'));
    for (const [other, { verdict }] of Object.entries(wordsIn))
      if (other !== language) expect(own).not.toContain(verdict.Theater);
  });
});

test('SARIF is valid', () => {
  expect(sarifErrors(JSON.parse(renderAuditSarif(report, { version: '1.2.3' })))).toEqual([]);
});

test('the diagram is XML, draws every agent and leaves out what would be unreadable', () => {
  const svg = renderAuditSvg(report);
  expect(() => parseXml(svg)).not.toThrow();
  expect(svg).toContain('>planner<');
  expect(svg).toContain('>1/2<');
  const many = { ...report, agents: Array.from({ length: 500 }, (_, n) => agent(`agent-${n}`)) };
  expect(renderAuditSvg(many)).toContain('460 more agents are not drawn');
});

test.each([40, 80, 200])('the terminal report stays within %i columns', (width) => {
  const text = renderAuditTerminal(report, { width, paint: plainPaint, unicode: false });
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(width);
  expect(text).toContain('COORDINATION FAILURE');
});
