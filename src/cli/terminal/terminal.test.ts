import { expect, test } from 'vitest';
import { readWidth } from './terminal.ts';

test.each([
  ['a terminal', 132, '100', 132],
  ['a pipe', undefined, undefined, 80],
  ['a pipe with COLUMNS', undefined, '100', 100],
  ['nonsense in COLUMNS', undefined, 'wide', 80],
  ['a very narrow terminal', 10, undefined, 40],
])('the width of %s', (_case, columns, variable, expected) => {
  expect(readWidth(columns, variable)).toBe(expected);
});
