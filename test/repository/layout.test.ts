import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '#scripts/root.ts';

test('every test has a folder that says what it is about', () => {
  const entries = readdirSync(join(root, 'test'), { withFileTypes: true });
  const loose = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  expect(loose).toEqual(['architecture.test.ts']);
});

/** Texts that are part of the product: for agents and authors of specs. */
const productTexts = [
  'src/agents/prompt/roles',
  'src/planning/spec/templates',
  'src/workflow/catalogue/workflows',
  'src/workflow/catalogue/workflows/routines',
];

test('src contains code only: samples and recordings are below test', () => {
  const files = globSync('src/**/*.*', { cwd: root });
  expect(files.length).toBeGreaterThan(100);
  const others = files.filter((file) => !/\.[jt]s$/.test(file) && !productTexts.includes(dirname(file)));
  expect(others).toEqual([]);
});

test.each(['guarantees.md', 'reviews.md'])('docs/%s names tests that exist', (file) => {
  const page = readFileSync(join(root, 'docs', file), 'utf8');
  const named = [...page.matchAll(/`((?:src|test)\/[^`]+)`/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(20);
  const isThere = (path: string) => globSync(path, { cwd: root }).length > 0;
  expect(named.flatMap(alternatives).filter((path) => !isThere(path))).toEqual([]);
});

test('docs/reviews.md quotes tests correctly', () => {
  const page = readFileSync(join(root, 'docs', 'reviews.md'), 'utf8');
  const quoted = [...page.matchAll(/`((?:src|test)\/[^`]+\.ts)` ("[^"]+"(?:, "[^"]+")*)/g)];
  expect(quoted.length).toBeGreaterThan(30);
  const missing = quoted.flatMap(([, path = '', titles = '']) => {
    const text = alternatives(path).map((each) => readFileSync(join(root, each), 'utf8'));
    const wanted = [...titles.matchAll(/"([^"]+)"/g)].map(
      ([, title = '']) => title.split('…')[0]?.trim() ?? '',
    );
    return wanted
      .filter((title) => !text.some((each) => each.includes(title)))
      .map((title) => `${path}: ${title}`);
  });
  expect(missing).toEqual([]);
});

/** `a/{b,c}.ts` is `a/b.ts` and `a/c.ts`. */
function alternatives(path: string): string[] {
  const [whole = '', inside = ''] = /\{(.*)\}/.exec(path) ?? [];
  return inside.split(',').map((one) => path.replace(whole, one));
}
