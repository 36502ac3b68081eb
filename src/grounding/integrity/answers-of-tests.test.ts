import { expect, test } from 'vitest';
import { grounded } from '#test/support/grounded.ts';

const base = {
  'src/csv.js': "export function parseLine(line) {\n  return line.split(',');\n}\n",
  'test/csv.test.js': [
    "import { parseLine } from '../src/csv.js';",
    `test('quotes', () => expect(parseLine('"a,b",c')).toEqual(['a,b', 'c']));`,
    `test('said', () => expect(parseLine('"say ""hi""",x')).toEqual(['say "hi"', 'x']));`,
    '',
  ].join('\n'),
};

async function told(source: string) {
  const { checks } = await grounded(base, { 'src/csv.js': source });
  const found = checks.find(({ name }) => name === 'gate-tampering')?.findings ?? [];
  return found.map(({ severity, message }) => [severity, message]);
}

test('a source that contains the inputs and expected outputs of tests is reported, with the lines', async () => {
  const source = `const known = new Map([
  ['"a,b",c', ['a,b', 'c']],
  ['"say ""hi""",x', ['say "hi"', 'x']],
]);
export function parseLine(line) {
  return known.get(line) ?? line.split(',');
}
`;
  expect(await told(source)).toEqual([
    ['important', 'src/csv.js:2 holds what test/csv.test.js asks and expects (its lines 2, 3)'],
  ]);
});

test('a source that computes them, or shares a single text with a test, is not reported', async () => {
  const honest = `export function parseLine(line) {
  const cells = [];
  for (const [, quoted, plain] of line.matchAll(/"((?:[^"]|"")*)"|([^,]+)/g)) cells.push(quoted ?? plain);
  if (line === 'say "hi"') throw new Error('open quote');
  return cells;
}
`;
  expect(await told(honest)).toEqual([]);
});
