import { expect, test } from 'vitest';
import { readTests } from './read-tests.ts';

/** CPU time in milliseconds. */
function cost(path: string, text: string): number {
  const before = process.cpuUsage();
  readTests(path, text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const head = "import { test } from 'node:test';\ntest('a', () => {\n  check();\n});\n";

test.each([
  ['a.test.js', 'import and blanks', (length: number) => `import${' '.repeat(length)}`],
  ['a.test.js', 'const and blanks', (length: number) => `const${' '.repeat(length)}`],
  ['a.test.js', 'function and blanks', (length: number) => `async function${' '.repeat(length)}`],
  ['a.test.js', 'try, catch and blanks', (length: number) => `try {} catch${' '.repeat(length)}`],
  ['a.test.js', 'words', (length: number) => 'const a '.repeat(length / 8)],
  ['a.test.js', 'imports', (length: number) => 'import a\n'.repeat(length / 9)],
  ['test_a.py', 'from and blanks', (length: number) => `from x import${' '.repeat(length)}`],
])('%s of %s takes time in proportion to its length', (path, _, attack) => {
  cost(path, head + attack(1000));
  const [small, large] = [4000, 32_000].map((length) => cost(path, head + attack(length)));
  // Eight times the text: quadratic time would be 64 times as long, cubic 512 times.
  expect(large).toBeLessThan(Math.max(300, 24 * (small ?? 0)));
});
