import { describe, expect, test } from 'vitest';
import { memoryTree } from '#code/resolve/memory-tree.ts';
import type { Resolution } from '#code/resolve/resolution.ts';
import {
  emptyFiles,
  external,
  type Files,
  found,
  json,
  missing,
  typeScriptIn,
  unknown,
} from '#test/support/resolution.ts';
import { createTypeScriptResolver, furtherDocuments } from './resolve-typescript.ts';

describe('a relative specifier', () => {
  const { resolve } = typeScriptIn(
    emptyFiles(
      'src/a.ts',
      'src/a.js',
      'src/app.js',
      'src/app.d.ts',
      'src/style.css',
      'src/pic.svg',
      'src/c#.ts',
      'index.ts',
      'bin/run',
    ),
  );

  test.each([
    ['./a', 'src/x.ts', 'src/a.ts'],
    ['./a', 'src/x.js', 'src/a.js'],
    ['./a.js', 'src/x.ts', 'src/a.ts'],
    ['./a.js', 'src/x.mjs', 'src/a.js'],
    ['./app', 'src/x.ts', 'src/app.d.ts'],
    ['./app', 'src/x.jsx', 'src/app.js'],
    ['./style.css', 'src/x.ts', 'src/style.css'],
    ['./pic.svg?raw', 'src/x.ts', 'src/pic.svg'],
    ['./pic.svg#icon', 'src/x.ts', 'src/pic.svg'],
    ['./a?worker&url', 'src/x.ts', 'src/a.ts'],
    ['./c#', 'src/x.ts', 'src/c#.ts'],
    ['..', 'src/x.ts', 'index.ts'],
    ['.', 'x.ts', 'index.ts'],
    ['./../src/./a', 'src/x.ts', 'src/a.ts'],
    ['../bin/run', 'src/x.js', 'bin/run'],
  ])('%s in %s leads to %s', (specifier, from, path) => {
    expect(resolve(specifier, from)).toEqual(found(path));
  });

  test('that leaves the repository is unknown', () => {
    expect(resolve('../../other/a', 'src/x.ts')).toEqual(unknown);
    expect(resolve('..', 'x.ts')).toEqual(unknown);
  });

  test('finds an extension that only bundlers add by assumption in TypeScript, and for certain where Node adds it', () => {
    const { resolve: bundled } = typeScriptIn(emptyFiles('a.mjs', 'b.json'));
    expect(bundled('./a', 'x.ts')).toEqual(found('a.mjs', false));
    expect(bundled('./b', 'x.cjs')).toEqual(found('b.json'));
  });

  test.each([
    'x.web.ts',
    'x.native.tsx',
    'x.ios.ts',
    'x.android.js',
    'x.vue',
    'x.svelte',
    'x.astro',
    'x/index.ios.ts',
  ])('is unknown when only %s exists, which a bundler may choose', (path) => {
    const { resolve: bundled } = typeScriptIn(emptyFiles(path, 'xy.web.ts'));
    expect(bundled('./x', 'main.ts')).toEqual(unknown);
    expect(bundled('./x.js', 'main.ts')).toEqual(unknown);
    expect(bundled('./y', 'main.ts')).toEqual(missing);
  });

  test('is unknown when a file with one of the moduleSuffixes exists', () => {
    const files = {
      'tsconfig.json': json({
        compilerOptions: { moduleSuffixes: ['.desk', ''], paths: { '@/*': ['./src/*'] } },
      }),
      ...emptyFiles('src/x.desk.ts', 'src/main.ts'),
    };
    const { resolve: suffixed } = typeScriptIn(files);
    expect(suffixed('./x', 'src/main.ts')).toEqual(unknown);
    expect(suffixed('@/x', 'src/main.ts')).toEqual(unknown);
    expect(suffixed('./y', 'src/main.ts')).toEqual(missing);
    expect(suffixed('@/y', 'src/main.ts')).toEqual(missing);
  });

  test('into node_modules names the package', () => {
    expect(resolve('../node_modules/@scope/lib/style.css', 'src/x.ts')).toEqual(external('@scope/lib'));
  });

  test('into build output leads to its source, and is unknown without one', () => {
    const { resolve: built } = typeScriptIn(emptyFiles('src/cli.ts', 'bin/run.js', 'lib/kept.js'));
    expect(built('../dist/cli.js', 'bin/run.js')).toEqual(found('src/cli.ts', false));
    expect(built('../dist/other.js', 'bin/run.js')).toEqual(unknown);
    expect(built('../lib/other.js', 'bin/run.js')).toEqual(missing);
  });

  test('enters a folder by its package.json before its index', () => {
    const { resolve: entered } = typeScriptIn({
      'lib/package.json': json({ main: 'core' }),
      ...emptyFiles('lib/core/index.js', 'lib/index.js'),
    });
    expect(entered('./lib', 'x.js')).toEqual(found('lib/core/index.js'));
  });

  test('enters a folder by its index when its package.json names nothing that exists', () => {
    const { resolve: entered } = typeScriptIn({
      'lib/package.json': json({ main: 'gone.js' }),
      ...emptyFiles('lib/index.ts'),
    });
    expect(entered('./lib', 'x.ts')).toEqual(found('lib/index.ts'));
  });
});

describe('tried', () => {
  const tried = (resolution: Resolution) => ('tried' in resolution ? resolution.tried : []);

  test('lists what would have come first, and the path itself', () => {
    const { resolve } = typeScriptIn(emptyFiles('src/a.tsx'));
    expect(tried(resolve('./a', 'src/x.ts'))).toEqual(['src/a.ts', 'src/a.tsx']);
  });

  test('lists every file that would make a missing import resolve, or unknown', () => {
    const { resolve } = typeScriptIn(emptyFiles('src/x.ts'));
    const { status } = resolve('./a', 'src/x.ts');
    expect(status).toBe('missing');
    for (const path of tried(resolve('./a', 'src/x.ts')).filter(
      (candidate) => !candidate.endsWith('package.json'),
    )) {
      const isStandIn = /\.(?:vue|svelte|astro)$|\.(?:web|native|ios|android)\./.test(path);
      expect(typeScriptIn(emptyFiles('src/x.ts', path)).resolve('./a', 'src/x.ts')).toMatchObject(
        isStandIn ? { status: 'unknown' } : { status: 'found', path },
      );
    }
    expect(tried(resolve('./a', 'src/x.ts'))).toEqual(
      expect.arrayContaining(['src/a.ts', 'src/a.jsx', 'src/a.json', 'src/a/index.ts', 'src/a/package.json']),
    );
  });

  test('lists the build output that would replace source', () => {
    const { resolve } = typeScriptIn({
      'package.json': json({ workspaces: ['p'] }),
      'p/package.json': json({ name: 'p', main: './dist/index.js' }),
      ...emptyFiles('p/src/index.ts'),
    });
    expect(tried(resolve('p', 'x.ts'))).toEqual(
      expect.arrayContaining(['p/dist/index.js', 'p/src/index.ts']),
    );
  });

  test('stays bounded', () => {
    const targets = Array.from({ length: 5000 }, (_, index) => `./t${index}/*`);
    const { resolve } = typeScriptIn({
      'tsconfig.json': json({ compilerOptions: { paths: { '@/*': targets } } }),
    });
    expect(tried(resolve('@/a', 'x.ts')).length).toBeLessThan(300);
  });
});

describe('a tsconfig', () => {
  const paths = (entries: Record<string, readonly string[]>, more = {}) =>
    json({ compilerOptions: { paths: entries, ...more } });

  test('nearest to the file decides, and tsconfig.json precedes jsconfig.json', () => {
    const { resolve } = typeScriptIn({
      'tsconfig.json': paths({ '@/*': ['./root/*'] }),
      'app/tsconfig.json': paths({ '@/*': ['./ts/*'] }),
      'app/jsconfig.json': paths({ '@/*': ['./js/*'] }),
      'old/jsconfig.json': paths({ '@/*': ['./js/*'] }),
      ...emptyFiles('root/a.ts', 'app/ts/a.ts', 'old/js/a.js'),
    });
    expect(resolve('@/a', 'lib/x.ts')).toEqual(found('root/a.ts'));
    expect(resolve('@/a', 'app/deep/x.ts')).toEqual(found('app/ts/a.ts'));
    expect(resolve('@/a', 'old/x.js')).toEqual(found('old/js/a.js'));
  });

  test('resolves targets from baseUrl, and baseUrl alone finds files', () => {
    const { resolve } = typeScriptIn({
      'tsconfig.json': paths({ '@/*': ['lib/*'] }, { baseUrl: './src' }),
      ...emptyFiles('src/lib/a.ts', 'src/util/b.ts'),
    });
    expect(resolve('@/a', 'x.ts')).toEqual(found('src/lib/a.ts'));
    expect(resolve('util/b', 'x.ts')).toEqual(found('src/util/b.ts'));
    expect(resolve('util/gone', 'x.ts')).toEqual(missing);
    expect(resolve('react', 'x.ts')).toEqual(external('react'));
  });

  test('inherits baseUrl of what it extends, relative to that file', () => {
    const { resolve } = typeScriptIn({
      'config/tsconfig.base.json': json({ compilerOptions: { baseUrl: '../src' } }),
      'app/tsconfig.json': json({
        extends: '../config/tsconfig.base',
        compilerOptions: { paths: { '~*': ['./*'] } },
      }),
      ...emptyFiles('src/a.ts'),
    });
    expect(resolve('~a', 'app/x.ts')).toEqual(found('src/a.ts'));
  });

  test('has aliases without a target: first-party and missing', () => {
    const { resolve } = typeScriptIn({
      'tsconfig.json': paths({ '@app/*': ['./src/*'] }),
      ...emptyFiles('src/a.ts'),
    });
    expect(resolve('@app/gone', 'x.ts')).toMatchObject({
      status: 'missing',
      tried: expect.arrayContaining(['src/gone.ts', 'src/gone/index.tsx']),
    });
  });

  test('has aliases that do not decide about unknown packages', () => {
    const { resolve } = typeScriptIn({
      'package.json': json({ dependencies: { vue: '3' } }),
      'tsconfig.json': paths({
        '*': ['./types/*'],
        vue: ['./vendor/vue'],
        lit: ['./node_modules/lit/index'],
        out: ['../../x'],
      }),
    });
    expect(resolve('react', 'x.ts')).toEqual(external('react'));
    expect(resolve('vue', 'x.ts')).toEqual(external('vue'));
    expect(resolve('lit', 'x.ts')).toEqual(external('lit'));
    expect(resolve('out', 'x.ts')).toEqual(unknown);
  });

  test('has aliases into build output, which lead to source', () => {
    const { resolve } = typeScriptIn({
      'tsconfig.json': paths({ core: ['./dist/core'] }),
      ...emptyFiles('src/core/index.ts'),
    });
    expect(resolve('core', 'x.ts')).toEqual(found('src/core/index.ts', false));
  });

  test('that is broken hides aliases but not relative files, packages and builtin modules', () => {
    const { resolve } = typeScriptIn({
      'tsconfig.json': '{ "compilerOptions": { "paths": ',
      'package.json': json({ dependencies: { react: '18' }, workspaces: ['p'] }),
      'p/package.json': json({ name: 'p', main: 'index.ts' }),
      ...emptyFiles('a.ts', 'p/index.ts'),
    });
    expect(resolve('./a', 'x.ts')).toEqual(found('a.ts'));
    expect(resolve('./gone', 'x.ts')).toEqual(missing);
    expect(resolve('@app/a', 'x.ts')).toEqual(unknown);
    expect(resolve('react', 'x.ts')).toEqual(external('react'));
    expect(resolve('p', 'x.ts')).toEqual(found('p/index.ts'));
    expect(resolve('node:fs', 'x.ts')).toEqual(external('node:fs'));
  });

  test('that extends a file the tree does not have may hide aliases; a published package does not', () => {
    const { resolve: generated } = typeScriptIn({
      'tsconfig.json': json({ extends: './.nuxt/tsconfig.json' }),
    });
    expect(generated('#imports', 'x.ts')).toEqual(unknown);
    expect(generated('ofetch', 'x.ts')).toEqual(unknown);
    const { resolve: published } = typeScriptIn({
      'tsconfig.json': json({ extends: ['@tsconfig/node22/tsconfig.json', './node_modules/a/b.json'] }),
    });
    expect(published('ofetch', 'x.ts')).toEqual(external('ofetch'));
  });

  test('of a solution leaves each file to the referenced project that includes it', () => {
    const { resolve } = typeScriptIn({
      'tsconfig.json': json({ files: [], references: [{ path: './tsconfig.app.json' }, { path: 'tools' }] }),
      'tsconfig.app.json': json({
        include: ['src'],
        exclude: ['src/**/*.test.ts'],
        references: [{ path: './tsconfig.spec.json' }],
        compilerOptions: { paths: { '@/*': ['./src/*'] } },
      }),
      'tsconfig.spec.json': json({
        include: ['src/**/*.test.ts'],
        compilerOptions: { paths: { '@/*': ['./fakes/*'] } },
      }),
      'tools/tsconfig.json': json({
        include: ['../*.config.ts'],
        compilerOptions: { paths: { '@/*': ['./*'] } },
      }),
      ...emptyFiles('src/a.ts', 'fakes/a.ts', 'tools/a.ts'),
    });
    expect(resolve('@/a', 'src/deep/x.ts')).toEqual(found('src/a.ts'));
    expect(resolve('@/a', 'src/deep/x.test.ts')).toEqual(found('fakes/a.ts'));
    expect(resolve('@/a', 'vite.config.ts')).toEqual(found('tools/a.ts'));
  });
});

describe('furtherDocuments', () => {
  const tree: Files = {
    'package.json': json({ workspaces: ['settings'] }),
    'settings/package.json': json({ name: '@w/settings' }),
    'settings/strict.json': json({ extends: '../shared/base.json' }),
    'shared/base.json': json({ compilerOptions: { paths: { '@/*': ['../src/*'] } } }),
    'tsconfig.json': json({ extends: '@w/settings/strict', references: [{ path: './configs/tools.json' }] }),
    'configs/tools.json': json({ extends: './gone.json' }),
    ...emptyFiles('src/a.ts'),
  };

  test('lists what extends and references need, wave by wave, until nothing is left', () => {
    const loaded = new Set(Object.keys(tree).filter((path) => /(package|tsconfig)\.json$/.test(path)));
    const waves: string[][] = [];
    for (;;) {
      const { tree: git, documents, documentPaths } = memoryTree(tree, (path) => loaded.has(path));
      const wave = furtherDocuments(git, documents, documentPaths);
      if (wave.length === 0) break;
      waves.push(wave);
      for (const path of wave) loaded.add(path);
    }
    expect(waves).toEqual([['configs/tools.json', 'settings/strict.json'], ['shared/base.json']]);
    const { tree: git, documents, documentPaths } = memoryTree(tree, (path) => loaded.has(path));
    expect(createTypeScriptResolver(git, documents, documentPaths).resolve('@/a', 'x.ts')).toEqual(
      found('src/a.ts'),
    );
  });

  test('documents that are not loaded count as unreadable', () => {
    expect(typeScriptIn(tree).resolve('@/a', 'x.ts')).toEqual(unknown);
  });
});

describe('everything else', () => {
  const { resolve } = typeScriptIn({ 'package.json': json({ name: 'app' }), ...emptyFiles('src/a.ts') });

  test.each([
    ['lodash/fp', 'lodash'],
    ['@scope/lib/deep/x.js', '@scope/lib'],
    ['node:fs/promises', 'node:fs'],
    ['fs/promises', 'node:fs'],
    ['https://esm.sh/react?dev', 'https://esm.sh/react'],
    ['data:text/javascript,export{}', 'data:'],
    ['virtual:pwa-register', 'virtual:pwa-register'],
    ['bun:test', 'bun:test'],
    ['lodash?raw', 'lodash'],
  ])('%s is the external %s', (specifier, name) => {
    expect(resolve(specifier, 'src/x.ts')).toEqual(external(name));
  });

  test.each([
    '~icons/mdi/home',
    '$lib/x',
    '/public/x.js',
    'C:\\x.js',
    'file:///x.js',
    '@',
    '',
    'raw-loader!./a',
  ])('%s is unknown', (specifier) => {
    expect(resolve(specifier, 'src/x.ts')).toEqual(unknown);
  });

  test('@/ and ~/ without a tsconfig mean the source folder by convention', () => {
    expect(resolve('@/a', 'src/x.ts')).toEqual(found('src/a.ts', false));
    expect(resolve('~/a', 'src/x.ts')).toEqual(found('src/a.ts', false));
    expect(resolve('@/gone', 'src/x.ts')).toEqual(unknown);
  });
});
