import { expect, test } from 'vitest';
import * as samples from '#report/testing/sample-reports.ts';
import { sarifErrors } from '#report/testing/sarif-schema.ts';
import { parseXml, type XmlElement } from '#report/testing/xml.ts';
import { renderJson } from '#report/text/json.ts';
import { plainPaint } from '#report/text/paint.ts';
import type { Delta, Finding } from '#schema/check-report.ts';
import { renderDelta } from './delta.ts';
import { renderGithub, renderGithubSummary } from './github.ts';
import { renderJunit } from './junit.ts';
import { renderMarkdown } from './markdown.ts';
import { renderSarif } from './sarif.ts';
import { renderTerminal } from './terminal.ts';

const { finding } = samples;
const page = { width: 80, paint: plainPaint, unicode: true };
type Kinds = { readonly [kind in keyof Delta]?: readonly Finding[] };

function compared(kinds: Kinds) {
  const { fixed = [], remaining = [], new: arrived = [], regressed = [], unverified = [] } = kinds;
  const ids = (findings: readonly Finding[]) => findings.map(({ id }) => id);
  return samples.report({
    findings: [...remaining, ...arrived, ...regressed],
    delta: {
      fixed: [...fixed],
      remaining: ids(remaining),
      new: ids(arrived),
      regressed: ids(regressed),
      unverified: [...unverified],
    },
  });
}

function show(kinds: Kinds): string {
  return renderDelta(compared(kinds), page).join('\n');
}

/** A finding with another cause and its own message. */
const other = (name: string) => finding({ rootCause: name, message: `${name} broke` });

const oneOfEach = {
  fixed: [other('gone')],
  remaining: [other('kept')],
  new: [other('fresh')],
  regressed: [other('back')],
  unverified: [other('unseen')],
};

test('all fixed', () => {
  const text = show({ fixed: [finding()] });
  expect(text).toContain('Blocking findings: 1 → 0');
  expect(text).toContain('✓ Fixed: S02 getUser is now fetchUser');
  expect(text).toContain('1 issue(s) fixed, 0 remaining, 0 new');
  expect(text).toContain('All previous issues resolved!');
});

test('something remains', () => {
  const text = show({ fixed: [finding()], remaining: [other('x')] });
  expect(text).toContain('1 issue(s) fixed, 1 remaining, 0 new');
  expect(text).not.toContain('All previous');
});

test('regressed findings are listed separately from new ones', () => {
  const text = show({ new: [finding()], regressed: [other('again')] });
  expect(text).toContain('! Regressed: S02 again');
  expect(text).toContain('0 issue(s) fixed, 0 remaining, 1 new, 1 regressed');
});

test('what was not checked is not called resolved', () => {
  const text = show({ fixed: [finding()], unverified: [other('x')] });
  expect(text).toContain('1 issue(s) fixed, 0 remaining, 0 new, 1 not checked');
  expect(text).not.toContain('All previous');
});

test('hidden findings do not count as fixed', () => {
  expect(show({ fixed: [finding({ confidence: 'possible' })] })).toContain('0 issue(s) fixed');
});

test('a report that was compared with none has no delta', () => {
  const report = samples.report({});
  expect(renderDelta(report, page)).toEqual([]);
  for (const text of [renderMarkdown(report, new Map()), renderGithub(report), renderJunit(report)])
    expect(text).not.toMatch(/previous|delta/);
  expect(renderSarif(report, { version: '0' })).not.toContain('baselineState');
});

test('the terminal report ends with the delta', () => {
  const text = renderTerminal(compared(oneOfEach), new Map(), { ...page, verbose: false });
  expect(text).toMatch(/1 issue\(s\) fixed, 1 remaining, 1 new, 1 regressed, 1 not checked\n$/);
});

test('JSON has ids for findings in the report and whole findings for the others', () => {
  const { delta } = JSON.parse(renderJson(compared(oneOfEach)));
  expect(delta).toEqual({
    fixed: oneOfEach.fixed,
    remaining: [oneOfEach.remaining[0]?.id],
    new: [oneOfEach.new[0]?.id],
    regressed: [oneOfEach.regressed[0]?.id],
    unverified: oneOfEach.unverified,
  });
});

test('Markdown shows the delta under the verdict, and so does the step summary', () => {
  for (const render of [renderMarkdown, renderGithubSummary]) {
    const [, , sum, , ...lines] = render(compared(oneOfEach), new Map()).split('\n');
    expect(sum).toBe(
      '**Since the previous check:** 1 issue(s) fixed, 1 remaining, 1 new, 1 regressed, 1 not checked; blocking findings 3 → 3.',
    );
    expect(lines.slice(0, 4).map((line) => line.replace(/ `.*/, ''))).toEqual([
      '- ✅ Fixed: S02 gone broke',
      '- 🆕 New: S02 fresh broke',
      '- 🔁 Regressed: S02 back broke',
      '- ❔ Not checked this time: S02 unseen broke',
    ]);
  }
  expect(renderMarkdown(compared({ fixed: [finding()] }), new Map())).toContain(
    '1 issue(s) fixed, 0 remaining, 0 new; blocking findings 1 → 0. All previous issues resolved!',
  );
});

test('a long list of changes leaves room for the current findings', () => {
  const fixed = Array.from({ length: 500 }, (_, at) => other(`gone ${at} ${'|'.repeat(700)}`));
  const text = renderMarkdown(compared({ fixed, unverified: fixed, remaining: [other('kept')] }), new Map());
  expect(text.length).toBeLessThanOrEqual(60_000);
  expect(text).toContain('| kept broke |');
  expect(text).toContain('left out for length');
});

test('the log of a workflow has the totals', () => {
  expect(renderGithub(compared(oneOfEach)).trimEnd().split('\n').at(-1)).toBe(
    'joinery: since the previous check: 1 issue(s) fixed, 1 remaining, 1 new, 1 regressed, 1 not checked',
  );
});

test('SARIF: every result has its state, fixed ones are absent, unchecked ones are a note', () => {
  const log = JSON.parse(renderSarif(compared(oneOfEach), { version: '0.1.0' }));
  expect(sarifErrors(log)).toEqual([]);
  const [run] = log.runs;
  const states = run.results.map(
    (result: { message: { text: string }; baselineState: string }) =>
      `${result.message.text.split(' ')[0]} ${result.baselineState}`,
  );
  expect(states.toSorted()).toEqual(['back new', 'fresh new', 'gone absent', 'kept unchanged']);
  expect(run.properties.regressed).toEqual([oneOfEach.regressed[0]?.id]);
  expect(run.invocations[0].toolExecutionNotifications.at(-1)).toMatchObject({
    level: 'note',
    message: { text: expect.stringContaining('not checked this time: S02 unseen broke') },
  });
});

test('JUnit: each suite has the delta of its branch', () => {
  const suites = parseXml(renderJunit(compared(oneOfEach))).children;
  const propertiesOf = (suite: XmlElement | undefined) =>
    Object.fromEntries(
      (suite?.children.find(({ name }) => name === 'properties')?.children ?? []).map(({ attributes }) => [
        attributes.name,
        attributes.value,
      ]),
    );
  const named = (name: string) => propertiesOf(suites.find(({ attributes }) => attributes.name === name));
  expect(named('feat/a')).toEqual({
    'joinery.delta.fixed': oneOfEach.fixed[0]?.id,
    'joinery.delta.remaining': oneOfEach.remaining[0]?.id,
    'joinery.delta.new': oneOfEach.new[0]?.id,
    'joinery.delta.regressed': oneOfEach.regressed[0]?.id,
    'joinery.delta.unverified': oneOfEach.unverified[0]?.id,
  });
  expect(named('feat/c')).toEqual({});
  const elsewhere = finding({ branches: ['feat/x', 'feat/y'] });
  const last = parseXml(renderJunit(compared({ unverified: [elsewhere] }))).children.at(-1);
  expect(propertiesOf(last)).toEqual({ 'joinery.delta.unverified': elsewhere.id });
});
