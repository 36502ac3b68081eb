import { expect, test } from 'vitest';
import { Config } from '#config/settings.ts';
import { gatesIn } from './definitions.ts';
import { type PythonRunner, readTestSources } from './test-sources.ts';

function sourcesIn(files: Readonly<Record<string, string>>, installed: PythonRunner | null = null) {
  return readTestSources({ texts: new Map(Object.entries(files)), paths: Object.keys(files) }, installed);
}

const commandsOf = (files: Readonly<Record<string, string>>, installed: PythonRunner | null = null) =>
  sourcesIn(files, installed).chosen.map(({ command }) => command);

test.each([
  [{ 'package.json': '{"scripts":{"test":"node --test"}}' }, ['npm test']],
  [{ 'package.json': '{"scripts":{"test":"node --test"}}', 'pnpm-lock.yaml': '' }, ['pnpm test']],
  [{ 'package.json': '{"devDependencies":{"vitest":"4.0.0"}}' }, ['vitest run']],
  [{ 'package.json': '{"devDependencies":{"jest":"30.0.0"}}' }, ['jest']],
  [{ 'package.json': '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}' }, []],
  [{ 'package.json': 'not json' }, []],
  [{ 'pyproject.toml': '[tool.pytest.ini_options]' }, ['python3 -m pytest']],
  [{ 'pyproject.toml': '[project]\nname = "x"' }, []],
  [{ 'tox.ini': '[testenv]\ncommands = nosetests' }, ['tox']],
  [{ 'noxfile.py': 'import nox' }, ['nox']],
  [{ 'test_cart.py': 'def test_total():\n    pass\n' }, ['python3 -m pytest']],
  [{ 'test_cart.py': 'import unittest\nclass A(unittest.TestCase): ...\n' }, ['python3 -m unittest -v']],
  [{ 'go.mod': 'module x' }, ['go test -v ./...']],
  [
    { 'Cargo.toml': '[package]' },
    ['cargo check --offline --all-targets --message-format short', 'cargo test --offline'],
  ],
  [{ 'pom.xml': '<project/>' }, ['mvn -B -o test']],
  [{ 'build.gradle.kts': '', gradlew: '' }, ['./gradlew --offline test']],
  [{ 'composer.json': '{"scripts":{"test":"phpunit"}}' }, ['composer test']],
  [{ Rakefile: 'Rake::TestTask.new' }, ['rake test']],
  [{ Makefile: 'all:\n\ntest: all\n\t./run\n' }, ['make test']],
  [{ justfile: 'test:\n  ./run\n' }, ['just test']],
  [{ 'package.json': '{"scripts":{"test":"jest"}}', 'pytest.ini': '' }, ['npm test', 'python3 -m pytest']],
  [{}, []],
])('%j is tested by %j', (files, commands) => {
  expect(commandsOf(files)).toEqual(commands);
});

test('Python tests that no file says how to run are run by what is installed', () => {
  expect(commandsOf({}, 'pytest')).toEqual(['python3 -m pytest']);
  expect(commandsOf({}, 'unittest')).toEqual(['python3 -m unittest -v']);
  expect(commandsOf({ 'pytest.ini': '' }, 'unittest')).toEqual(['python3 -m pytest']);
});

const script = '{"scripts":{"test":"node --test"}}';

test('a workspace has tests of its own where those of the top do not run them', () => {
  const folders = (files: Readonly<Record<string, string>>) =>
    sourcesIn(files).chosen.map(({ folder }) => folder);
  const below = { 'packages/a/package.json': script, 'packages/b/package.json': script };
  expect(folders({ 'package.json': '{"workspaces":["packages/*"]}', ...below })).toEqual([
    'packages/a',
    'packages/b',
  ]);
  const covering = '{"workspaces":["packages/*"],"scripts":{"test":"npm test --workspaces"}}';
  expect(folders({ 'package.json': covering, ...below })).toEqual(['']);
  expect(folders({ 'package.json': script, 'tool/package.json': script })).toEqual(['', 'tool']);
  expect(folders({ 'package.json': script, 'test/fixtures/x/package.json': script })).toEqual(['']);
});

test('gates of the project come first, all sources are listed, and a CI file is only quoted', () => {
  const files = {
    'AGENTS.md': '## Quality Gates\n\n- test: `npm run check`\n',
    'package.json': script,
    Makefile: 'test:\n\tnode --test\n',
    '.github/workflows/ci.yml': 'steps:\n  - run: npm run test:all\n  - run: echo done\n',
  };
  const gates = gatesIn(new Map(Object.entries(files)), 'c0ffee', Config.parse({}), sourcesIn(files));
  expect(gates.gates.map(({ command }) => command)).toEqual(['npm run check']);
  expect(gates.sources).toEqual([
    { origin: 'AGENTS.md:3', command: 'npm run check', use: 'chosen' },
    { origin: 'package.json', command: 'npm test', use: 'other' },
    { origin: 'Makefile', command: 'make test', use: 'other' },
    { origin: '.github/workflows/ci.yml:2', command: 'npm run test:all', use: 'proposal' },
  ]);
});

test('where gates without a test are written, the tests of the manifests are added', () => {
  const files = {
    'AGENTS.md': '## Quality Gates\n\n- lint: `eslint .`\n',
    'packages/a/package.json': script,
  };
  const { gates, subsystems } = gatesIn(
    new Map(Object.entries(files)),
    'c0ffee',
    Config.parse({}),
    sourcesIn(files),
  );
  expect(gates.map(({ id, command }) => [id, command])).toEqual([
    ['lint', 'eslint .'],
    ['javascript packages/a/test', 'cd packages/a && npm test'],
  ]);
  expect(subsystems).toEqual({
    'javascript packages/a': ['packages/a/**/*.{js,mjs,cjs,jsx,ts,mts,cts,tsx,vue,svelte}'],
  });
});
