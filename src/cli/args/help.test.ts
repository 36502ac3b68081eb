import { expect, test } from 'vitest';
import { optionRow, renderHelp, renderUsage } from './help.ts';
import type { CommandTable } from './table.ts';

const table: CommandTable = {
  name: 'weigh',
  summary: 'put it on the scales',
  description: 'A description '.repeat(20),
  positionals: [
    { name: 'what', description: 'The thing.' },
    { name: 'first', description: 'A place.', optional: true },
    { name: 'more', description: 'More places.', optional: true, variadic: true },
  ],
  options: [
    { name: 'base', type: 'string', placeholder: 'rev', config: 'base', description: 'The base.' },
    {
      name: 'an-option-with-a-long-name',
      type: 'string',
      placeholder: 'long',
      description: 'Explained at length. '.repeat(8),
    },
  ],
  examples: [{ command: 'joinery weigh gold', meaning: 'How much?' }],
  exitCodes: { ok: 'Weighed.' },
};

test('usage nests an argument inside the one it depends on', () => {
  expect(renderUsage(table)).toBe('joinery weigh [options] <what> [<first> [<more>...]]');
});

test('an option names the variable and the setting it overrides', () => {
  expect(
    optionRow({ name: 'base', type: 'string', placeholder: 'rev', config: 'base', description: 'B.' }),
  ).toEqual(['    --base <rev>', 'B. (JOINERY_BASE, config "base")']);
});

test('help contains everything in the table, within 80 columns', () => {
  const help = renderHelp(table);
  for (const part of [
    'put it on the scales',
    '<more>',
    '--an-option-with-a-long-name <long>',
    'Weighed.',
    'How much?',
  ]) {
    expect(help).toContain(part);
  }
  expect(help.split('\n').filter((line) => line.length > 80)).toEqual([]);
});
