import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '#scripts/root.ts';
import { dialectProblems } from '#test/support/dialect.ts';

test('the code has one dialect: #private members, camelCase constants, test, aliases', () => {
  const files = globSync('{bin,src,test,scripts,bench,web/src}/**/*.{ts,tsx,js}', { cwd: root }).filter(
    (file) => !file.endsWith('.d.ts') && !/\/(fixtures|node_modules)\//.test(file),
  );
  expect(files.length).toBeGreaterThan(1000);
  const problems = files.flatMap((file) =>
    dialectProblems(file, readFileSync(join(root, file), 'utf8')).map((problem) => `${file}: ${problem}`),
  );
  expect(problems).toEqual([]);
});

test.each([
  ['class A { private size = 1 }', ['private size: write #size']],
  ['class A { private static readonly all = [] }', ['private all: write #all']],
  ['class A { protected grow() {} }', ['protected grow: write #grow']],
  ['class A { private get size() { return 1 } }', ['private size: write #size']],
  ['export const MOST_TRIED = 3;', ['MOST_TRIED: write mostTried']],
  ['function f() { let LIMIT = 3; }', ['LIMIT: write limit']],
  ["import { expect, it } from 'vitest';", ['it: write test']],
  ["import { a } from '../../../a.ts';", ['../../../a.ts: write an alias of package.json']],
  ["export * from '../src/a.ts';", ['../src/a.ts: write an alias of package.json']],
  ["import { a } from '../../a.ts'; const text = `import '../../../a.ts'`;", []],
  ['class A { #size = 1; private constructor() {} }', []],
  ['const { PATH } = process.env;', []],
  ["const text = 'const LIMIT = 1; class A { private size }';", []],
  ['const Kind = 1; // private', []],
])('the check itself: %s', (text, problems) => {
  expect(dialectProblems('a.ts', text)).toEqual(problems);
});
