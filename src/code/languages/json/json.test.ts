import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { sample } from '#test/support/sampling.ts';
import { isJsonPath, json } from './index.ts';

beforeAll(() => json.prepare());

const duplicates = (...lines: string[]) => json.extract(lines.join('\n')).duplicateKeys;

describe('a JSON file', () => {
  test('reports keys that occur twice in one object, with all their lines', () => {
    expect(
      duplicates(
        '{',
        '  "scripts": {',
        '    "test": "a",',
        '    "lint": "b",',
        '    "test": "c"',
        '  }',
        '}',
      ),
    ).toEqual([{ key: 'scripts.test', lines: [3, 5] }]);
  });

  test('counts every occurrence', () => {
    expect(duplicates('{"a": 1, "a": 2,', '"a": 3}')).toEqual([{ key: 'a', lines: [1, 1, 2] }]);
  });

  test('names objects in arrays by their index', () => {
    expect(duplicates('[1, [], {"a": {"b": 1, "b": 2}}]')).toEqual([{ key: '2.a.b', lines: [1, 1] }]);
  });

  test('lets different objects have the same key', () => {
    expect(duplicates('{"a": {"x": 1}, "b": {"x": 1}, "c": [{"x": 1}, {"x": 1}], "x": 1}')).toEqual([]);
  });

  test('compares keys as decoded, not as written', () => {
    expect(duplicates('{"a": 1, "\\u0061": 2}')).toHaveLength(1);
  });

  test('accepts keys that JavaScript objects inherit', () => {
    expect(duplicates('{"__proto__": 1, "constructor": 2}')).toEqual([]);
    expect(duplicates('{"__proto__": 1, "__proto__": 2}')).toHaveLength(1);
  });

  test.each([
    ['comments', '{ // one\n /* two */ "a": 1 }'],
    ['trailing commas', '{"a": [1, 2,],}'],
    ['a byte order mark', '\ufeff{"a": 1}'],
    ['a single value', '3'],
    ['a duplicate', '{"a": 1, "a": 2}'],
  ])('may have %s', (_, text) => {
    expect(json.extract(text)).toMatchObject({ syntaxError: null, module: 'data' });
  });

  test.each([
    ['nothing', '', 1],
    ['a conflict marker', '{\n<<<<<<< HEAD\n"a": 1}', 2],
    ['a missing comma', '{"a": 1\n"b": 2}', 2],
    ['a missing bracket', '{"a": [1}', 1],
    ['two values', '{}\n{}', 2],
  ])('is broken by %s', (_, text, line) => {
    expect(json.extract(text).syntaxError).toMatchObject({ line });
  });

  test('may be large', () => {
    const rows = Array.from(
      { length: 130_000 },
      (_, id) => `{"id": ${id}, "name": "row ${id}", "tags": ["a", "b", {"deep": true}]}`,
    );
    const text = `[${rows.join(',\n')}, {"a": 1, "a": 2}]`;
    expect(text.length).toBeGreaterThan(9_000_000);
    expect(json.extract(text).duplicateKeys).toEqual([{ key: '130000.a', lines: [130_000, 130_000] }]);
  });

  test('that nests too deeply is reported', () => {
    const text = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    expect(json.extract(text).syntaxError).toEqual({ line: 1, column: 1001, message: 'nested too deeply' });
    expect(json.extract('{"a":'.repeat(20_000)).syntaxError?.message).toBe('nested too deeply');
  });

  test('may have any number of duplicates', () => {
    const keys = Array.from({ length: 200_000 }, (_, n) => `"${n}": 1, "${n}": 2`);
    expect(json.extract(`{${keys.join(',')}}`).duplicateKeys).toHaveLength(200_000);
  });

  test('with brackets only inside strings does not nest', () => {
    expect(json.extract(`{"a": "${'['.repeat(5_000)}" /* ${'{'.repeat(5_000)} */}`).syntaxError).toBeNull();
  });
});

describe('paths of JSON files', () => {
  test.each(['package.json', 'a/tsconfig.json', 'x.jsonc', '.eslintrc', 'a/.babelrc', 'a.code-workspace'])(
    '%s',
    (path) => {
      expect(isJsonPath(path)).toBe(true);
    },
  );

  test.each(['x.json5', 'json', 'x.js', 'a.json/b.ts', 'x.jsonl'])('not %s', (path) => {
    expect(isJsonPath(path)).toBe(false);
  });
});

describe('any text', () => {
  test('gives the same facts twice and never throws', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ':',
      ',',
      '"a"',
      '"b"',
      '1',
      'null',
      '//',
      '/*',
      '*/',
      '"',
      '\\',
      '\n',
      ' ',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(piece).map((pieces) => pieces.join('')),
        ),
        (text) => {
          expect(json.extract(text)).toEqual(json.extract(text));
        },
      ),
      sample('fuzzed JSON', { normal: 60, soak: 2000 }),
    );
  });

  test('finds no duplicate and no error in what JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ depthSize: 'medium' }), (value) => {
        expect(json.extract(JSON.stringify(value, null, 1))).toMatchObject({
          syntaxError: null,
          duplicateKeys: [],
        });
      }),
      sample('JSON with known duplicates', { normal: 60, soak: 2000 }),
    );
  });
});
