import { expect, test } from 'vitest';
import { loadGrammar } from './grammar.ts';

test('an empty file is not a syntax error, although a grammar requires a statement', async () => {
  const parser = await loadGrammar('powershell');
  expect(['', '\n', 'function {'].map((text) => parser.parse(text).broken === null)).toEqual([
    true,
    true,
    false,
  ]);
});
