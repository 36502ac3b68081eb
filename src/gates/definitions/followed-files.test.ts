import { expect, test } from 'vitest';
import { Config } from '#config/settings.ts';
import { openRepository } from '#git/call/repository.ts';
import { ObjectReader } from '#git/objects/object-reader.ts';
import { GitTree } from '#git/trees/tree.ts';
import { compileGlobs } from '#lib/glob.ts';
import { GitRepository } from '#test/support/git-repository.ts';
import { readGateInputs } from './read-inputs.ts';

const project = {
  'package.json': JSON.stringify({
    scripts: {
      test: 'npm run unit && run-s "e2e:*"',
      pretest: 'node tools/prepare.mjs',
      unit: 'bash scripts/test.sh',
      'e2e:web': 'playwright test --config e2e/settings.js',
      start: 'node src/server.js',
    },
    mocha: { require: ['./test/hooks.cjs'] },
  }),
  'scripts/test.sh': 'set -e\n./scripts/more --all\nnode --test src/\n',
  'scripts/more': '#!/bin/sh\nnode tools/deep.mjs\n',
  'tools/deep.mjs': '',
  'tools/prepare.mjs': '',
  'test/hooks.cjs': '',
  'e2e/settings.js': '',
  'src/server.js': '',
  'src/a.js': '',
  'web/package.json': '{"scripts":{"unit":"node run.mjs","dev":"node dev.mjs"}}',
  'web/run.mjs': '',
  'vitest.config.ts':
    "import { shared } from './config/shared';\nimport vite from './vite.config';\nexport default { ...shared, test: { setupFiles: [new URL('./test/setup', import.meta.url)], globalSetup: './test/global.ts', include: ['src/a.js'] } };\n",
  'config/shared.ts': '',
  'test/setup.ts': '',
  'test/global.ts': '',
  'tsconfig.json': '{"extends": ["./config/base.json", "@tsconfig/node24"], "files": ["src/a.js"]}',
  'config/base.json': '{}',
  Makefile:
    'include build/rules.mk\n\ncheck: prepare\n\t@node tools/check.mjs\n\nprepare:\n\tsh tools/first.sh\n\nrun:\n\tnode src/server.js\n',
  'build/rules.mk': '',
  'tools/check.mjs': '',
  'tools/first.sh': '',
};

async function inputsOf(...commands: string[]) {
  const made = new GitRepository();
  const commit = made.commit(project);
  const gates = commands.map((command) => ({
    ...{ id: 'x', kind: 'test' as const, command, subsystem: null, timeoutMs: 1, origin: '' },
  }));
  const { git } = await openRepository(made.dir);
  const objects = new ObjectReader(git);
  const tree = await GitTree.read(git, commit);
  const inputs = await readGateInputs(objects, tree, {
    config: Config.parse({ worktree: { folders: ['node_modules', 'third-party/tools/'] } }),
    gates: { commit, file: null, gates, subsystems: {}, sources: [] },
  });
  objects.close();
  return inputs;
}

async function uses(...commands: string[]): Promise<(path: string) => boolean> {
  const inputs = await inputsOf(...commands);
  return compileGlobs(inputs.flatMap(({ glob, what }) => (what === 'used by a gate' ? [glob] : [])));
}

test('folders of dependencies include those of the config', async () => {
  const inputs = await inputsOf('npm test');
  const isInstalled = compileGlobs(
    inputs.flatMap(({ glob, what }) => (what === 'installed tools' ? [glob] : [])),
  );
  const paths = ['third-party/tools/bin/jest', 'web/node_modules/jest/index.js', 'third-party/a.js'];
  expect(paths.map(isInstalled)).toEqual([true, true, false]);
});

test('scripts are followed through scripts to the files they run, in every package', async () => {
  const isUsed = await uses('npm test');
  const run = ['scripts/test.sh', 'scripts/more', 'tools/deep.mjs', 'tools/prepare.mjs', 'e2e/settings.js'];
  expect([...run, 'web/run.mjs'].filter((path) => !isUsed(path))).toEqual([]);
  expect(['src/server.js', 'web/dev.mjs', 'src/a.js', 'tools/check.mjs'].filter(isUsed)).toEqual([]);
});

test('settings are followed to the files that runners load and compilers extend', async () => {
  const isUsed = await uses('npx vitest run');
  const loaded = [
    'test/setup.ts',
    'test/global.ts',
    'config/shared.ts',
    'config/base.json',
    'test/hooks.cjs',
  ];
  expect([...loaded, 'build/rules.mk'].filter((path) => !isUsed(path))).toEqual([]);
  expect(['src/a.js', 'vite.config.ts', 'scripts/test.sh'].filter(isUsed)).toEqual([]);
});

test('a Makefile target is followed with its prerequisites; its neighbours are not', async () => {
  const isUsed = await uses('make check');
  expect(['tools/check.mjs', 'tools/first.sh'].filter((path) => !isUsed(path))).toEqual([]);
  expect(['src/server.js'].filter(isUsed)).toEqual([]);
});

test('without defined gates the usual scripts count', async () => {
  expect((await uses())('scripts/test.sh')).toBe(true);
});
