import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as samples from '#report/testing/sample-reports.ts';
import { sarifErrors } from '#report/testing/sarif-schema.ts';
import { parseXml } from '#report/testing/xml.ts';
import { columnsOf } from '#report/text/columns.ts';
import { renderJson } from '#report/text/json.ts';
import { plainPaint } from '#report/text/paint.ts';
import type { CheckReport } from '#schema/check-report.ts';
import type { Frame, Frames } from '#schema/frame.ts';
import { sample } from '#test/support/sampling.ts';
import { renderGithub, renderGithubSummary } from './github.ts';
import { renderJunit } from './junit.ts';
import { renderMarkdown } from './markdown.ts';
import { renderSarif } from './sarif.ts';
import { renderTerminal } from './terminal.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.constantFrom(
    '\x1b]0;x\x07',
    '\u202e',
    'a\udce9\ud800',
    ']]>',
    '-->',
    '`|`',
    '\r\n::error::x',
    '\0',
    '\x9b2J',
    '</details>',
    '\ufffe',
    '',
  ),
);

/** A sample report in which every free text is replaced. */
const hostile = fc.infiniteStream(text).map((texts) => {
  const next = () => texts.next().value as string;
  const { report, frames } = samples.crowded();
  const findings = report.findings.map((finding) => ({
    ...finding,
    id: next(),
    rootCause: next(),
    rule: next(),
    message: next(),
    branches: [next(), next()],
    owner: next(),
    ownerReason: next(),
    suggestion: next(),
    fix: { from: next(), to: next() },
    sites: finding.sites.map((site) => ({ ...site, branch: next(), file: next(), symbol: next() })),
    witness: {
      ...finding.witness,
      members: finding.witness.members.map((member) => ({ ...member, ref: next() })),
      command: next(),
      output: next(),
      absentOn: [next()],
    },
  }));
  const changed: CheckReport = {
    ...report,
    base: { ...report.base, ref: next() },
    branches: report.branches.map((branch) => ({ ...branch, ref: next() })),
    union: { ...report.union, excluded: [next()], conflicts: [{ paths: [next()], branches: [next()] }] },
    landable: [next(), next()],
    blocked: [{ ref: next(), by: [next()] }],
    findings,
    delta: {
      fixed: findings.map((finding) => ({ ...finding, id: next() })),
      remaining: findings.slice(1, 2).map(({ id }) => id),
      new: findings.slice(2).map(({ id }) => id),
      regressed: findings.slice(0, 1).map(({ id }) => id),
      unverified: findings.map((finding) => ({ ...finding, id: next() })),
    },
    inconclusive: [
      { file: next(), reason: next() },
      { check: next(), reason: next() },
    ],
    degraded: [{ check: next(), reason: next() }],
    stats: { [`${next()}.`]: 1 },
  };
  const rewritten: Frames = new Map(
    Array.from(frames.values(), (list, index) => [
      findings[index]?.id ?? '',
      list.map((frame): Frame => ({ ...frame, branch: next(), file: next(), lines: frame.lines.map(next) })),
    ]),
  );
  return { report: changed, frames: rewritten };
});

const obeyed = /[[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069\ufeff]--[\n]]/v;

function holds(check: (sample: samples.Sample) => void): void {
  fc.assert(fc.property(hostile, check), sample('hostile text in reports', { normal: 40, soak: 1500 }));
}

describe('whatever a repository puts into names, code and messages', () => {
  test.each([24, 40, 80])(
    'the terminal report prints no control characters and stays within %i columns',
    (width) => {
      for (const verbose of [false, true]) {
        holds(({ report, frames }) => {
          const output = renderTerminal(report, frames, { width, paint: plainPaint, verbose, unicode: true });
          expect(output).not.toMatch(obeyed);
          const wide = output
            .split('\n')
            .filter((line) => columnsOf(line) > width && !/^ {2}(joinery|git) /.test(line));
          expect(wide).toEqual([]);
        });
      }
    },
  );

  test('the JSON report prints no control characters and parses to the same value', () => {
    holds(({ report }) => {
      const output = renderJson(report);
      expect(output).not.toMatch(obeyed);
      expect(JSON.parse(output)).toEqual(report);
    });
  });

  test('the SARIF report prints no control characters and satisfies the schema', () => {
    holds(({ report }) => {
      const output = renderSarif(report, { version: '0.1.0' });
      expect(output).not.toMatch(obeyed);
      expect(sarifErrors(JSON.parse(output))).toEqual([]);
    });
  });

  test('the JUnit report prints no control characters and is well formed', () => {
    holds(({ report }) => {
      const output = renderJunit(report);
      expect(output).not.toMatch(obeyed);
      expect(parseXml(output).name).toBe('testsuites');
    });
  });

  test('GitHub gets one command per line and no other', () => {
    holds(({ report }) => {
      const output = renderGithub(report);
      expect(output).not.toMatch(obeyed);
      const lines = output.trimEnd().split('\n');
      expect(lines).toHaveLength(report.findings.length + report.inconclusive.length + 2);
      for (const line of lines) expect(line).toMatch(/^(::(error|warning|notice) [^:]*::|joinery: )/);
    });
  });

  test('a comment prints no control characters, stays short and closes what it opens', () => {
    holds(({ report, frames }) => {
      for (const output of [renderMarkdown(report, frames), renderGithubSummary(report, frames)]) {
        expect(output).not.toMatch(obeyed);
        expect(output.length).toBeLessThanOrEqual(60_000);
        expect(output.match(/^<details>/gm)).toHaveLength(report.findings.length);
      }
    });
  });
});
