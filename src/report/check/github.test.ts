import { expect, test } from 'vitest';
import * as samples from '#report/testing/sample-reports.ts';
import { renderGithub, renderGithubSummary } from './github.ts';

test('annotates the place that has to change, with errors for blocking findings', () => {
  const [first = ''] = renderGithub(samples.renamed().report).split('\n');
  expect(first).toMatch(
    /^::error file=src\/report\.ts,line=48,endLine=48,col=22,title=S02 use-of-renamed-symbol::/,
  );
  expect(first).toContain('%0AOwner: feat/b (following a rename is mechanical)%0AMove: use fetchUser');
});

test('warns about important findings', () => {
  expect(renderGithub(samples.undecided().report)).toContain('::warning file=src/dates.ts,line=30');
});

test('what could not be checked is a warning at its file', () => {
  expect(renderGithub(samples.undecided().report)).toContain(
    '::warning file=src/broken.ts,title=joinery%3A inconclusive::src/broken.ts: line 4',
  );
});

test('escapes percent signs, line ends, colons and commas', () => {
  const report = samples.report({
    findings: [
      samples.finding({ message: '100%\n::error::x', sites: [samples.site({ file: 'a,b:c%.ts' })] }),
    ],
  });
  const [first = '', ...others] = renderGithub(report).trimEnd().split('\n');
  expect(first).toContain('file=a%2Cb%3Ac%25.ts,');
  expect(first).toContain('::100%25\\n::error::x%0A');
  expect(others).toHaveLength(1);
});

test('a name that looks like a command is not one', () => {
  const report = samples.report({ branches: [samples.branch('::error::x')] });
  for (const line of renderGithub(report).split('\n')) expect(line).not.toMatch(/^::error/);
});

test('the step summary is the whole report in Markdown', () => {
  const { report, frames } = samples.crowded();
  expect(renderGithubSummary(report, frames)).toContain('### ❌ The branches do not fit');
});
