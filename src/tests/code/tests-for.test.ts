import { expect, test } from 'vitest';
import { GroundingPolicy } from '#schema/grounding.ts';
import { needsTest } from './tests-for.ts';

test.each([
  ['src/tenant/index.ts', 'export function tenant() {\n  return 1;\n}\n', true],
  ['src/tenant/index.ts', 'export const tenant = () => 1;\n', true],
  [
    'src/tenant/index.ts',
    "export * from './a.ts';\nexport { b } from './b.ts';\nexport type { C } from './c.ts';\n",
    false,
  ],
  ['src/tenant/index.js', "module.exports = require('./a.js');\n", false],
])('%s with %j needs a test: %s', (path, text, expected) => {
  expect(needsTest(path, text, GroundingPolicy.parse({}))).toBe(expected);
});
