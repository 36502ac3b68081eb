import fc from 'fast-check';
import { stringify } from 'smol-toml';
import { beforeAll, describe, expect, test } from 'vitest';
import { sample } from '#test/support/sampling.ts';
import { isTomlPath, toml } from './index.ts';

beforeAll(() => toml.prepare());

const duplicates = (...lines: string[]) => {
  const { duplicateKeys, syntaxError } = toml.extract(lines.join('\n'));
  expect(syntaxError).toBeNull();
  return duplicateKeys;
};

describe('a TOML file', () => {
  test('reports keys that occur twice in one table', () => {
    expect(duplicates('[tool.ruff]', 'line-length = 100', 'select = []', 'line-length = 120')).toEqual([
      { key: 'tool.ruff.line-length', lines: [2, 4] },
    ]);
  });

  test('reports tables that occur twice, and the keys they repeat', () => {
    expect(duplicates('[a]', 'x = 1', '[b]', 'x = 1', '[a]', 'x = 2', 'y = 3')).toEqual([
      { key: 'a', lines: [1, 5] },
      { key: 'a.x', lines: [2, 6] },
    ]);
  });

  test.each([
    ['quoted keys', 'a = 1\n"a" = 2', 'a'],
    ['dotted keys', 'a.b = 1\na . "b" = 2', 'a.b'],
    ['a value and a table', 'a = 1\n[a]', 'a'],
    ['a dotted table and a header', 'a.b = 1\n[a]', 'a'],
    ['a value and a dotted key', 'a = 1\na.b = 2', 'a'],
    ['a table and an array of tables', '[a]\n[[a]]', 'a'],
    ['inline tables', 'a = { b = 1,\tb = 2 }', 'a.b'],
    ['inline tables in arrays', 'a = [\n{ b = 1 },\n{ b = 1, b = 2 },\n]', 'a.1.b'],
    ['an array of tables', '[[a]]\nb = 1\n[[a]]\nb = 1\nb = 2', 'a.1.b'],
    ['tables in an array of tables', '[[a]]\n[a.b]\n[[a]]\n[a.b]\n[a.b]', 'a.1.b'],
    ['lines after a long string', 'a = """\nb = 1\nb = 2\n"""\nc = 1\nc = 2', 'c'],
  ])('finds repeats in %s', (_, text, key) => {
    expect(duplicates(text).map((duplicate) => duplicate.key)).toEqual([key]);
  });

  test('gives the lines of repeats after values of several lines', () => {
    expect(
      duplicates('a = """', 'x', '"""', "b = '''", "it''s''''", 'c = [', '  1, # ]', '  "]",', ']', 'a = 2'),
    ).toEqual([{ key: 'a', lines: [1, 10] }]);
  });

  test.each([
    ['the same key in different tables', '[a]\nx = 1\n[b]\nx = 1'],
    ['arrays of tables', '[[a]]\nx = 1\n[[a]]\nx = 1'],
    ['a table after its subtable', '[a.b]\n[a]'],
    ['dotted keys of one table', 'a.b = 1\na.c = 2'],
    ['keys in strings and comments', 'a = "b = 1"\n# b = 1\nb = 1'],
    ['all kinds of values', 'a = 1979-05-27T07:32:00Z\nb = [1, {c = 1}, "x,]"]\nd = -inf\ne = 0x1\n'],
    ['nothing', ''],
    ['CRLF', 'a = 1\r\n[b]\r\na = 1\r\n'],
    ['a byte order mark', '\ufeffa = 1'],
  ])('may have %s', (_, text) => {
    expect(toml.extract(text)).toMatchObject({ syntaxError: null, duplicateKeys: [], module: 'data' });
  });

  test.each([
    ['a missing value', 'a =\nb = 1', 1],
    ['a missing quote', 'a = 1\nb = "x\n', 2],
    ['a conflict marker', 'a = 1\n<<<<<<< HEAD\n', 2],
    ['an open array', 'a = [1,\n', 1],
    ['two values on a line', 'a = 1 b = 2', 1],
  ])('is broken by %s', (_, text, line) => {
    expect(toml.extract(text).syntaxError?.line).toBeGreaterThanOrEqual(line);
  });

  test('can be broken and repeat a key at once', () => {
    expect(toml.extract('a = 1\na = 2\nb = \n')).toMatchObject({
      syntaxError: { line: 3 },
      duplicateKeys: [{ key: 'a', lines: [1, 2] }],
    });
  });

  test('that nests too deeply is an error', () => {
    expect(toml.extract(`a = ${'['.repeat(20_000)}${']'.repeat(20_000)}`).syntaxError).not.toBeNull();
    expect(toml.extract(`a = ${'{b='.repeat(20_000)}1${'}'.repeat(20_000)}`).syntaxError).not.toBeNull();
  });

  test('may be large', () => {
    const rows = Array.from({ length: 20_000 }, (_, n) => `[[package]]\nname = "p${n}"\nversion = "1.0"\n`);
    expect(duplicates(...rows, '[package.deps]', 'a = "1"', 'a = "2"')).toHaveLength(1);
  });
});

describe('paths of TOML files', () => {
  test('end in .toml or have a known name', () => {
    expect(['pyproject.toml', 'a/Pipfile', 'yarn.lock', 'toml'].map(isTomlPath)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('any text', () => {
  test('gives the same facts twice and never throws', () => {
    const piece = fc.constantFrom(
      'a',
      'b',
      '.',
      ' = ',
      '1',
      '"x"',
      '"""',
      "'''",
      "'",
      '"',
      '[',
      ']',
      '[[',
      ']]',
      '{',
      '}',
      ',',
      '#',
      '\\',
      '\n',
      '\r\n',
      ' ',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(piece).map((pieces) => pieces.join('')),
        ),
        (text) => {
          expect(toml.extract(text)).toEqual(toml.extract(text));
        },
      ),
      sample('fuzzed TOML', { normal: 60, soak: 2000 }),
    );
  });

  test('finds no duplicate and no error in what a TOML writer writes', () => {
    const value = fc.letrec((tie) => ({
      table: fc.dictionary(fc.stringMatching(/^[a-z ."]{1,4}$/), tie('value'), { maxKeys: 4 }),
      value: fc.oneof(
        { maxDepth: 3 },
        fc.integer(),
        fc.string(),
        fc.boolean(),
        fc.array(fc.string(), { maxLength: 3 }),
        tie('table'),
        fc.array(tie('table'), { maxLength: 3 }),
      ),
    })).table;
    fc.assert(
      fc.property(value, (table) => {
        expect(toml.extract(stringify(table))).toMatchObject({ syntaxError: null, duplicateKeys: [] });
      }),
      sample('TOML with known duplicates', { normal: 60, soak: 2000 }),
    );
  });
});
