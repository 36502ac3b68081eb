import { describe, expect, test } from 'vitest';
import * as samples from '#report/testing/sample-reports.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import {
  type BlockPolicy,
  blockPolicies,
  conclusionOf,
  type Effect,
  effectOf,
  exitCodeOf,
  type Verdict,
  verdictOf,
} from '#schema/verdict.ts';
import { renderCodeQuality } from './codequality.ts';
import { renderGithub } from './github.ts';
import { renderJunit } from './junit.ts';
import { renderMarkdown } from './markdown.ts';
import { renderSarif } from './sarif.ts';
import { renderTerminal } from './terminal.ts';

interface Row {
  readonly what: string;
  readonly finding: Parameters<typeof effectOf>[0];
  /** By policy: the verdict, and what the finding does. */
  readonly expected: Readonly<Record<BlockPolicy, readonly [Verdict, Effect]>>;
}

const rows: readonly Row[] = [
  {
    what: 'breaks, judged by facts',
    finding: { severity: 'blocking', confidence: 'proven', judge: 'facts' },
    expected: { proven: ['fail', 'stops'], likely: ['fail', 'stops'], important: ['fail', 'stops'] },
  },
  {
    what: 'breaks, likely, judged by a test',
    finding: { severity: 'blocking', confidence: 'likely', judge: 'test:adds' },
    expected: { proven: ['fail', 'stops'], likely: ['fail', 'stops'], important: ['fail', 'stops'] },
  },
  {
    what: 'breaks, likely, no judge',
    finding: { severity: 'blocking', confidence: 'likely', judge: null },
    expected: { proven: ['pass', 'shown'], likely: ['undecided', 'asks'], important: ['undecided', 'asks'] },
  },
  {
    what: 'breaks, likely, by a rule that asks nobody',
    finding: { severity: 'blocking', confidence: 'likely', judge: null, asks: false },
    expected: { proven: ['pass', 'shown'], likely: ['pass', 'shown'], important: ['pass', 'shown'] },
  },
  {
    what: 'breaks, likely, refuted by green tests',
    finding: { severity: 'blocking', confidence: 'likely', judge: null, refuted: 'green tests ran a.js:1' },
    expected: { proven: ['pass', 'shown'], likely: ['pass', 'shown'], important: ['pass', 'shown'] },
  },
  {
    what: 'breaks, accepted',
    finding: { severity: 'blocking', confidence: 'proven', judge: 'person:ada', accepted: 'follows next' },
    expected: { proven: ['pass', 'shown'], likely: ['pass', 'shown'], important: ['pass', 'shown'] },
  },
  {
    what: 'important',
    finding: { severity: 'important', confidence: 'proven', judge: 'facts' },
    expected: { proven: ['pass', 'shown'], likely: ['pass', 'shown'], important: ['fail', 'stops'] },
  },
  {
    what: 'breaks, only possible',
    finding: { severity: 'blocking', confidence: 'possible', judge: null },
    expected: { proven: ['pass', 'hidden'], likely: ['pass', 'hidden'], important: ['pass', 'hidden'] },
  },
];

/** What every surface says of a finding that does this. */
const words: Readonly<Record<Effect, Readonly<Record<string, string>>>> = {
  stops: { sarif: 'error', junit: 'failure', annotation: 'error', codeQuality: 'blocker' },
  asks: { sarif: 'warning', junit: 'error', annotation: 'warning', codeQuality: 'critical' },
  shown: { sarif: 'note', junit: 'passed', annotation: 'notice', codeQuality: 'major' },
  hidden: { sarif: 'note', junit: 'none', annotation: 'none', codeQuality: 'none' },
};

/** What they say of the whole. */
const ofAll: Readonly<Record<Verdict, { code: number; mark: string; icon: string }>> = {
  pass: { code: exitCodes.ok, mark: '✓', icon: '✅' },
  fail: { code: exitCodes.findings, mark: '✗', icon: '❌' },
  undecided: { code: exitCodes.needsPerson, mark: '?', icon: '❔' },
};

const page = {
  width: 100,
  verbose: false,
  unicode: true,
  paint: new Proxy({}, { get: () => (text: string) => text }),
} as unknown as Parameters<typeof renderTerminal>[2];

/** Everything that is printed of one finding under one policy, and of a thing that was demanded and not read. */
function surfaces(judgeable: Row['finding'] | null, block: BlockPolicy) {
  const effect = judgeable === null ? null : effectOf(judgeable, block);
  const { asks: _, ...own } = judgeable ?? {};
  const findings = effect === null ? [] : [samples.finding({ ...own, effect })];
  const inconclusive = judgeable === null ? [{ file: 'src/a.ts', reason: 'line 4 does not parse' }] : [];
  const status = verdictOf(findings, inconclusive.length);
  const report = samples.report({
    status,
    findings,
    inconclusive,
    ...(status === 'pass'
      ? {}
      : { landable: [], blocked: [{ ref: 'feat/b', by: findings.map(({ id }) => id) }] }),
  });
  const junit = renderJunit(report);
  const cases = junit.split('<testcase').filter((each) => each.includes(findings[0]?.id ?? 'inconclusive'));
  const annotations = renderGithub(report).split('\n');
  const [quality] = JSON.parse(renderCodeQuality(report)) as { severity: string }[];
  return {
    status,
    effect,
    code: exitCodeOf(status),
    conclusion: conclusionOf(status, findings),
    terminal: renderTerminal(report, new Map(), page),
    markdown: renderMarkdown(report, new Map()),
    junitTotals: /<testsuites[^>]*>/.exec(junit)?.[0] ?? '',
    sarif: JSON.parse(renderSarif(report, { version: '0' })).runs[0].results[0]?.level ?? 'none',
    junit: cases.length === 0 ? 'none' : (/<(failure|error)/.exec(cases.join(''))?.[1] ?? 'passed'),
    annotation: /^::(error|warning|notice) /m.exec(annotations.join('\n'))?.[1] ?? 'none',
    codeQuality: quality?.severity ?? 'none',
  };
}

describe.each(blockPolicies)('with block: %s, every surface says the same of a finding that', (block) => {
  test.each(rows)('$what', ({ finding, expected }) => {
    const { status, effect, code, conclusion, terminal, markdown, junitTotals, ...said } = surfaces(
      finding,
      block,
    );
    expect([status, effect]).toEqual(expected[block]);
    const { mark, icon, code: exit } = ofAll[status];
    expect({ code, mark: terminal[0], icon: markdown.includes(icon) }).toEqual({
      code: exit,
      mark,
      icon: true,
    });
    expect(said).toEqual(words[effect ?? 'hidden']);
    expect(conclusion).toBe(
      status === 'fail'
        ? 'failure'
        : status === 'undecided'
          ? 'action_required'
          : effect === 'shown'
            ? 'neutral'
            : 'success',
    );
    const isGreen = /failures="0"/.test(junitTotals) && /errors="0"/.test(junitTotals);
    expect({ isGreen, isPass: status === 'pass' }).toEqual({ isGreen: status === 'pass', isPass: isGreen });
  });

  test('was demanded and could not be read', () => {
    const { status, code, conclusion, terminal, markdown, junit, annotation } = surfaces(null, block);
    expect({ status, code, conclusion, mark: terminal[0], junit, annotation }).toEqual({
      status: 'undecided',
      code: exitCodes.needsPerson,
      conclusion: 'action_required',
      mark: '?',
      junit: 'error',
      annotation: 'warning',
    });
    expect(markdown).toContain(ofAll.undecided.icon);
  });
});
