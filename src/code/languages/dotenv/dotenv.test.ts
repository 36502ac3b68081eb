import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sample } from '#test/support/sampling.ts';
import { dotenv, isDotenvPath } from './index.ts';

const duplicates = (...lines: string[]) => dotenv.extract(lines.join('\n')).duplicateKeys;

describe('a .env file', () => {
  test('reports keys that occur twice', () => {
    expect(duplicates('# settings', 'PORT=1', 'HOST=a', 'export PORT=2', '', 'PORT = 3')).toEqual([
      { key: 'PORT', lines: [2, 4, 6] },
    ]);
  });

  test('finds no keys inside values of several lines', () => {
    expect(duplicates('KEY="-----BEGIN', 'A=1', 'A=2', '-----END"', 'B=1', 'A=3')).toEqual([]);
  });

  test('treats an unclosed quote as a character', () => {
    expect(duplicates("NOTE='tis", 'A=1', 'A=2')).toEqual([{ key: 'A', lines: [2, 3] }]);
  });

  test.each([
    ['nothing', ''],
    ['comments', '# a\n  # b'],
    ['empty values', 'A=\nB=""'],
    ['spaces, colons and quotes', ' A = "x # y" # z\nB: c\nC=\'#\'\nD=`x`'],
    ['names alone', 'A\nB'],
    ['CRLF', 'A=1\r\nB=2\r\n'],
    ['a byte order mark', '\ufeffA=1'],
    ['keys that differ in case', 'a=1\nA=1'],
    ['values that hold =', 'A=b=c==\nB=A=1'],
  ])('may have %s', (_, text) => {
    expect(dotenv.extract(text)).toMatchObject({ syntaxError: null, duplicateKeys: [], module: 'data' });
  });

  test('is broken by a line that is not an assignment', () => {
    expect(dotenv.extract('A=1\n<<<<<<< HEAD\nB=2').syntaxError).toEqual({
      line: 2,
      column: 1,
      message: 'expected KEY=value',
    });
  });
});

describe('paths of .env files', () => {
  test.each(['.env', 'a/.env', '.env.local', '.env.production.local', 'x/.env.example'])('%s', (path) => {
    expect(isDotenvPath(path)).toBe(true);
  });

  test.each(['env', 'a.env.ts', '.env.ts', '.env.d.ts', '.envrc', '.env/x', '.env.json'])(
    'not %s',
    (path) => {
      expect(isDotenvPath(path)).toBe(false);
    },
  );
});

describe('any text', () => {
  test('gives the same facts twice and never throws', () => {
    const piece = fc.constantFrom('A', 'B', '=', ':', '"', "'", '`', '\\', '#', 'export ', '\n', '\r\n', ' ');
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(piece).map((pieces) => pieces.join('')),
        ),
        (text) => {
          expect(dotenv.extract(text)).toEqual(dotenv.extract(text));
        },
      ),
      sample('fuzzed .env files', { normal: 60, soak: 2000 }),
    );
  });
});
