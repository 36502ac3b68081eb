import { describe, expect, test } from 'vitest';
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

describe('a package of the workspace', () => {
  const workspace = (manifest: object, more: Files): Files => ({
    'package.json': json({ workspaces: ['packages/*', '!packages/ignored'] }),
    'packages/core/package.json': json({ name: '@app/core', ...manifest }),
    ...more,
  });

  test.each([
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
    const { resolve } = typeScriptIn({
      'packages/ignored/package.json': json({ name: 'ignored' }),
      ...declaration,
      'packages/core/package.json': json({ name: '@app/core' }),
      ...emptyFiles('packages/core/index.ts', 'packages/core/deep/tool.ts', 'packages/ignored/index.ts'),
    });
    expect(resolve('@app/core', 'apps/web/x.ts')).toEqual(found('packages/core/index.ts'));
    expect(resolve('@app/core/deep/tool', 'apps/web/x.ts')).toEqual(found('packages/core/deep/tool.ts'));
    expect(resolve('ignored', 'apps/web/x.ts')).toEqual(external('ignored'));
  });

  test('whose build output is not in the tree leads to source by outDir and rootDir', () => {
    const { resolve } = typeScriptIn(
      workspace(
        { exports: { '.': { types: './made/types/main.d.ts', default: './made/js/main.mjs' } } },
        {
          'packages/core/tsconfig.build.json': json({
            compilerOptions: { outDir: 'made/js', declarationDir: 'made/types', rootDir: 'code' },
          }),
          ...emptyFiles('packages/core/code/main.mts'),
        },
      ),
    );
    expect(resolve('@app/core', 'x.ts')).toEqual(found('packages/core/code/main.mts', false));
  });

  test.each([
    ['./dist/index.js', 'src/index.ts'],
    ['./dist/esm/index.mjs', 'src/index.tsx'],
    ['./lib/index.d.ts', 'src/index.js'],
    ['./build/src/index.js', 'src/index.ts'],
    ['./out/tool.js', 'tool.ts'],
    ['./dist/core.cjs.js', 'src/index.ts'],
  ])('whose build output is not in the tree leads to source by convention: %s to %s', (main, source) => {
    const { resolve } = typeScriptIn(workspace({ main }, emptyFiles(`packages/core/${source}`)));
    expect(resolve('@app/core', 'x.ts')).toEqual(found(`packages/core/${source}`, false));
  });

  test('leads to source for its subpaths too, by extension and by folder', () => {
    const { resolve } = typeScriptIn(
      workspace(
        { exports: { './*': { import: './dist/*.js', require: './dist/*.cjs' } } },
        emptyFiles('packages/core/src/tool.tsx', 'packages/core/src/big/index.ts'),
      ),
    );
    expect(resolve('@app/core/tool', 'x.ts')).toEqual(found('packages/core/src/tool.tsx', false));
    expect(resolve('@app/core/big', 'x.ts')).toEqual(found('packages/core/src/big/index.ts', false));
  });

  test('prefers a source or development condition that exists to build output that does not', () => {
    const { resolve } = typeScriptIn(
      workspace(
        {
          exports: {
            '.': { types: './dist/index.d.ts', development: './code/index.ts', default: './dist/index.js' },
          },
        },
        emptyFiles('packages/core/code/index.ts', 'packages/core/src/index.ts'),
      ),
    );
    expect(resolve('@app/core', 'x.ts')).toEqual(found('packages/core/code/index.ts'));
  });

  test('takes the source field of a package without exports by assumption', () => {
    const { resolve } = typeScriptIn(
      workspace({ source: 'code/main.ts', main: 'dist/main.js' }, emptyFiles('packages/core/code/main.ts')),
    );
    expect(resolve('@app/core', 'x.ts')).toEqual(found('packages/core/code/main.ts', false));
  });

  test('misses a subpath only when no build could create it', () => {
    const { resolve: plain } = typeScriptIn(workspace({}, emptyFiles('packages/core/index.ts')));
    expect(plain('@app/core/gone', 'x.ts')).toEqual(missing);
    const { resolve: sources } = typeScriptIn(
      workspace({ exports: { '.': './src/index.ts' } }, emptyFiles('packages/core/src/index.ts')),
    );
    expect(sources('@app/core/gone', 'x.ts')).toEqual(missing);
    const { resolve: built } = typeScriptIn(
      workspace({ exports: { './*': './dist/*.js' } }, emptyFiles('packages/core/src/index.ts')),
    );
    expect(built('@app/core/gone', 'x.ts')).toEqual(unknown);
    const { resolve: committed } = typeScriptIn(
      workspace({ exports: { './*': './lib/*.js' } }, emptyFiles('packages/core/lib/index.js')),
    );
    expect(committed('@app/core/gone', 'x.ts')).toEqual(missing);
  });

  test('answers require and import by their own conditions', () => {
    const { resolve } = typeScriptIn(
      workspace(
        { exports: { require: './a.cjs', import: './a.mjs' } },
        emptyFiles('packages/core/a.cjs', 'packages/core/a.mjs'),
      ),
    );
    expect(resolve('@app/core', 'x.mjs')).toEqual(found('packages/core/a.mjs'));
    expect(resolve('@app/core', 'x.cjs')).toEqual(found('packages/core/a.cjs'));
  });

  test('whose package.json is broken is unknown', () => {
    const { resolve } = typeScriptIn({
      'package.json': json({ workspaces: ['packages/*'], dependencies: { react: '18' } }),
      'packages/core/package.json': '{ "name": "@app/core", ',
    });
    expect(resolve('@app/core', 'x.ts')).toEqual(unknown);
    expect(resolve('react', 'x.ts')).toEqual(external('react'));
  });

  test('that is declared with workspace: and does not exist is missing', () => {
    const { resolve } = typeScriptIn({
      'package.json': json({ workspaces: ['p/*'], dependencies: { '@app/old': 'workspace:*' } }),
    });
    expect(resolve('@app/old', 'x.ts')).toEqual(missing);
  });

  test('can be linked by a path, and an npm: alias of the same name is not it', () => {
    const { resolve } = typeScriptIn({
      'app/package.json': json({ dependencies: { lib: 'file:../lib', core: 'npm:other@1' } }),
      'lib/package.json': json({ name: 'something-else' }),
      'package.json': json({ workspaces: ['core', 'app'] }),
      'core/package.json': json({ name: 'core' }),
      ...emptyFiles('lib/index.ts', 'core/index.ts'),
    });
    expect(resolve('lib', 'app/x.ts')).toEqual(found('lib/index.ts'));
    expect(resolve('core', 'app/x.ts')).toEqual(external('core'));
  });

  test('is searched in the nearest workspace first', () => {
    const { resolve } = typeScriptIn({
      'package.json': json({ workspaces: ['core', 'inner'] }),
      'core/package.json': json({ name: 'core' }),
      'inner/package.json': json({ workspaces: ['core'] }),
      'inner/core/package.json': json({ name: 'core' }),
      ...emptyFiles('core/index.ts', 'inner/core/index.ts'),
    });
    expect(resolve('core', 'inner/x.ts')).toEqual(found('inner/core/index.ts'));
    expect(resolve('core', 'x.ts')).toEqual(found('core/index.ts'));
  });
});

describe('imports of the own package', () => {
  const tree = (imports: unknown): Files => ({
    'package.json': json({ name: 'app', imports }),
    ...emptyFiles('src/a.ts', 'src/x.ts'),
  });

  test('lead to source when they name build output', () => {
    const { resolve } = typeScriptIn(tree({ '#a': './dist/a.js', '#gone': './dist/gone.js' }));
    expect(resolve('#a', 'src/x.ts')).toEqual(found('src/a.ts', false));
    expect(resolve('#gone', 'src/x.ts')).toEqual(unknown);
  });

  test('that the map does not list are missing, and unknown without a map', () => {
    expect(typeScriptIn(tree({ '#a': './src/a.ts' })).resolve('#b', 'src/x.ts')).toEqual(missing);
    expect(typeScriptIn(tree(undefined)).resolve('#b', 'src/x.ts')).toEqual(unknown);
  });

  test('may name another package', () => {
    const { resolve } = typeScriptIn(
      tree({ '#fetch': { node: 'undici', default: './src/a.ts' }, '#fs': 'node:fs' }),
    );
    expect(resolve('#fetch', 'src/x.ts')).toEqual(external('undici'));
    expect(resolve('#fs', 'src/x.ts')).toEqual(external('node:fs'));
  });
});
