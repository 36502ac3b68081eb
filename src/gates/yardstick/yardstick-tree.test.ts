import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gateInputs } from '#gates/definitions/inputs.ts';
import { openRepository } from '#git/call/repository.ts';
import { treeOf } from '#git/merges/branches.ts';
import { createScratch } from '#git/objects/scratch.ts';
import { readFilesAt } from '#git/trees/files-at.ts';
import { type Files, GitRepository } from '#test/support/git-repository.ts';
import { temporaryFolder } from '#test/support/joinery.ts';
import { mergeManifest } from './merge-manifest.ts';
import { yardstickTree } from './yardstick-tree.ts';

const project = {
  'package.json':
    '{\n  "name": "p",\n  "scripts": { "test": "vitest" },\n  "devDependencies": { "vitest": "5.0.0" }\n}\n',
  'package-lock.json': '{}\n',
  'pyproject.toml': '[project]\nname = "p"\n',
  Makefile: 'test:\n\tpytest\n-include local.mk\n',
  'src/sum.ts': 'export const sum = 1;\n',
  'src/sum.test.ts': "import { sum } from './sum';\n",
  'src/testing/tools.ts': 'export const tools = 1;\n',
  'src/speaks.ts': "import { expect } from 'vitest';\n",
  'src/tests/reader.ts': 'export const reader = 1;\n',
  'src/main.ts': "import { reader } from './tests/reader';\n",
  'helpers/check.ts': 'export const check = 1;\n',
  'tests/app.test.ts':
    "import { check } from '../helpers/check';\nimport '../src/speaks';\nreadFile('data/cases.json');\n",
  'tests/__snapshots__/app.snap': 'a\n',
  'data/cases.json': '[1]\n',
  'app/__init__.py': '',
  'tests/test_app.py': 'import app\nimport requests\n',
};

async function measured(work: Files, named: readonly string[] = []) {
  const made = new GitRepository();
  made.commit(project);
  made.branch('work', work);
  return measuredIn(made, named);
}

/** Measures the branch `work`. */
async function measuredIn(made: GitRepository, named: readonly string[] = []) {
  const repository = await openRepository(made.dir);
  const scratch = await createScratch(repository, join(temporaryFolder(), 'objects'));
  const [base, tip] = [
    await treeOf(scratch.git, made.git('rev-parse', 'main')),
    await treeOf(scratch.git, made.git('rev-parse', 'work')),
  ];
  const inputs = gateInputs({ gates: [] });
  const yardstick = await yardstickTree({ scratch, base, work: tip, inputs, named, pythonRoots: [] });
  const read = async (path: string) =>
    (await readFilesAt(scratch.git, yardstick.tree, [path])).get(path) ?? null;
  return { ...yardstick, base, work: tip, read };
}

test.each([
  'src/sum.test.ts',
  'tests/app.test.ts',
  'tests/__snapshots__/app.snap',
  'helpers/check.ts',
  'src/speaks.ts',
  'data/cases.json',
  'Makefile',
  'package-lock.json',
])('%s is taken from base, whether changed or deleted', async (path) => {
  expect(await measured({ [path]: 'other\n' })).toMatchObject({ withheld: [path] });
  const deleted = await measured({ [path]: null });
  expect(await deleted.read(path)).toBe(project[path as keyof typeof project]);
  expect(deleted.tree).toBe(deleted.base);
});

test.each([
  'conftest.py',
  'tests/conftest.py',
  'vite.config.ts',
  'postcss.config.mjs',
  '.env.test',
  'sitecustomize.py',
  'difflib.py',
  'pluggy.py',
  'pluggy.pyc',
  'iniconfig/__init__.pyc',
  'requests.abi3.so',
  'app/__init__.cpython-312-x86_64-linux-gnu.so',
  'app.so',
  'src/iniconfig/__init__.py',
  'local.mk',
  'tests/helper.ts',
  'src/new.test.ts',
  'node_modules/vitest/index.js',
  '.gitattributes',
  '.nvmrc',
  'src/package.json',
  'tests/package.json',
  'requests.py',
])('%s is left out if the work adds it', async (path) => {
  const found = await measured({ [path]: 'x\n', 'src/sum.ts': 'export const sum = 2;\n' });
  expect(found.withheld).toEqual([path]);
  expect(await found.read(path)).toBeNull();
  expect(await found.read('src/sum.ts')).toContain('2');
});

test.each([
  'src/sum.ts',
  'src/new.ts',
  'src/tests/reader.ts',
  'app/__init__.py',
  'app/calendar.py',
  'docs/guide.md',
  'pyproject.toml',
])('%s is taken from the work', async (path) => {
  const found = await measured({ [path]: '[project]\nname = "q"\n' });
  expect(found).toMatchObject({ withheld: [], tree: found.work });
});

test('a new source beside a file of the same name is taken from the work if base imports that file with its extension', async () => {
  const made = new GitRepository();
  made.commit({
    'src/messages.json': '{}\n',
    'src/main.ts': "import texts from './messages.json';\n",
    'src/main.test.ts': "import './main';\n",
  });
  made.branch('work', {
    'src/messages.ts': 'export const read = 1;\n',
    'src/main.ts': "import texts from './messages.json';\nimport { read } from './messages.ts';\n",
  });
  const found = await measuredIn(made);
  expect(found).toMatchObject({ withheld: [], tree: found.work });
});

test('a link that replaces a folder of tests or helpers is left out, and so is anything that replaces a file', async () => {
  const made = new GitRepository();
  made.commit(project);
  made.git('checkout', '-q', '-b', 'work');
  for (const folder of ['tests', 'helpers']) made.write({ [folder]: null });
  made.write({ 'src/easy/app.test.ts': 'x\n', Makefile: null });
  made.write({ 'Makefile/inner.ts': 'x\n' });
  symlinkSync('src/easy', join(made.dir, 'tests'));
  symlinkSync('src/easy', join(made.dir, 'helpers'));
  made.git('add', '--all');
  made.git('commit', '-q', '-m', 'work');
  const { read } = await measuredIn(made);
  for (const path of ['tests/app.test.ts', 'helpers/check.ts', 'Makefile'])
    expect(await read(path)).toBe(project[path as keyof typeof project]);
});

test('a file that the task names is taken from the work, and listed', async () => {
  const found = await measured({ 'src/sum.test.ts': 'x\n' }, ['src/sum.test.ts']);
  expect(found).toMatchObject({ withheld: [], contested: ['src/sum.test.ts'], tree: found.work });
});

test('packages that are added or upgraded come with the lock file; scripts do not', async () => {
  const manifest = {
    name: 'p',
    scripts: { test: 'true' },
    imports: { '#sum': './src/other.ts' },
    devDependencies: { vitest: '5.1.0', zod: '^4.0.0' },
  };
  const found = await measured({
    'package.json': JSON.stringify(manifest),
    'package-lock.json': '{"packages":{}}\n',
  });
  expect(found.packages).toEqual(['vitest 5.0.0 → 5.1.0', 'zod']);
  expect(JSON.parse((await found.read('package.json')) ?? '')).toEqual({
    name: 'p',
    scripts: { test: 'vitest' },
    devDependencies: { vitest: '5.1.0', zod: '^4.0.0' },
  });
  expect(await found.read('package-lock.json')).toBe('{"packages":{}}\n');
});

test('packages are not taken with a lock file that installs another runner', async () => {
  const manifest = { name: 'p', devDependencies: { vitest: '5.0.0', zod: '^4.0.0' } };
  const packages = { 'node_modules/vitest': { version: '5.0.0', resolved: 'file:./runner.tgz' } };
  const found = await measured({
    'package.json': JSON.stringify(manifest),
    'package-lock.json': JSON.stringify({ packages }),
  });
  expect(found.packages).toEqual([]);
  expect(await found.read('package-lock.json')).toBe('{}\n');
  expect(await found.read('package.json')).toBe(project['package.json']);
});

test('a workspace package with the name of an installed one is left out', async () => {
  const path = 'packages/vitest/package.json';
  expect((await measured({ [path]: '{"name":"vitest"}' })).withheld).toEqual([path]);
  expect((await measured({ 'packages/new/package.json': '{"name":"new"}' })).withheld).toEqual([]);
});

test.each([
  ['removes one', {}],
  ['lowers one', { a: '1.9.0' }],
  ['leads one elsewhere', { a: 'file:./a' }],
  ['adds one from elsewhere', { a: '2.0.0', b: 'npm:c@1.0.0' }],
])('a manifest that %s is taken from base', (_, dependencies) => {
  const base = JSON.stringify({ dependencies: { a: '2.0.0' } });
  expect(mergeManifest(base, JSON.stringify({ dependencies }))).toBeNull();
});

test.each(['src/sum', 'src/sum.js'])(
  'a new file that imports would find before one of base is left out: %s',
  async (path) => {
    const { withheld } = await measured({ [path]: 'x\n', 'src/main.ts': 'export const m = 2;\n' });
    expect(withheld).toEqual([path]);
  },
);

test('a module with another extension is taken from the work if the change removes the old one', async () => {
  const { withheld } = await measured({ 'src/sum.js': 'export const sum = 2;\n', 'src/sum.ts': null });
  expect(withheld).toEqual([]);
});
