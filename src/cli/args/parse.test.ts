import { describe, expect, test } from 'vitest';
import { UsageError } from '#schema/errors.ts';
import { parseCommandLine, splitCommand, unknownCommand, wantsJson } from './parse.ts';
import type { CommandTable } from './table.ts';

const table = {
  name: 'weigh',
  summary: '',
  description: '',
  positionals: [
    { name: 'what', description: '', values: ['gold', 'silver'] },
    { name: 'place', description: '', optional: true, variadic: true },
  ],
  options: [
    {
      name: 'unit',
      type: 'string',
      placeholder: 'unit',
      values: ['gram', 'ounce'],
      default: 'gram',
      description: '',
    },
    { name: 'label', short: 'l', type: 'string', placeholder: 'text', description: '' },
    { name: 'exact', type: 'boolean', negatable: true, description: '' },
    { name: 'dry-run', type: 'boolean', description: '' },
  ],
  examples: [],
  exitCodes: {},
} as const satisfies CommandTable;

const parse = (...words: string[]) => parseCommandLine(table, words);

function complaint(...words: string[]): UsageError {
  try {
    parse(...words);
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error('no complaint');
}

describe('what is typed', () => {
  test('options, arguments and global options may come in any order', () => {
    const { options, globals, positionals } = parse(
      '-C',
      'there',
      'gold',
      '--unit=ounce',
      'here',
      '--json',
      '-l',
      'x',
    );
    expect(options).toMatchObject({ unit: 'ounce', label: 'x' });
    expect(globals).toMatchObject({ directory: 'there', json: true });
    expect(positionals).toEqual(['gold', 'here']);
  });

  test('only a default replaces what is not typed', () => {
    const { options } = parse('gold');
    expect(options.unit).toBe('gram');
    expect(options.exact).toBeUndefined();
    expect(options.label).toBeUndefined();
  });

  test('a switch can be turned off if the table allows it', () => {
    expect(parse('gold', '--no-exact').options.exact).toBe(false);
    expect(parse('gold', '--exact').options.exact).toBe(true);
    expect(complaint('gold', '--no-dry-run').code).toBe('unknown-option');
  });

  test('after -- everything is an argument', () => {
    expect(parse('gold', '--', '--exact', '-x').positionals).toEqual(['gold', '--exact', '-x']);
  });
});

test('a list that is given twice is one list', () => {
  const listed = {
    ...table,
    options: [
      {
        name: 'by',
        type: 'string',
        placeholder: 'way',
        values: ['hand', 'scale', 'none'],
        isList: true,
        description: '',
      },
    ],
  } as const satisfies CommandTable;
  const by = (...words: string[]) => parseCommandLine(listed, ['gold', ...words]).options.by;
  expect(by('--by', 'hand', '--by=scale')).toBe('hand,scale');
  expect(() => by('--by', 'none', '--by', 'scale')).toThrow('"none" cannot be combined');
});

describe('invalid input', () => {
  test.each([
    [['gold', '--untt', 'gram'], 'unknown-option', '--unit'],
    [['gold', '-x'], 'unknown-option', '-x'],
    [['gold', '--label'], 'missing-value', '--label <text>'],
    [['gold', '--label', '--exact'], 'missing-value', '--label <text>'],
    [['gold', '--label='], 'missing-value', '--label <text>'],
    [['gold', '--exact=yes'], 'unexpected-value', '--exact'],
    [['gold', '--unit', 'gran'], 'bad-value', 'did you mean "gram"?'],
    [['iron'], 'bad-value', 'gold or silver'],
    [[], 'missing-argument', '<what>'],
  ])('%j is refused as %s', (words, code, part) => {
    const error = complaint(...words);
    expect(error).toMatchObject({ code, exitCode: 3, hint: 'joinery weigh --help' });
    expect(error.message).toContain(part);
  });

  test('a misspelt word is reported, not the missing argument after it', () => {
    const longer = { ...table, positionals: [table.positionals[0], { name: 'where', description: '' }] };
    expect(() => parseCommandLine(longer, ['iron'])).toThrow('<what> cannot be "iron"');
    expect(() => parseCommandLine(longer, ['gold'])).toThrow('weigh needs <where>');
  });

  test('an extra argument is refused if the last one is not variadic', () => {
    const narrow = { ...table, positionals: table.positionals.slice(0, 1) };
    expect(() => parseCommandLine(narrow, ['gold', 'here'])).toThrow('"here"');
  });

  test('a value that starts with a dash can be given with =', () => {
    expect(parse('gold', '--label=-x').options.label).toBe('-x');
  });
});

describe('the command', () => {
  test('is the first word that is neither an option nor the value of one', () => {
    expect(splitCommand(['-C', 'check', '--json', 'init', 'check'])).toEqual({
      name: 'init',
      rest: ['-C', 'check', '--json', 'check'],
    });
    expect(splitCommand(['--json'])).toEqual({ name: null, rest: ['--json'] });
  });

  test('misspelt, is answered with the nearest name', () => {
    expect(unknownCommand('chekc', [], ['check', 'init']).message).toContain('did you mean "check"?');
    expect(unknownCommand('xyzzyx', [], ['check', 'init']).message).not.toContain('did you mean');
  });

  test('missing, is distinguished from an unknown option', () => {
    expect(unknownCommand(null, ['--quiet'], ['check']).code).toBe('missing-command');
    expect(unknownCommand(null, ['--qiet'], ['check'])).toMatchObject({
      code: 'unknown-option',
      message: expect.stringContaining('--quiet'),
    });
  });
});

test.each([
  [['check', '--json'], true],
  [['check', '--format', 'json'], true],
  [['check', '--format=json'], true],
  [['check', '--format', 'terminal'], false],
  [['check', 'json'], false],
  [['check', '--', '--json'], false],
])('errors of %j are printed as JSON: %s', (argv, expected) => {
  expect(wantsJson(argv)).toBe(expected);
});
