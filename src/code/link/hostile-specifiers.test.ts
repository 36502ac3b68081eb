import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPythonResolver } from '#code/languages/python/resolve/resolve-python.ts';
import {
  createTypeScriptResolver,
  furtherDocuments,
} from '#code/languages/typescript/resolve/resolve-typescript.ts';
import { memoryTree } from '#code/resolve/memory-tree.ts';
import { json, typeScriptIn } from '#test/support/resolution.ts';

function secondsOf(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

describe('cyclic configs', () => {
  test('extends: the settings of the cycle still count', () => {
    const files = {
      'tsconfig.json': json({ extends: './tsconfig.a.json' }),
      'tsconfig.a.json': json({
        extends: './tsconfig.b.json',
        compilerOptions: { paths: { '@/*': ['./src/*'] } },
      }),
      'tsconfig.b.json': json({ extends: ['./tsconfig.json', './tsconfig.b.json'] }),
      'src/a.ts': '',
    };
    expect(typeScriptIn(files).resolve('@/a', 'x.ts')).toMatchObject({ status: 'found', path: 'src/a.ts' });
    const { tree, documents, documentPaths } = memoryTree(files);
    expect(furtherDocuments(tree, documents, documentPaths)).toEqual([]);
  });

  test('extends: a diamond that doubles at every level ends', () => {
    const level = (index: number) => `tsconfig.${index}.json`;
    const files = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [
        level(index),
        json({ extends: [`./${level(index + 1)}`, `./${level(index + 1)}`] }),
      ]),
    );
    const tree = { ...files, [level(40)]: '{}', 'tsconfig.json': json({ extends: `./${level(0)}` }) };
    expect(
      secondsOf(() => expect(typeScriptIn(tree).resolve('@/a', 'x.ts').status).toBe('unknown')),
    ).toBeLessThan(1);
  });

  test('references: a project that refers to itself and to one that covers nothing', () => {
    const { resolve } = typeScriptIn({
      'tsconfig.json': json({ files: [], references: [{ path: '.' }, { path: './a' }] }),
      'a/tsconfig.json': json({ files: [], references: [{ path: '..' }, { path: '../a' }] }),
    });
    expect(resolve('lodash', 'x.ts')).toEqual({ status: 'external', name: 'lodash' });
  });

  test('workspaces and packages that name themselves', () => {
    const { resolve } = typeScriptIn({
      'package.json': json({
        name: 'root',
        workspaces: ['.', '**', '..'],
        imports: { '#a': '#a', '#b': 'root' },
        exports: { '.': './a.ts' },
      }),
      'a.ts': '',
    });
    expect(resolve('root', 'x.ts')).toMatchObject({ status: 'found', path: 'a.ts' });
    expect(resolve('#a', 'x.ts').status).not.toBe('found');
    expect(resolve('#b', 'x.ts')).toMatchObject({ status: 'found', path: 'a.ts' });
  });

  test('targets that leave the repository', () => {
    const { resolve } = typeScriptIn({
      'package.json': json({
        name: 'root',
        exports: { '.': './../../a.ts', './abs': '/etc/passwd' },
        main: '../../a',
      }),
    });
    expect(resolve('root', 'x.ts').status).toBe('missing');
    expect(resolve('root/abs', 'x.ts').status).toBe('missing');
  });
});

describe('hostile documents', () => {
  test.each([
    [
      'an exports key that is a slow regular expression',
      { exports: { './(x+x+)+y*': './a.ts' } },
      `p/${'x'.repeat(60)}`,
    ],
    ['an exports key that is not a regular expression', { exports: { './(*': './a.ts' } }, 'p/(b'],
    ['exports nested deeply', { exports: nested(1000) }, 'p'],
    ['exports of the wrong type', { exports: 7, main: ['x'], name: 'p', types: {} }, 'p'],
    ['a pattern of stars', { workspaces: [`${'*a'.repeat(400)}b`, `${'**/'.repeat(300)}b`] }, 'p'],
    ['a pattern of braces', { workspaces: ['{a,b}'.repeat(60)] }, 'p'],
  ])('%s', (_, manifest, specifier) => {
    const deep = `${'a/'.repeat(300)}package.json`;
    const { resolve } = typeScriptIn({
      'package.json': json({ name: 'p', ...manifest }),
      [deep]: json({ name: 'deep' }),
      'a.ts': '',
    });
    expect(secondsOf(() => resolve(specifier, 'x.ts'))).toBeLessThan(1);
    expect(resolve('./a', 'x.ts')).toMatchObject({ status: 'found', path: 'a.ts' });
  });

  test.each(['tsconfig.json', 'package.json', 'pnpm-workspace.yaml', 'lerna.json'])(
    '%s with any garbage does not affect relative imports',
    (name) => {
      for (const text of [
        '',
        'null',
        '[]',
        '"x"',
        '{',
        '[['.repeat(100_000),
        '\ufeff{}',
        '\0',
        'a: &a [*a, *a]',
        '? '.repeat(5000),
        '[\n'.repeat(40_000),
        'packages: [[{}, 3, *x]]',
        '{"extends": {"a": 1}, "references": [null, 3, {"path": 4}]}',
      ]) {
        const { resolve } = typeScriptIn({ [name]: text, 'a.ts': '' });
        expect(resolve('./a', 'x.ts'), text.slice(0, 20)).toMatchObject({ status: 'found' });
        expect(['external', 'unknown'], text.slice(0, 20)).toContain(resolve('some-lib', 'x.ts').status);
      }
    },
  );

  test('a workspace of ten thousand packages, each listed by name', () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `p${index}`);
    const listed = json({ workspaces: names.map((name) => `packages/${name}`) });
    const manifests = names.map((name) => [
      `packages/${name}/package.json`,
      json({ name, main: 'index.ts' }),
    ]);
    const sources = names.map((name) => [`packages/${name}/index.ts`, '']);
    const { tree, documents, documentPaths } = memoryTree(
      Object.fromEntries([['package.json', listed], ...manifests, ...sources]),
    );
    let lost = 0;
    const work = () => {
      const { resolve } = createTypeScriptResolver(tree, documents, documentPaths);
      for (const name of names) if (resolve(name, 'x.ts').status !== 'found') lost += 1;
    };
    expect(secondsOf(work)).toBeLessThan(1);
    expect(lost).toBe(0);
  });
});

describe('hostile specifiers', () => {
  const odd = [
    '\n',
    './a\n',
    './\0',
    '\0virtual',
    '.'.repeat(10_000),
    '../'.repeat(10_000),
    'a/'.repeat(5000),
    '%2e%2e/a',
    './%00',
    '@/',
    '@//',
    '//',
    './//a',
    '#',
    '#/',
    '?',
    '.?x',
    '..#',
    '__proto__',
    'constructor',
    '@a/__proto__',
    './__proto__',
    '\ud800',
    'a\\..\\b',
    '...',
    '....',
    '.a',
    'a b',
    "'; rm -rf /",
    '-rf',
    '*',
    './*',
  ];

  const paths = { '@x/*': ['./*'], '*': ['./lib/*'] };
  const files = {
    'tsconfig.json': json({ compilerOptions: { paths, baseUrl: '.' } }),
    'package.json': json({ imports: { '#*': './*' }, exports: { './*': './*' } }),
    'a.ts': '',
    'a.py': '',
  };
  const { tree, documents, documentPaths } = memoryTree(files);
  const resolvers = [
    createTypeScriptResolver(tree, documents, documentPaths),
    createPythonResolver(tree, documents, documentPaths, { roots: [] }),
  ];

  function expectAnswer(specifier: string): void {
    for (const { resolve } of resolvers) {
      const resolution = resolve(specifier, 'src/x.ts');
      if (resolution.status === 'found') expect(tree.blob(resolution.path)).toBeDefined();
      expect(resolve(specifier, 'src/x.ts')).toBe(resolution);
    }
  }

  test.each(odd.map((specifier) => [json(specifier.slice(0, 20)), specifier]))('%s', (_, specifier) => {
    expectAnswer(specifier);
  });

  test('any other text', () => {
    const pieces = fc.constantFrom(
      '.',
      '..',
      '/',
      '@',
      '#',
      '*',
      '?',
      'a',
      'src',
      'node_modules',
      'dist',
      ':',
      '\n',
      '~',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(pieces).map((parts) => parts.join('')),
        ),
        expectAnswer,
      ),
    );
  });
});

function nested(depth: number): unknown {
  let value: unknown = './a.ts';
  for (let level = 0; level < depth; level += 1) value = { default: value };
  return value;
}
