import { expect, test } from 'vitest';
import { groundedValues } from '#test/support/grounded.ts';

/** The findings about a source that gets one more line. */
function findingsOf(path: string, line: string) {
  const { checks } = groundedValues({ [path]: 'start\n' }, { [path]: `start\n${line}\n` });
  const found = checks.find(({ name }) => name === 'gate-tampering')?.findings ?? [];
  return found.map(({ severity }) => severity);
}

test.each([
  ['src/add.js', 'export const add = (a, b) => (process.env.VITEST ? a + b : a - b);'],
  ['src/add.js', "if (process.env['NODE_TEST_CONTEXT']) use(right);"],
  ['src/add.ts', 'const real = import.meta.env.VITEST_WORKER_ID ? 1 : 2;'],
  ['src/add.ts', 'assert.strictEqual = () => {};'],
  ['src/add.ts', 'expect.extend({ toBe: () => ({ pass: true }) });'],
  ['src/add.ts', 'globalThis.expect = other;'],
  ['app/add.py', "    if 'PYTEST_CURRENT_TEST' in os.environ:"],
  ['app/add.py', "if 'pytest' in sys.modules:"],
  ['app/add.py', 'unittest.TestCase.assertEqual = lambda *a: None'],
])('%s that says %s is refused', (path, line) => {
  expect(findingsOf(path, line)).toEqual(['blocking']);
});

test.each([
  ['src/add.ts', 'const isQuiet = process.env.CI !== undefined;'],
  ['src/add.ts', "import { expect } from 'vitest';"],
  ['app/add.py', "quiet = os.environ.get('CI')"],
])('%s that says %s is told, and not refused', (path, line) => {
  expect(findingsOf(path, line)).toEqual(['important']);
});

test.each([
  ['src/add.ts', '// VITEST sets this'],
  ['src/add.ts', "const city = env.CITY; import x from './vitest';"],
  ['src/add.ts', 'assert.equal(a, b);'],
  ['src/add.ts', 'const same = expect.a === b;'],
  ['src/add.test.ts', 'const real = process.env.VITEST;'],
  ['vitest.setup.config.ts', 'process.env.VITEST'],
  ['app/add.py', 'result = unittest.main == other'],
  ['docs/a.md', 'process.env.VITEST'],
])('%s that says %s is left in peace', (path, line) => {
  const found = findingsOf(path, line);
  // Settings and tests have findings of other kinds.
  expect(path.startsWith('vitest') ? [] : found).toEqual([]);
});
