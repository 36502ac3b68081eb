import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { memoryTree } from '#code/resolve/memory-tree.ts';
import { json } from '#test/support/resolution.ts';
import { createTypeScriptResolver } from './resolve-typescript.ts';

interface JudgedProject {
  readonly name: string;
  /** The config for tsc; the resolver has to find it by itself. */
  readonly config: string;
  readonly files: Readonly<Record<string, string>>;
  /** What an installation would link into node_modules: folder of the package by name. */
  readonly installed?: Readonly<Record<string, string>>;
  /** Importing file, specifier, and where it leads: null when TypeScript finds nothing. */
  readonly imports: readonly (readonly [from: string, specifier: string, leadsTo: string | null])[];
}

const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
const bundler = { module: 'esnext', moduleResolution: 'bundler', noEmit: true, allowJs: true, types: [] };
const nodenext = { module: 'nodenext', noEmit: true, allowJs: true, types: [] };
const module = 'export {};\n';
const modules = (...paths: string[]) => Object.fromEntries(paths.map((path) => [path, module]));

const projects: readonly JudgedProject[] = [
  {
    name: 'relative imports of a bundled application',
    config: 'tsconfig.json',
    files: {
      'tsconfig.json': json({ compilerOptions: { ...bundler, resolveJsonModule: true }, include: ['src'] }),
      ...modules(
        'src/main.ts',
        'src/plain.ts',
        'src/both.ts',
        'src/both.js',
        'src/view.tsx',
        'src/deep/inner.ts',
      ),
      ...modules(
        'src/typed.d.ts',
        'src/typed.js',
        'src/old.js',
        'src/old/index.ts',
        'src/esm.mts',
        'src/cjs.cts',
      ),
      ...modules('src/user.service.ts', 'src/folder/index.ts', 'src/index.ts', 'src/pack/lib/entry.ts'),
      ...modules(
        'src/theme.css.ts',
        'src/style.d.css.ts',
        'src/typed-pack/shapes.d.ts',
        'src/jsx.jsx',
        'src/x.js.ts',
      ),
      'src/pack/package.json': json({ main: './lib/entry.js' }),
      'src/typed-pack/package.json': json({ types: './shapes.d.ts', main: './nowhere.js' }),
      'src/data.json': '{}',
      'src/style.css': '',
    },
    imports: [
      ['src/main.ts', './plain', 'src/plain.ts'],
      ['src/main.ts', './plain.js', 'src/plain.ts'],
      ['src/main.ts', './both.js', 'src/both.ts'],
      ['src/main.ts', './view', 'src/view.tsx'],
      ['src/main.ts', './view.jsx', 'src/view.tsx'],
      ['src/main.ts', './view.js', 'src/view.tsx'],
      ['src/main.ts', './typed', 'src/typed.d.ts'],
      ['src/main.ts', './old', 'src/old.js'],
      ['src/main.ts', './old/', 'src/old/index.ts'],
      ['src/main.ts', './esm.mjs', 'src/esm.mts'],
      ['src/main.ts', './cjs.cjs', 'src/cjs.cts'],
      ['src/main.ts', './user.service', 'src/user.service.ts'],
      ['src/main.ts', './folder', 'src/folder/index.ts'],
      ['src/main.ts', './folder/index.js', 'src/folder/index.ts'],
      ['src/main.ts', './pack', 'src/pack/lib/entry.ts'],
      ['src/main.ts', './typed-pack', 'src/typed-pack/shapes.d.ts'],
      ['src/main.ts', './data.json', 'src/data.json'],
      ['src/main.ts', './theme.css', 'src/theme.css.ts'],
      ['src/main.ts', './style.css', 'src/style.d.css.ts'],
      ['src/main.ts', './jsx', 'src/jsx.jsx'],
      ['src/main.ts', './x.js', 'src/x.js.ts'],
      ['src/main.ts', './nowhere', null],
      ['src/deep/inner.ts', '..', 'src/index.ts'],
      ['src/deep/inner.ts', '../', 'src/index.ts'],
      ['src/deep/inner.ts', '../plain', 'src/plain.ts'],
      ['src/deep/inner.ts', '.', null],
    ],
  },
  {
    name: 'aliases of a bundled application',
    config: 'app/tsconfig.json',
    files: {
      'configs/base.json': json({
        compilerOptions: { paths: { '@base/*': ['../base/*'] }, rootDirs: ['../app'] },
      }),
      'configs/paths.json': json({
        compilerOptions: {
          paths: {
            '@/*': ['../app/src/*'],
            '@/deep/*': ['../app/deep/*', '../app/deeper/*'],
            '@/*.view': ['../app/views/*.ts'],
            exactly: ['../app/src/one.ts'],
            '@lit/*': ['../app/lit/*.js'],
            'a*b*c': ['../app/src/one.ts'],
            '@own/*': ['${configDir}/src/*'],
          },
        },
      }),
      'app/tsconfig.json':
        `// comments and trailing commas are fine\n` +
        `{ "extends": ["../configs/base", "../configs/paths.json"], "include": ["."],` +
        ` "compilerOptions": { ${json(bundler).slice(1, -1)}, "rootDirs": ["./src", "./generated"], } }`,
      ...modules(
        'app/src/main.ts',
        'app/src/one.ts',
        'app/src/sub/two.ts',
        'app/deep/three.ts',
        'app/deeper/four.ts',
      ),
      ...modules(
        'base/five.ts',
        'app/views/list.ts',
        'app/lit/six.js',
        'app/lit/six.ts',
        'app/generated/sub/seven.ts',
      ),
    },
    imports: [
      ['app/src/main.ts', '@/one', 'app/src/one.ts'],
      ['app/src/main.ts', '@/one.js', 'app/src/one.ts'],
      ['app/src/main.ts', '@/sub/two', 'app/src/sub/two.ts'],
      ['app/src/main.ts', '@/deep/three', 'app/deep/three.ts'],
      ['app/src/main.ts', '@/deep/four', 'app/deeper/four.ts'],
      ['app/src/main.ts', '@/deep/nowhere', null],
      ['app/src/main.ts', 'exactly', 'app/src/one.ts'],
      ['app/src/main.ts', 'exactly/one', null],
      ['app/src/main.ts', '@lit/six', 'app/lit/six.js'],
      ['app/src/main.ts', 'aXbYc', null],
      ['app/src/main.ts', '@base/five', null],
      ['app/src/main.ts', '@own/one', 'app/src/one.ts'],
      ['app/src/sub/two.ts', './seven', 'app/generated/sub/seven.ts'],
      ['app/generated/sub/seven.ts', './two', 'app/src/sub/two.ts'],
    ],
  },
  {
    name: 'a solution whose references own the files',
    config: 'tsconfig.app.json',
    files: {
      'tsconfig.json': json({
        files: [],
        references: [{ path: './tsconfig.node.json' }, { path: './tsconfig.app.json' }],
      }),
      'tsconfig.node.json': json({
        compilerOptions: { ...bundler, paths: { '@/*': ['./tools/*'] } },
        include: ['*.ts'],
      }),
      'tsconfig.app.json': json({
        compilerOptions: { ...bundler, composite: true, paths: { '@/*': ['./src/*'] } },
        include: ['src'],
      }),
      ...modules('src/main.ts', 'src/one.ts', 'tools/one.ts'),
    },
    imports: [['src/main.ts', '@/one', 'src/one.ts']],
  },
  {
    name: 'packages of a workspace under nodenext',
    config: 'packages/app/tsconfig.json',
    files: {
      'package.json': json({ workspaces: ['packages/*'] }),
      'packages/app/tsconfig.json': json({ compilerOptions: nodenext, include: ['src'] }),
      'packages/app/package.json': json({
        name: '@w/app',
        type: 'module',
        exports: { '.': './src/index.js', './self/*': './src/*.js' },
        imports: {
          '#one': './src/one.js',
          '#sub/*': './src/sub/*.js',
          '#sub/private/*': null,
          '#cond': {
            browser: './src/nowhere.js',
            node: { require: './src/two.cjs', import: './src/one.js' },
          },
          '#other': '@w/lib',
          '#gone': './src/gone.js',
        },
      }),
      ...modules('packages/app/src/index.ts', 'packages/app/src/main.ts', 'packages/app/src/one.ts'),
      ...modules(
        'packages/app/src/sub/three.ts',
        'packages/app/src/sub/private/four.ts',
        'packages/app/src/two.cts',
      ),
      ...modules('packages/app/src/five.mts'),
      'packages/lib/package.json': json({
        name: '@w/lib',
        type: 'module',
        exports: {
          '.': { types: './absent/index.d.ts', import: './src/index.ts' },
          './nested': { import: { browser: './src/nowhere.ts' }, default: './src/nested.ts' },
          './list': ['./src/nowhere.ts', './src/nested.ts'],
          './features/*': './src/features/*.ts',
          './features/secret/*': null,
          './barred': { node: null, default: './src/nested.ts' },
          './features/*.js': './src/features/*.ts',
          './versioned': { 'types@>=5': './src/nested.ts', default: './src/index.ts' },
        },
      }),
      ...modules('packages/lib/src/index.ts', 'packages/lib/src/nested.ts', 'packages/lib/src/features/a.ts'),
      ...modules('packages/lib/src/features/secret/b.ts'),
      'packages/open/package.json': json({ name: 'open', types: './types.d.ts', main: './main.js' }),
      ...modules(
        'packages/open/types.d.ts',
        'packages/open/main.js',
        'packages/open/tool.js',
        'packages/open/index.ts',
      ),
      'packages/bare/package.json': json({ name: 'bare' }),
      ...modules('packages/bare/index.ts'),
    },
    installed: {
      '@w/app': 'packages/app',
      '@w/lib': 'packages/lib',
      open: 'packages/open',
      bare: 'packages/bare',
    },
    imports: [
      ['packages/app/src/main.ts', './one.js', 'packages/app/src/one.ts'],
      ['packages/app/src/main.ts', './five.mjs', 'packages/app/src/five.mts'],
      ['packages/app/src/main.ts', './two.cjs', 'packages/app/src/two.cts'],
      ['packages/app/src/main.ts', '#one', 'packages/app/src/one.ts'],
      ['packages/app/src/main.ts', '#sub/three', 'packages/app/src/sub/three.ts'],
      ['packages/app/src/main.ts', '#sub/private/four', null],
      ['packages/app/src/main.ts', '#cond', 'packages/app/src/one.ts'],
      ['packages/app/src/two.cts', '#cond', 'packages/app/src/two.cts'],
      ['packages/app/src/main.ts', '#other', 'packages/lib/src/index.ts'],
      ['packages/app/src/main.ts', '#gone', null],
      ['packages/app/src/main.ts', '#unlisted', null],
      ['packages/app/src/main.ts', '@w/app', 'packages/app/src/index.ts'],
      ['packages/app/src/main.ts', '@w/app/self/one', 'packages/app/src/one.ts'],
      ['packages/app/src/main.ts', '@w/app/src/one.js', null],
      ['packages/app/src/main.ts', '@w/lib', 'packages/lib/src/index.ts'],
      ['packages/app/src/main.ts', '@w/lib/nested', 'packages/lib/src/nested.ts'],
      ['packages/app/src/main.ts', '@w/lib/list', 'packages/lib/src/nested.ts'],
      ['packages/app/src/main.ts', '@w/lib/features/a', 'packages/lib/src/features/a.ts'],
      ['packages/app/src/main.ts', '@w/lib/features/a.js', 'packages/lib/src/features/a.ts'],
      ['packages/app/src/main.ts', '@w/lib/features/secret/b', null],
      ['packages/app/src/main.ts', '@w/lib/barred', null],
      ['packages/app/src/main.ts', '@w/lib/versioned', 'packages/lib/src/nested.ts'],
      ['packages/app/src/main.ts', '@w/lib/src/index.ts', null],
      ['packages/app/src/main.ts', 'open', 'packages/open/types.d.ts'],
      ['packages/app/src/main.ts', 'open/tool.js', 'packages/open/tool.js'],
      ['packages/app/src/main.ts', 'bare', 'packages/bare/index.ts'],
      ['packages/app/src/main.ts', 'not-installed', null],
    ],
  },
  {
    name: 'settings from a package of the workspace',
    config: 'apps/web/tsconfig.json',
    files: {
      'package.json': json({ workspaces: { packages: ['apps/*', 'tooling/**'] } }),
      'tooling/settings/package.json': json({
        name: '@w/settings',
        exports: { './strict.json': './files/strict.json' },
      }),
      'tooling/settings/files/strict.json': json({
        compilerOptions: {
          ...bundler,
          customConditions: ['@w/source'],
          paths: { 'web/*': ['../../../apps/web/src/*'] },
        },
      }),
      'tooling/lib/package.json': json({
        name: 'lib',
        exports: { '.': { '@w/source': './source/index.ts', default: './built/index.js' } },
      }),
      ...modules('tooling/lib/source/index.ts', 'tooling/lib/built/index.js'),
      'apps/web/package.json': json({ name: 'web' }),
      'apps/web/tsconfig.json': json({ extends: '@w/settings/strict.json', include: ['src'] }),
      ...modules('apps/web/src/main.ts', 'apps/web/src/one.ts'),
    },
    installed: { '@w/settings': 'tooling/settings', lib: 'tooling/lib' },
    imports: [
      ['apps/web/src/main.ts', 'web/one', 'apps/web/src/one.ts'],
      ['apps/web/src/main.ts', 'lib', 'tooling/lib/source/index.ts'],
    ],
  },
];

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** Where tsc says that each import leads: `from specifier` to path, null for none. */
function judge({ config, files, imports, installed = {} }: JudgedProject): Map<string, string | null> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'resolve-')));
  folders.push(root);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const [path, text] of Object.entries(files)) {
    const statements = imports
      .filter(([from]) => from === path)
      .map(([, specifier]) => `import '${specifier}';\n`);
    write(path, statements.join('') + text);
  }
  for (const [name, folder] of Object.entries(installed)) {
    mkdirSync(dirname(join(root, 'node_modules', name)), { recursive: true });
    symlinkSync(join(root, folder), join(root, 'node_modules', name));
  }
  const trace = runTsc(['-p', join(root, config), '--traceResolution', '--noEmit', '--pretty', 'false']);
  const answers = new Map<string, string | null>();
  // An entry of `imports` that names a package opens a nested trace, which is never closed.
  const importing = new Map<string, string>();
  for (const line of trace.split('\n')) {
    const [, sought, from] = /^=+ Resolving module '(.*)' from '(.*)'\. =+$/.exec(line) ?? [];
    if (sought !== undefined && from !== undefined) importing.set(sought, relative(root, from));
    const [, specifier, found] =
      /^=+ Module name '(.*)' was (?:successfully resolved to '([^']*)'.*|not resolved)\. =+$/.exec(line) ??
      [];
    if (specifier === undefined) continue;
    answers.set(
      `${importing.get(specifier)} ${specifier}`,
      found === undefined ? null : relative(root, found),
    );
  }
  return answers;
}

/** Type errors are expected: only the trace on standard output counts. */
function runTsc(options: readonly string[]): string {
  try {
    return execFileSync(process.execPath, [tsc, ...options], { encoding: 'utf8', maxBuffer: 1 << 26 });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

describe.each(projects)('$name', (project) => {
  const judged = judge(project);
  const isDocument = (path: string) => path.endsWith('.json');
  const { tree, documents, documentPaths } = memoryTree(project.files, isDocument);
  const resolver = createTypeScriptResolver(tree, documents, documentPaths);

  test.each(project.imports)('%s imports %s', (from, specifier, leadsTo) => {
    expect(judged.get(`${from} ${specifier}`), 'TypeScript says').toBe(leadsTo);
    const resolution = resolver.resolve(specifier, from);
    if (leadsTo === null) expect(resolution.status).not.toBe('found');
    else expect(resolution).toMatchObject({ status: 'found', path: leadsTo, exact: true });
  });
});
