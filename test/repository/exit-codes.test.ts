import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { exitCodes } from '#schema/exit-codes.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** `exitCode: 5`, `exitCode ?? 3`, `process.exitCode = 1`; a comparison concerns another program. */
const literal = /exitCode\s*(?::|\?\?|(?<![=!])=(?!=))\s*(?:[^,;\n]*[?:]\s*)?\d+\b/;
const literalEnd = /process\.exit\([1-9]/;
/** A function that returns one: `function exitCodeOf(…) … return 4;`. */
const answer = /function \w*[eE]xitCode\w*\([^)]*\)[^{]*\{(?:(?!\n\}).)*?\breturn [^;\n]*\b\d+;/s;

test.each([
  ['  return { exitCode: 5 };', true],
  ['  exitCode: isBad ? 2 : 0,', true],
  ['  exitCode: options.exitCode ?? 3,', true],
  ['  process.exitCode = 1;', true],
  ['  process.exit(3);', true],
  ['function exitCodeOf(state: State): number {\n  if (state) return 4;\n}', true],
  ['  exitCode: exitCodes.environment,', false],
  ['  if (end.exitCode === 0) return 5;', false],
  ['function exitCodeOf(): ExitCode {\n  return exitCodes.ok;\n}\nfunction size() {\n  return 4;\n}', false],
])('the search itself: %s', (text, isFound) => {
  expect(hasLiteral(text)).toBe(isFound);
});

test('exit codes are in schema/exit-codes.ts and nowhere else', () => {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.[jt]s$/.test(file) && !file.includes('.test.'),
  );
  expect(files.length).toBeGreaterThan(300);
  expect(files.filter((file) => hasLiteral(readFileSync(join(root, 'src', file), 'utf8')))).toEqual([]);
});

test('the executable, which runs before TypeScript can be read, uses the same codes', () => {
  const texts = ['joinery.js', 'bootstrap.js'].map((file) => readFileSync(join(root, 'bin', file), 'utf8'));
  const named = texts.flatMap((text) => [...text.matchAll(/const exit([A-Z]\w+) = (\d+);/g)]);
  const codes = Object.fromEntries(named.map(([, name = '', code]) => [name, Number(code)]));
  expect(codes).toEqual({ Usage: exitCodes.usage, Environment: exitCodes.environment });
});

function hasLiteral(text: string): boolean {
  return literal.test(text) || literalEnd.test(text) || answer.test(text);
}
