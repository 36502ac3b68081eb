import { expect, test } from 'vitest';
import { detectGates, type PythonRunner } from './detect-gates.ts';

const commandsOf = (files: Readonly<Record<string, string>>, installed: PythonRunner | null = null) =>
  detectGates(new Map(Object.entries(files)), 1000, installed).gates.map(({ command }) => command);

test.each([
  [{ 'package.json': '{"scripts":{"test":"node --test"}}' }, ['npm test']],
  [{ 'package.json': '{"devDependencies":{"vitest":"4.0.0"}}' }, ['vitest run']],
  [{ 'package.json': '{"devDependencies":{"jest":"30.0.0"}}' }, ['jest']],
  [{ 'package.json': '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}' }, []],
  [{ 'package.json': 'not json' }, []],
  [{ 'pyproject.toml': '[tool.pytest.ini_options]' }, ['python3 -m pytest']],
  [{ 'pyproject.toml': '[project]\nname = "x"' }, []],
  [{ 'go.mod': 'module x' }, ['go test -v ./...']],
  [
    { 'Cargo.toml': '[package]' },
    ['cargo check --offline --all-targets --message-format short', 'cargo test --offline'],
  ],
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
