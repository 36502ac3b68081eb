import { expect, test } from 'vitest';
import { testCommand } from './test-command.ts';

test.each([
  ['npm test', ['test/a.test.js'], 'npm test -- test/a.test.js'],
  ['pnpm run unit', ['a.test.ts'], 'pnpm run unit -- a.test.ts'],
  ['node --test', ['test/my file.test.js'], "node --test 'test/my file.test.js'"],
  ['tsc && vitest run', ['a.test.ts', 'b.test.ts'], 'tsc && vitest run a.test.ts b.test.ts'],
  ['npx jest --ci', ['a.test.ts'], 'npx jest --ci a.test.ts'],
  ['python3 -m pytest -q', ['tests/test_a.py'], 'python3 -m pytest -q tests/test_a.py'],
  ['go test -v ./...', ['pkg/a_test.go', 'pkg/b_test.go'], 'go test -v ./pkg'],
])('%s runs only %j', (command, files, line) => {
  expect(testCommand(command, files)).toEqual({ line, isFocused: true });
});

test.each([
  ['make test', ['test/a.test.js']],
  ['cargo test', ['tests/a.rs']],
  ['vitest run | tee log', ['a.test.ts']],
])('%s runs the whole suite for %j', (command, files) => {
  expect(testCommand(command, files)).toEqual({ line: command, isFocused: false });
});

test.each([
  ['pytest', ['a.test.ts']],
  ['npm test', ['tests/test_a.py']],
  ['go test ./...', ['a.test.ts']],
])('%s does not read %j', (command, files) => {
  expect(testCommand(command, files)).toBeNull();
});
