import { expect, test } from 'vitest';
import { askReport } from './asked-report.ts';

const script = (text: string) => (path: string) =>
  path === 'package.json' || path === 'packages/a/package.json'
    ? JSON.stringify({ scripts: { test: text, unit: 'vitest run' } })
    : null;
const vitest = '--reporter=default --reporter=junit --outputFile.junit=/r';

test.each([
  ['npm test', 'vitest', `npm test -- ${vitest}`],
  ['npm test -- a.test.js', 'vitest run', `npm test -- a.test.js ${vitest}`],
  ['cd packages/a && npm test', 'vitest', `cd packages/a && npm test -- ${vitest}`],
  ['npm test', 'npm run unit', `npm test -- ${vitest}`],
  ['vitest run', '', `vitest run ${vitest}`],
  ['npm test', 'jest', 'npm test -- --json --outputFile=/r'],
  // Words would go to the last program of the line.
  ['npm test', 'vitest run && node done.js', null],
  // It has a report of its own.
  ['npm test', 'vitest run --reporter=dot', null],
  ['npm test', 'node run-tests.js', null],
])('%s, where test is %j, asks by words', (line, text, asked) => {
  expect(askReport(line, '/r', {}, script(text))?.line ?? null).toBe(asked);
});

test.each([
  ['npm test', 'node --test', 'NODE_OPTIONS'],
  ['npm test -- a.test.js', 'tsc && node --import tsx --test', 'NODE_OPTIONS'],
  ['python3 -m pytest', '', 'PYTEST_ADDOPTS'],
  ['tox', '', 'PYTEST_ADDOPTS'],
])('%s, where test is %j, asks by the variable %s', (line, text, name) => {
  const asked = askReport(line, '/r', { [name]: '--mine' }, script(text));
  expect(asked?.line).toBe(line);
  expect(asked?.env[name]).toMatch(/^--mine .*\/r/);
});

test('a recipe of make is read for its runner', () => {
  const read = (path: string) => (path === 'Makefile' ? 'test: all\n\tpytest -q\n\nall:\n\ttrue\n' : null);
  expect(askReport('make test', '/r', {}, read)?.env).toHaveProperty('PYTEST_ADDOPTS');
});
