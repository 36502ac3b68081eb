import { describe, expect, it } from 'vitest';
import { memoryTree } from './memory-tree.ts';
import type { Resolution } from './resolution.ts';
import { createTypeScriptResolver, furtherDocuments } from './typescript.ts';

type Files = Readonly<Record<string, string>>;

const json = (value: unknown) => JSON.stringify(value);
const files = (...paths: string[]): Files => Object.fromEntries(paths.map((path) => [path, '']));

function resolverOf(tree: Files): (specifier: string, from: string) => Resolution {
  const built = memoryTree(tree);
  return createTypeScriptResolver(built.tree, built.documents, built.documentPaths).resolve;
}

const found = (path: string, exact = true) => expect.objectContaining({ status: 'found', path, exact });
const external = (name: string) => ({ status: 'external', name });
const missing = expect.objectContaining({ status: 'missing' });
const unknown = expect.objectContaining({ status: 'unknown' });

describe('a relative specifier', () => {
  const resolve = resolverOf(
    files(
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

  it.each([
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

  it('that leaves the repository cannot be told', () => {
    expect(resolve('../../other/a', 'src/x.ts')).toEqual(unknown);
    expect(resolve('..', 'x.ts')).toEqual(unknown);
  });

  it('finds an extension only bundlers add by assumption in TypeScript, and surely where Node adds it', () => {
    const bundled = resolverOf(files('a.mjs', 'b.json'));
    expect(bundled('./a', 'x.ts')).toEqual(found('a.mjs', false));
    expect(bundled('./b', 'x.cjs')).toEqual(found('b.json'));
  });

  it('into node_modules names the package', () => {
    expect(resolve('../node_modules/@scope/lib/style.css', 'src/x.ts')).toEqual(external('@scope/lib'));
  });

  it('into build output leads to its source, and cannot be told without one', () => {
    const built = resolverOf(files('src/cli.ts', 'bin/run.js', 'lib/kept.js'));
    expect(built('../dist/cli.js', 'bin/run.js')).toEqual(found('src/cli.ts', false));
    expect(built('../dist/other.js', 'bin/run.js')).toEqual(unknown);
    expect(built('../lib/other.js', 'bin/run.js')).toEqual(missing);
  });

  it('enters a folder by its package.json before its index', () => {
    const entered = resolverOf({
      'lib/package.json': json({ main: 'core' }),
      ...files('lib/core/index.js', 'lib/index.js'),
    });
    expect(entered('./lib', 'x.js')).toEqual(found('lib/core/index.js'));
  });

  it('enters a folder by its index when its package.json names nothing that exists', () => {
    const entered = resolverOf({ 'lib/package.json': json({ main: 'gone.js' }), ...files('lib/index.ts') });
    expect(entered('./lib', 'x.ts')).toEqual(found('lib/index.ts'));
  });
});

describe('tried', () => {
  const tried = (resolution: Resolution) => ('tried' in resolution ? resolution.tried : []);

  it('holds what would have come first, and the path itself', () => {
    const resolve = resolverOf(files('src/a.tsx'));
    expect(tried(resolve('./a', 'src/x.ts'))).toEqual(['src/a.ts', 'src/a.tsx']);
  });

  it('holds every file that would make a missing import resolve', () => {
    const resolve = resolverOf(files('src/x.ts'));
    const { status } = resolve('./a', 'src/x.ts');
    expect(status).toBe('missing');
    for (const path of tried(resolve('./a', 'src/x.ts')).filter(
      (candidate) => !candidate.endsWith('package.json'),
    )) {
      expect(resolverOf(files('src/x.ts', path))('./a', 'src/x.ts')).toMatchObject({ status: 'found', path });
    }
    expect(tried(resolve('./a', 'src/x.ts'))).toEqual(
      expect.arrayContaining(['src/a.ts', 'src/a.jsx', 'src/a.json', 'src/a/index.ts', 'src/a/package.json']),
    );
  });

  it('holds the build output that would take the place of source', () => {
    const resolve = resolverOf({
      'package.json': json({ workspaces: ['p'] }),
      'p/package.json': json({ name: 'p', main: './dist/index.js' }),
      ...files('p/src/index.ts'),
    });
    expect(tried(resolve('p', 'x.ts'))).toEqual(
      expect.arrayContaining(['p/dist/index.js', 'p/src/index.ts']),
    );
  });

  it('stays bounded', () => {
    const targets = Array.from({ length: 5000 }, (_, index) => `./t${index}/*`);
    const resolve = resolverOf({ 'tsconfig.json': json({ compilerOptions: { paths: { '@/*': targets } } }) });
    expect(tried(resolve('@/a', 'x.ts')).length).toBeLessThan(300);
  });
});

describe('a tsconfig', () => {
  const paths = (entries: Record<string, readonly string[]>, more = {}) =>
    json({ compilerOptions: { paths: entries, ...more } });

  it('nearest to the file decides, and tsconfig.json goes before jsconfig.json', () => {
    const resolve = resolverOf({
      'tsconfig.json': paths({ '@/*': ['./root/*'] }),
      'app/tsconfig.json': paths({ '@/*': ['./ts/*'] }),
      'app/jsconfig.json': paths({ '@/*': ['./js/*'] }),
      'old/jsconfig.json': paths({ '@/*': ['./js/*'] }),
      ...files('root/a.ts', 'app/ts/a.ts', 'old/js/a.js'),
    });
    expect(resolve('@/a', 'lib/x.ts')).toEqual(found('root/a.ts'));
    expect(resolve('@/a', 'app/deep/x.ts')).toEqual(found('app/ts/a.ts'));
    expect(resolve('@/a', 'old/x.js')).toEqual(found('old/js/a.js'));
  });

  it('sees targets from baseUrl, and baseUrl finds files by itself', () => {
    const resolve = resolverOf({
      'tsconfig.json': paths({ '@/*': ['lib/*'] }, { baseUrl: './src' }),
      ...files('src/lib/a.ts', 'src/util/b.ts'),
    });
    expect(resolve('@/a', 'x.ts')).toEqual(found('src/lib/a.ts'));
    expect(resolve('util/b', 'x.ts')).toEqual(found('src/util/b.ts'));
    expect(resolve('util/gone', 'x.ts')).toEqual(missing);
    expect(resolve('react', 'x.ts')).toEqual(external('react'));
  });

  it('inherits baseUrl of what it extends, seen from there', () => {
    const resolve = resolverOf({
      'config/tsconfig.base.json': json({ compilerOptions: { baseUrl: '../src' } }),
      'app/tsconfig.json': json({
        extends: '../config/tsconfig.base',
        compilerOptions: { paths: { '~*': ['./*'] } },
      }),
      ...files('src/a.ts'),
    });
    expect(resolve('~a', 'app/x.ts')).toEqual(found('src/a.ts'));
  });

  it('has aliases that lead nowhere: first-party and missing', () => {
    const resolve = resolverOf({ 'tsconfig.json': paths({ '@app/*': ['./src/*'] }), ...files('src/a.ts') });
    expect(resolve('@app/gone', 'x.ts')).toMatchObject({
      status: 'missing',
      tried: expect.arrayContaining(['src/gone.ts', 'src/gone/index.tsx']),
    });
  });

  it('has aliases that say nothing about unknown packages', () => {
    const resolve = resolverOf({
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

  it('has aliases into build output, which lead to source', () => {
    const resolve = resolverOf({
      'tsconfig.json': paths({ core: ['./dist/core'] }),
      ...files('src/core/index.ts'),
    });
    expect(resolve('core', 'x.ts')).toEqual(found('src/core/index.ts', false));
  });

  it('that is broken hides aliases but not relative files, packages and builtin modules', () => {
    const resolve = resolverOf({
      'tsconfig.json': '{ "compilerOptions": { "paths": ',
      'package.json': json({ dependencies: { react: '18' }, workspaces: ['p'] }),
      'p/package.json': json({ name: 'p', main: 'index.ts' }),
      ...files('a.ts', 'p/index.ts'),
    });
    expect(resolve('./a', 'x.ts')).toEqual(found('a.ts'));
    expect(resolve('./gone', 'x.ts')).toEqual(missing);
    expect(resolve('@app/a', 'x.ts')).toEqual(unknown);
    expect(resolve('react', 'x.ts')).toEqual(external('react'));
    expect(resolve('p', 'x.ts')).toEqual(found('p/index.ts'));
    expect(resolve('node:fs', 'x.ts')).toEqual(external('node:fs'));
  });

  it('that extends a file the tree does not have may hide aliases; a published package does not', () => {
    const generated = resolverOf({ 'tsconfig.json': json({ extends: './.nuxt/tsconfig.json' }) });
    expect(generated('#imports', 'x.ts')).toEqual(unknown);
    expect(generated('ofetch', 'x.ts')).toEqual(unknown);
    const published = resolverOf({
      'tsconfig.json': json({ extends: ['@tsconfig/node22/tsconfig.json', './node_modules/a/b.json'] }),
    });
    expect(published('ofetch', 'x.ts')).toEqual(external('ofetch'));
  });

  it('of a solution leaves each file to the referenced project that includes it', () => {
    const resolve = resolverOf({
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
      ...files('src/a.ts', 'fakes/a.ts', 'tools/a.ts'),
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
    ...files('src/a.ts'),
  };

  it('names what extends and references need, wave by wave, until nothing is left', () => {
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

  it('what is not loaded counts as unreadable', () => {
    expect(resolverOf(tree)('@/a', 'x.ts')).toEqual(unknown);
  });
});

describe('a package of the workspace', () => {
  const workspace = (manifest: object, more: Files): Files => ({
    'package.json': json({ workspaces: ['packages/*', '!packages/ignored'] }),
    'packages/core/package.json': json({ name: '@app/core', ...manifest }),
    ...more,
  });

  it.each([
    [
      'npm and yarn list folders',
      { 'package.json': json({ workspaces: ['packages/**', '!packages/ignored'] }) },
    ],
    [
      'yarn lists them under packages',
      { 'package.json': json({ workspaces: { packages: ['./packages/{core,ui}/'] } }) },
    ],
    [
      'pnpm has a file of its own',
      { 'pnpm-workspace.yaml': 'packages:\n  - "packages/*"\n  - "!packages/ignored"\n' },
    ],
    ['lerna has a file of its own', { 'lerna.json': json({ packages: ['packages/c*'] }) }],
    [
      'lerna has a default',
      { 'lerna.json': json({ version: '1.0.0' }), 'packages/ignored/package.json': '{}' },
    ],
  ])('is known by its name: %s', (_, declaration) => {
    const resolve = resolverOf({
      'packages/ignored/package.json': json({ name: 'ignored' }),
      ...declaration,
      'packages/core/package.json': json({ name: '@app/core' }),
      ...files('packages/core/index.ts', 'packages/core/deep/tool.ts', 'packages/ignored/index.ts'),
    });
    expect(resolve('@app/core', 'apps/web/x.ts')).toEqual(found('packages/core/index.ts'));
    expect(resolve('@app/core/deep/tool', 'apps/web/x.ts')).toEqual(found('packages/core/deep/tool.ts'));
    expect(resolve('ignored', 'apps/web/x.ts')).toEqual(external('ignored'));
  });

  it('whose build output is not in the tree leads to source by outDir and rootDir', () => {
    const resolve = resolverOf(
      workspace(
        { exports: { '.': { types: './made/types/main.d.ts', default: './made/js/main.mjs' } } },
        {
          'packages/core/tsconfig.build.json': json({
            compilerOptions: { outDir: 'made/js', declarationDir: 'made/types', rootDir: 'code' },
          }),
          ...files('packages/core/code/main.mts'),
        },
      ),
    );
    expect(resolve('@app/core', 'x.ts')).toEqual(found('packages/core/code/main.mts', false));
  });

  it.each([
    ['./dist/index.js', 'src/index.ts'],
    ['./dist/esm/index.mjs', 'src/index.tsx'],
    ['./lib/index.d.ts', 'src/index.js'],
    ['./build/src/index.js', 'src/index.ts'],
    ['./out/tool.js', 'tool.ts'],
    ['./dist/core.cjs.js', 'src/index.ts'],
  ])('whose build output is not in the tree leads to source by habit: %s to %s', (main, source) => {
    const resolve = resolverOf(workspace({ main }, files(`packages/core/${source}`)));
    expect(resolve('@app/core', 'x.ts')).toEqual(found(`packages/core/${source}`, false));
  });

  it('leads to source for its subpaths too, by extension and by folder', () => {
    const resolve = resolverOf(
      workspace(
        { exports: { './*': { import: './dist/*.js', require: './dist/*.cjs' } } },
        files('packages/core/src/tool.tsx', 'packages/core/src/big/index.ts'),
      ),
    );
    expect(resolve('@app/core/tool', 'x.ts')).toEqual(found('packages/core/src/tool.tsx', false));
    expect(resolve('@app/core/big', 'x.ts')).toEqual(found('packages/core/src/big/index.ts', false));
  });

  it('prefers a source or development condition that exists to build output that does not', () => {
    const resolve = resolverOf(
      workspace(
        {
          exports: {
            '.': { types: './dist/index.d.ts', development: './code/index.ts', default: './dist/index.js' },
          },
        },
        files('packages/core/code/index.ts', 'packages/core/src/index.ts'),
      ),
    );
    expect(resolve('@app/core', 'x.ts')).toEqual(found('packages/core/code/index.ts'));
  });

  it('takes the source field of a package without exports by assumption', () => {
    const resolve = resolverOf(
      workspace({ source: 'code/main.ts', main: 'dist/main.js' }, files('packages/core/code/main.ts')),
    );
    expect(resolve('@app/core', 'x.ts')).toEqual(found('packages/core/code/main.ts', false));
  });

  it('misses a subpath only when no build could make it', () => {
    const plain = resolverOf(workspace({}, files('packages/core/index.ts')));
    expect(plain('@app/core/gone', 'x.ts')).toEqual(missing);
    const sources = resolverOf(
      workspace({ exports: { '.': './src/index.ts' } }, files('packages/core/src/index.ts')),
    );
    expect(sources('@app/core/gone', 'x.ts')).toEqual(missing);
    const built = resolverOf(
      workspace({ exports: { './*': './dist/*.js' } }, files('packages/core/src/index.ts')),
    );
    expect(built('@app/core/gone', 'x.ts')).toEqual(unknown);
    const committed = resolverOf(
      workspace({ exports: { './*': './lib/*.js' } }, files('packages/core/lib/index.js')),
    );
    expect(committed('@app/core/gone', 'x.ts')).toEqual(missing);
  });

  it('answers require and import each by its own condition', () => {
    const resolve = resolverOf(
      workspace(
        { exports: { require: './a.cjs', import: './a.mjs' } },
        files('packages/core/a.cjs', 'packages/core/a.mjs'),
      ),
    );
    expect(resolve('@app/core', 'x.mjs')).toEqual(found('packages/core/a.mjs'));
    expect(resolve('@app/core', 'x.cjs')).toEqual(found('packages/core/a.cjs'));
  });

  it('whose package.json is broken cannot be told', () => {
    const resolve = resolverOf({
      'package.json': json({ workspaces: ['packages/*'], dependencies: { react: '18' } }),
      'packages/core/package.json': '{ "name": "@app/core", ',
    });
    expect(resolve('@app/core', 'x.ts')).toEqual(unknown);
    expect(resolve('react', 'x.ts')).toEqual(external('react'));
  });

  it('that is declared with workspace: and does not exist is missing', () => {
    const resolve = resolverOf({
      'package.json': json({ workspaces: ['p/*'], dependencies: { '@app/old': 'workspace:*' } }),
    });
    expect(resolve('@app/old', 'x.ts')).toEqual(missing);
  });

  it('can be linked by a path, and an npm: alias of the same name is not it', () => {
    const resolve = resolverOf({
      'app/package.json': json({ dependencies: { lib: 'file:../lib', core: 'npm:other@1' } }),
      'lib/package.json': json({ name: 'something-else' }),
      'package.json': json({ workspaces: ['core', 'app'] }),
      'core/package.json': json({ name: 'core' }),
      ...files('lib/index.ts', 'core/index.ts'),
    });
    expect(resolve('lib', 'app/x.ts')).toEqual(found('lib/index.ts'));
    expect(resolve('core', 'app/x.ts')).toEqual(external('core'));
  });

  it('is sought in the nearest workspace first', () => {
    const resolve = resolverOf({
      'package.json': json({ workspaces: ['core', 'inner'] }),
      'core/package.json': json({ name: 'core' }),
      'inner/package.json': json({ workspaces: ['core'] }),
      'inner/core/package.json': json({ name: 'core' }),
      ...files('core/index.ts', 'inner/core/index.ts'),
    });
    expect(resolve('core', 'inner/x.ts')).toEqual(found('inner/core/index.ts'));
    expect(resolve('core', 'x.ts')).toEqual(found('core/index.ts'));
  });
});

describe('imports of the own package', () => {
  const tree = (imports: unknown): Files => ({
    'package.json': json({ name: 'app', imports }),
    ...files('src/a.ts', 'src/x.ts'),
  });

  it('lead to source when they name build output', () => {
    const resolve = resolverOf(tree({ '#a': './dist/a.js', '#gone': './dist/gone.js' }));
    expect(resolve('#a', 'src/x.ts')).toEqual(found('src/a.ts', false));
    expect(resolve('#gone', 'src/x.ts')).toEqual(unknown);
  });

  it('that the map does not list are missing, and unknown without a map', () => {
    expect(resolverOf(tree({ '#a': './src/a.ts' }))('#b', 'src/x.ts')).toEqual(missing);
    expect(resolverOf(tree(undefined))('#b', 'src/x.ts')).toEqual(unknown);
  });

  it('may name another package', () => {
    const resolve = resolverOf(
      tree({ '#fetch': { node: 'undici', default: './src/a.ts' }, '#fs': 'node:fs' }),
    );
    expect(resolve('#fetch', 'src/x.ts')).toEqual(external('undici'));
    expect(resolve('#fs', 'src/x.ts')).toEqual(external('node:fs'));
  });
});

describe('everything else', () => {
  const resolve = resolverOf({ 'package.json': json({ name: 'app' }), ...files('src/a.ts') });

  it.each([
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

  it.each([
    '~icons/mdi/home',
    '$lib/x',
    '/public/x.js',
    'C:\\x.js',
    'file:///x.js',
    '@',
    '',
    'raw-loader!./a',
  ])('%s cannot be told', (specifier) => {
    expect(resolve(specifier, 'src/x.ts')).toEqual(unknown);
  });

  it('@/ and ~/ without a tsconfig mean the source folder by habit', () => {
    expect(resolve('@/a', 'src/x.ts')).toEqual(found('src/a.ts', false));
    expect(resolve('~/a', 'src/x.ts')).toEqual(found('src/a.ts', false));
    expect(resolve('@/gone', 'src/x.ts')).toEqual(unknown);
  });
});
