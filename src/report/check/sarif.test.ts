import { expect, test } from 'vitest';
import * as samples from '#report/testing/sample-reports.ts';
import { sarifErrors } from '#report/testing/sarif-schema.ts';
import { renderSarif } from './sarif.ts';

function run(report = samples.crowded().report) {
  const log = JSON.parse(renderSarif(report, { version: '0.1.0' }));
  return { log, run: log.runs[0], results: log.runs[0].results };
}

test.each([
  ['passing', samples.passing()],
  ['failing', samples.crowded()],
  ['inconclusive', samples.undecided()],
])('a %s report satisfies the schema', (_status, { report }) => {
  expect(sarifErrors(run(report).log)).toEqual([]);
});

test('the schema is really applied', () => {
  const { log } = run();
  log.runs[0].results[0].level = 'fatal';
  expect(sarifErrors(log)).not.toEqual([]);
});

test('rules contain the text of explain', () => {
  const [rule] = run(samples.renamed().report).run.tool.driver.rules;
  expect(rule).toMatchObject({
    id: 'S02',
    name: 'use-of-renamed-symbol',
    defaultConfiguration: { level: 'error' },
  });
  expect(rule.help.text).toContain('What to do');
});

test('a result is placed where the owner has to move, the other side is related', () => {
  const [result] = run(samples.renamed().report).results;
  expect(result.locations[0].physicalLocation).toEqual({
    artifactLocation: { uri: 'src/report.ts', uriBaseId: '%SRCROOT%' },
    region: { startLine: 48, startColumn: 22 },
  });
  expect(result.relatedLocations).toHaveLength(1);
  expect(result.relatedLocations[0].message.text).toBe('provider on feat/a');
  expect(result.relatedLocations[0].physicalLocation.artifactLocation.uri).toBe('src/users.ts');
});

test('results are matched between runs by finding and by cause', () => {
  const { report } = samples.renamed();
  const [result] = run(report).results;
  expect(result.partialFingerprints).toEqual({
    'joineryFinding/v1': report.findings[0]?.id,
    'joineryRootCause/v1': report.findings[0]?.rootCause,
  });
});

test('what a finding does becomes its level', () => {
  const levels = (['stops', 'asks', 'shown', 'hidden'] as const).map((effect) => {
    const report = samples.report({ findings: [samples.finding({ effect })] });
    return run(report).results[0].level;
  });
  expect(levels).toEqual(['error', 'warning', 'note', 'note']);
});

test('paths become URIs byte for byte', () => {
  const file = 'a b/#c/caf\udce9/%d/漢.ts';
  const report = samples.report({ findings: [samples.finding({ sites: [samples.site({ file })] })] });
  const { log, results } = run(report);
  expect(results[0].locations[0].physicalLocation.artifactLocation.uri).toBe(
    'a%20b/%23c/caf%E9/%25d/%E6%BC%A2.ts',
  );
  expect(sarifErrors(log)).toEqual([]);
});

test('a message cannot become a link', () => {
  const message = 'list[0](x) and [all](1)';
  const report = samples.report({ findings: [samples.finding({ message })] });
  expect(run(report).results[0].message.text).toContain('list\\[0\\](x) and \\[all\\](1)');
});

test('an inconclusive check did not succeed, and says why', () => {
  const [invocation] = run(samples.undecided().report).run.invocations;
  expect(invocation.executionSuccessful).toBe(false);
  expect(invocation.toolExecutionNotifications[0].message.text).toContain('src/broken.ts');
});

test('a rule outside the catalogue is still a valid result', () => {
  const report = samples.report({ findings: [samples.finding({ rule: 'V01' })] });
  expect(sarifErrors(run(report).log)).toEqual([]);
});
