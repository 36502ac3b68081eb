import { expect, test } from 'vitest';
import * as samples from '#report/testing/sample-reports.ts';
import { parseXml } from '#report/testing/xml.ts';
import { renderJunit } from './junit.ts';

test('a suite per branch, a case per finding, totals that add up', () => {
  const root = parseXml(renderJunit(samples.crowded().report));
  const names = root.children.map(({ attributes }) => attributes.name);
  expect(names).toEqual([
    'feat/a',
    'feat/b',
    'feat/c',
    'feat/user-model',
    'feat/user-graphql',
    'feat/old',
    'main',
  ]);
  for (const key of ['tests', 'failures', 'errors', 'skipped']) {
    const sum = root.children.reduce((total, suite) => total + Number(suite.attributes[key]), 0);
    expect(root.attributes[key]).toBe(String(sum));
  }
  expect(root.attributes).toMatchObject({ tests: '10', failures: '3', errors: '0', skipped: '2' });
});

test('a finding fails the branch that has to move, not the one that can land', () => {
  const suites = parseXml(renderJunit(samples.renamed().report)).children;
  const outcomes = suites.map(({ children }) => children[0]?.children.map(({ name }) => name));
  expect(outcomes).toEqual([['system-out'], ['failure'], []]);
  const failed = suites[1]?.children[0];
  expect(failed?.attributes).toMatchObject({ classname: 'feat/b', file: 'src/report.ts', line: '48' });
  expect(failed?.children[0]?.text).toContain('Move: use fetchUser instead of getUser');
});

test('what could not be checked is an error, and so is what nobody has judged, on each branch it concerns', () => {
  const root = parseXml(renderJunit(samples.undecided().report));
  expect(root.attributes).toMatchObject({ errors: '3', failures: '0' });
});

test('text with markup and control characters stays well formed', () => {
  const message = '<a b="c">\x00\x1b[0m & ]]> \ufffe \ud800';
  const report = samples.report({ status: 'fail', landable: [], findings: [samples.finding({ message })] });
  const [suite] = parseXml(renderJunit(report)).children;
  expect(suite?.children[0]?.children[0]?.attributes.message).toBe(
    '<a b="c">\\x00\\x1b[0m & ]]> \\u{fffe} \\u{d800}',
  );
});
