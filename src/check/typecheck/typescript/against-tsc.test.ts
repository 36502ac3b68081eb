import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Effort } from '#check/typecheck/containment/effort.ts';
import type { RawDiagnostic } from './checker.ts';
import { CheckerClient } from './checker-client.ts';
import type { TreeEntryMessage } from './messages.ts';

type Files = Readonly<Record<string, string>>;

const require = createRequire(import.meta.url);
const native = dirname(require.resolve('typescript/package.json'));
const classic = dirname(require.resolve('typescript-5.9/package.json'));

function folder(): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'joinery-')));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

function write(dir: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
}

/** `file:line:column code` of every error that the real compiler prints for files on disk. */
async function onDisk(files: Files, packageDir: string, args: readonly string[]): Promise<string[]> {
  const dir = folder();
  write(dir, files);
  const { promise, resolve } = Promise.withResolvers<string>();
  const tsc = join(packageDir, 'bin/tsc');
  execFile(process.execPath, [tsc, ...args, '--pretty', 'false'], { cwd: dir }, (_, out) => resolve(out));
  const lines = [...(await promise).matchAll(/^(\S.*?)\((\d+),(\d+)\): error (TS\d+)/gm)];
  return lines.map(([, file, line, column, code]) => `${file}:${line}:${column} ${code}`).sort();
}

function blobId(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}

function message(files: Files): { entries: TreeEntryMessage[]; blobs: [string, string][] } {
  return {
    entries: Object.entries(files).map(([path, text]) => [path, blobId(text), 'file']),
    blobs: Object.values(files).map((text) => [blobId(text), text]),
  };
}

/** What our process reports for the same files, none of which is on disk; then for a second state of them. */
async function virtually(
  states: readonly Files[],
  packageDir: string,
  project = 'tsconfig.json',
  root = folder(),
): Promise<string[][]> {
  const client = new CheckerClient(root, 60_000, new Effort());
  onTestFinished(() => client.close());
  const kind = packageDir === native ? 'native' : 'classic';
  await client.ask({ type: 'open', kind, packageDir, root, packages: ['node_modules'] }, 'opened');
  const [first = {}] = states;
  await client.ask({ type: 'base', ...message(first) }, 'ready');
  const answers: string[][] = [];
  for (const state of states) {
    const gone = Object.keys(first).filter((path) => !(path in state));
    const { entries, blobs } = message(state);
    const overlay = [...entries, ...gone.map((path): TreeEntryMessage => [path, null, 'file'])];
    await client.ask({ type: 'tree', overlay, blobs }, 'ready');
    const { checked } = await client.ask({ type: 'check', project, focus: null, changed: null }, 'checked');
    expect(checked.rejected).toBeNull();
    answers.push(places(checked.diagnostics));
  }
  return answers;
}

function places(diagnostics: readonly RawDiagnostic[]): string[] {
  return diagnostics.map(({ file, line, column, code }) => `${file}:${line}:${column} TS${code}`).sort();
}

function config(compilerOptions: object, rest: object = { include: ['src'] }): string {
  const common = {
    strict: true,
    target: 'es2022',
    lib: ['es2022'],
    noEmit: true,
    skipLibCheck: true,
    types: [],
  };
  return JSON.stringify({ compilerOptions: { ...common, ...compilerOptions }, ...rest });
}

const bundler: Files = {
  'tsconfig.json': config({
    module: 'esnext',
    moduleResolution: 'bundler',
    paths: { '@app/*': ['./src/*'] },
  }),
  'src/user.ts':
    "export interface User { name: string | null }\nexport const ü = '😀'; export const load = (): User => ({ nome: ü });\n",
  'src/use.ts':
    "import { load, gone } from '@app/user';\n/* 😀 */ load().name.trim();\nimport lost from 'not-installed';\n",
  'src/twice.ts': 'export const twice = 1;\nexport const twice = 2;\nlet x: number = "";\n',
};
const nodenext: Files = {
  'package.json': '{"name":"own","type":"module","imports":{"#lib/*":"./src/lib/*.ts"}}',
  'tsconfig.json': config({ module: 'nodenext', allowJs: true, checkJs: true }),
  'src/lib/sum.ts': 'export function sum(a: number, b: number): number { return a + b; }\n',
  'src/main.ts': "import { sum } from '#lib/sum';\nimport { other } from './lib/sum';\nsum(1);\n",
  'src/plain.js':
    "import { sum } from './lib/sum.js';\n/** @type {string} */\nexport const text = sum(1, 2);\n",
};
const jsx: Files = {
  'tsconfig.json': config({ module: 'esnext', moduleResolution: 'bundler', jsx: 'preserve' }),
  'src/view.tsx': 'export const View = (p: { a: number }) => <div id={p.b}>{p.a}</div>;\n',
};
const references: Files = {
  'tsconfig.json': '{"files":[],"references":[{"path":"./core"},{"path":"./app"}]}',
  'core/tsconfig.json': config(
    { composite: true, noEmit: false, outDir: 'out', module: 'nodenext' },
    { include: ['*.ts'] },
  ),
  'core/core.ts': 'export function area(width: number, height: number): number { return width * height; }\n',
  'app/tsconfig.json': config(
    { composite: true, noEmit: false, outDir: 'out', module: 'nodenext' },
    { include: ['*.ts'], references: [{ path: '../core' }] },
  ),
  'app/app.ts': "import { area } from '../core/core.js';\nexport const size = area(1);\n",
};
const old: Files = {
  'tsconfig.json': config({
    module: 'commonjs',
    moduleResolution: 'node10',
    target: 'es5',
    ignoreDeprecations: '5.0',
  }),
  'src/a.ts': 'export function a(n: number): string { return n; }\n',
  'src/b.ts': "import { a, c } from './a';\na('x');\n",
};

test.each([
  ['a bundler project with a path alias and characters beyond the basic plane', bundler, native],
  ['nodenext with package imports and checked JavaScript', nodenext, native],
  ['JSX without the types of React', jsx, native],
  ['nodenext, by the classic compiler', nodenext, classic],
  ['settings that version 7 has given up', old, classic],
])('%s: the same errors as tsc on disk', async (_, files, packageDir) => {
  const expected = await onDisk(files, packageDir, ['-p', '.']);
  expect(expected.length).toBeGreaterThan(1);
  expect(await virtually([files], packageDir)).toEqual([expected]);
});

test.each([native, classic])('a referenced project is checked by its sources', async (packageDir) => {
  const expected = await onDisk(references, packageDir, ['-b']);
  expect(expected).toEqual(['app/app.ts:2:21 TS2554']);
  expect(await virtually([references], packageDir, 'app/tsconfig.json')).toEqual([expected]);
});

test.each([native, classic])('a tree after others is checked as if it were the first', async (packageDir) => {
  const { 'src/twice.ts': _, ...without } = bundler;
  const repaired = {
    ...without,
    'src/user.ts':
      "export interface User { name: string }\nexport const gone = 1;\nexport const load = (): User => ({ name: '' });\n",
    'src/fresh.ts': "import { load } from './user';\nexport const name: number = load().name;\n",
  };
  const [, second, third] = await virtually([bundler, repaired, bundler], packageDir);
  const [alone] = await virtually([repaired], packageDir);
  expect(second).toEqual(alone);
  expect(second).toEqual(['src/fresh.ts:2:14 TS2322', 'src/use.ts:3:18 TS2307']);
  expect(third).toEqual((await virtually([bundler], packageDir))[0]);
});

test('packages come from disk, and a workspace among them from the tree', async () => {
  const root = folder();
  write(root, {
    'node_modules/dep/package.json': '{"name":"dep","types":"index.d.ts"}',
    'node_modules/dep/index.d.ts': 'export declare function dep(a: string): void;',
    'lib/package.json': '{"name":"lib","types":"stale.ts"}',
  });
  symlinkSync('../lib', join(root, 'node_modules/lib'), 'dir');
  const files = {
    'tsconfig.json': config({ module: 'esnext', moduleResolution: 'bundler' }),
    'lib/package.json': '{"name":"lib","types":"fresh.ts"}',
    'lib/fresh.ts': 'export function lib(a: number): void {}\n',
    'src/main.ts': "import { dep } from 'dep';\nimport { lib } from 'lib';\ndep(1);\nlib('');\n",
  };
  const expected = [['src/main.ts:3:5 TS2345', 'src/main.ts:4:5 TS2345']];
  expect(await virtually([files], native, 'tsconfig.json', root)).toEqual(expected);
  expect(await virtually([files], classic, 'tsconfig.json', root)).toEqual(expected);
});

test.each([native, classic])(
  "a package that is the user's link is followed out of the checkout",
  async (packageDir) => {
    const root = folder();
    const store = folder();
    write(store, {
      'links/dep/node_modules/dep/package.json': '{"name":"dep","types":"index.d.ts"}',
      'links/dep/node_modules/dep/index.d.ts': "export { inner } from 'inner';",
      'links/inner/node_modules/inner/package.json': '{"name":"inner","types":"index.d.ts"}',
      'links/inner/node_modules/inner/index.d.ts': 'export declare function inner(a: string): void;',
    });
    write(root, { 'node_modules/.keep': '' });
    symlinkSync(join(store, 'links/dep/node_modules/dep'), join(root, 'node_modules/dep'), 'dir');
    symlinkSync('../../inner/node_modules/inner', join(store, 'links/dep/node_modules/inner'), 'dir');
    const files = {
      'tsconfig.json': config({ module: 'esnext', moduleResolution: 'bundler' }),
      'src/main.ts': "import { inner } from 'dep';\ninner(1);\n",
    };
    const found = await virtually([files], packageDir, 'tsconfig.json', root);
    expect(found).toEqual([['src/main.ts:2:7 TS2345']]);
  },
);

test.each([native, classic])('reduced settings keep their position and meaning', async (packageDir) => {
  const files = {
    'tsconfig.json':
      '{\n  // why\n  "extends": "./settings/base",\n  "compilerOptions": { "plugins": [{ "name": "x" }],\n    "module": "nonsense" },\n  "include": ["src"]\n}\n',
    'settings/base.json':
      '{ "compilerOptions": { "noImplicitAny": true, "types": [], "generateTrace": "out" } }',
    'src/a.ts': 'export function a(b) {}\n',
  };
  const expected = ['src/a.ts:1:19 TS7006', 'tsconfig.json:5:15 TS6046'];
  expect(await virtually([files], packageDir)).toEqual([expected]);
  expect(await onDisk(files, packageDir, ['-p', '.'])).toEqual(expected);
});

test('version 7 reports the settings that it has dropped', async () => {
  const root = folder();
  const client = new CheckerClient(root, 60_000, new Effort());
  onTestFinished(() => client.close());
  await client.ask({ type: 'open', kind: 'native', packageDir: native, root, packages: [] }, 'opened');
  await client.ask({ type: 'base', ...message(old) }, 'ready');
  const { checked } = await client.ask(
    { type: 'check', project: 'tsconfig.json', focus: null, changed: null },
    'checked',
  );
  expect(checked.rejected).toMatch(/^TS510[28]: /);
});
