import { expect, test } from 'vitest';
import { type Asked, estimate, isSource } from './estimate.ts';

/** Files of 10 kB each. */
const treeOf = (paths: readonly string[]) => new Map(paths.filter(isSource).map((path) => [path, 10_000]));
const many = (folder: string, count: number, ending = 'ts') =>
  Array.from({ length: count }, (_, index) => `${folder}/f${index}.${ending}`);
const asked = (config: string, settings: object, kind: Asked['kind'] = 'native'): Asked => ({
  config,
  text: JSON.stringify(settings),
  kind,
});

test('the estimate depends on the sources of a project, and is several times higher for the older compiler', () => {
  const tree = treeOf([...many('src', 300), ...many('docs', 500)]);
  const settings = { include: ['src/**/*'] };
  const native = estimate(tree, [asked('tsconfig.json', settings)], ['src/f1.ts'], 2);
  expect(native).toMatchObject({ projects: 1, megabytes: 3 });
  const classic = estimate(tree, [asked('tsconfig.json', settings, 'classic')], ['src/f1.ts'], 2);
  expect(native.seconds).toBeLessThan(10);
  expect(classic.seconds).toBeGreaterThan(10);
  expect(classic.seconds).toBeGreaterThan(4 * native.seconds);
});

test('a project without changed files costs less and is not counted', () => {
  const tree = treeOf([...many('packages/a/src', 300), ...many('packages/b/src', 300)]);
  const projects = ['a', 'b'].map((name) => asked(`packages/${name}/tsconfig.json`, { include: ['src'] }));
  const both = estimate(tree, projects, ['packages/a/src/f1.ts', 'packages/b/src/f1.ts'], 2);
  const one = estimate(tree, projects, ['packages/a/src/f1.ts'], 2);
  expect([both.projects, one.projects]).toEqual([2, 1]);
  expect([both.megabytes, one.megabytes]).toEqual([6, 3]);
  expect(one.seconds).toBeLessThan(both.seconds);
});

test.each([
  ['everything below it without include', {}, 30],
  ['nothing with an empty list of files', { files: [], references: [{ path: 'a' }] }, 0],
  ['the folders before a wildcard', { include: ['a/**/*.ts', 'b'] }, 20],
  ['a folder beside it', { include: ['../other'] }, 5],
  ['single files', { files: ['a/f1.ts'] }, 1],
  ['scripts where they are read', { include: ['c'], compilerOptions: { allowJs: true } }, 17],
  ['no scripts elsewhere', { include: ['c'] }, 10],
])('a project contains %s', (_, settings, files) => {
  const tree = treeOf([
    ...['a', 'b', 'c'].flatMap((folder) => many(`app/${folder}`, 10)),
    ...many('app/c', 7, 'mjs'),
    ...many('other', 5),
    ...many('app/node_modules/x', 100),
  ]);
  const changed = ['a', 'b', 'c'].map((folder) => `app/${folder}/f1.ts`).concat('other/f1.ts');
  const { megabytes } = estimate(tree, [asked('app/tsconfig.json', settings)], changed, 2);
  expect(Math.round(megabytes * 100)).toBe(files);
});

test('every further union is another run', () => {
  const tree = treeOf(many('src', 300));
  const secondsOf = (runs: number) =>
    estimate(tree, [asked('tsconfig.json', {})], ['src/f1.ts'], runs).seconds;
  expect(secondsOf(12) / secondsOf(2)).toBeCloseTo(6);
});
