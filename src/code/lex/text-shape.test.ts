import { describe, expect, test } from 'vitest';
import { hashRange, normalText, shapeRange, similarity, sketchSize } from './text-shape.ts';
import { tokenize } from './tokens.ts';

const hash = (text: string, own: string | null = null) => hashRange(tokenize(text), 0, text.length, own);
const words = (text: string, whole: readonly number[] = []) => {
  const { count, start, end } = tokenize(text, whole);
  return Array.from({ length: count }, (_, i) => text.slice(start[i], end[i]));
};
const sketch = (text: string) => shapeRange(tokenize(text), 0, text.length).sketch;

test('a quote that is never closed is a mark; on the next line strings are read again', () => {
  expect(words("'a \\'b\n'c' \"d")).toEqual(["'", 'a', '\\', "'", 'b', "'c'", '"', 'd']);
});

test('a line of quotes that are never closed is read once, not once for each quote', () => {
  // A quadratic reader takes minutes.
  expect(tokenize("'\\".repeat(500_000)).count).toBe(1_000_000);
});

describe('hashes of C-like text', () => {
  test.each([
    ['white space', 'f(a,b)', ' f (\n\ta , b\r\n) '],
    ['comments', 'f(a)', '/* x */ f(/* "y */a) // z'],
    ['trailing commas', 'f([a, b], { c }, d)', 'f([a, b,], { c, }, d,)'],
    ['semicolons', 'a(); b()', 'a()\nb()'],
    ['quotes', `f("it's", 'a"b')`, `f('it\\'s', "a\\"b")`],
    ['a hashbang', 'a()', '#!/usr/bin/env node\na()'],
    ['a byte order mark', 'a()', '\ufeffa()'],
  ])('do not depend on %s', (_, one, other) => {
    expect(hash(one)).toBe(hash(other));
  });

  test.each([
    ['names', 'f(a)', 'f(b)'],
    ['strings', 'f("a")', 'f("b")'],
    ['strings and names', 'f("a")', 'f(a)'],
    ['the order', 'f(a, b)', 'f(b, a)'],
    ['operators', 'a + b', 'a - b'],
    ['templates', `\`a\${b}c\``, `\`a\${b}d\``],
    ['regular expressions', 'f(/a b/)', 'f(/a  b/)'],
    ['what looks like a comment in a string', 'f("// a")', 'f("// b")'],
    ['what looks like a comment in a template', '`// a`', '`// b`'],
    ['what looks like a comment in a regular expression', 'x = /[/*]a/', 'x = /[/*]b/'],
    ['what looks like a string in a regular expression', "x = /'/; f(a) // '", "x = /'/; f(b) // '"],
  ])('depend on %s', (_, one, other) => {
    expect(hash(one)).not.toBe(hash(other));
  });

  test('do not depend on the own name, not even where the definition mentions itself', () => {
    expect(hash('(n) { return fact(n - 1) }', 'fact')).toBe(
      hash('(n) { return factorial(n - 1) }', 'factorial'),
    );
    expect(hash('(n) { return fact(n - 1) }', 'fact')).not.toBe(hash('(n) { return other(n - 1) }', 'fact'));
  });

  test('cover exactly the given range', () => {
    const text = 'a b c d';
    const tokens = tokenize(text);
    const inner = hashRange(tokens, 2, 5);
    expect(inner).toBe(hash('b c'));
    expect(hashRange(tokenize(text), 3, 3)).toBe(hash(''));
  });

  test('are whole numbers', () => {
    expect(Number.isSafeInteger(hash('a'))).toBe(true);
  });
});

describe('tokens of C-like text', () => {
  test('distinguishes regular expressions from divisions', () => {
    expect(words('a / b / c')).toEqual(['a', '/', 'b', '/', 'c']);
    expect(words('return /b/g')).toEqual(['return', '/b/g']);
    expect(words('f(/[/]/, x)')).toEqual(['f', '(', '/[/]/', ',', 'x', ')']);
    expect(words('(a) / b')).toEqual(['(', 'a', ')', '/', 'b']);
  });

  test('reads code inside of templates', () => {
    expect(words(`\`a\${b({ c: \`d\${e}\` })}f\``)).toEqual([
      `\`a\${`,
      'b',
      '(',
      '{',
      'c',
      ':',
      `\`d\${`,
      'e',
      '}`',
      '}',
      ')',
      '}f`',
    ]);
  });

  test('accepts ranges that the caller knows', () => {
    expect(words("<a>it's</a>", [3, 7])).toContain("it's");
    expect(words("// it's\n<a>it's</a>", [3, 7, 11, 15])).toContain("it's");
  });

  test('survives unterminated text', () => {
    for (const text of ['"', "'a", '`a', '`${', '/*', '/a', '\\', '#!', '}', ')', '\ud800', '\0']) {
      expect(() => words(text)).not.toThrow();
    }
  });

  test('measures nesting and runs', () => {
    expect(tokenize(`f([{ a: \`\${b}\` }])`).deepestBrackets).toBe(4);
    expect(tokenize('a + b + c, d; e').longestRun).toBe(5);
    expect(tokenize('a(b, c, d, e) => f(g, h) => i').longestRun).toBe(9);
  });
});

describe('sketches', () => {
  const body = Array.from({ length: 60 }, (_, i) => `step${i}(value${i % 7});`);

  test('are the smallest hashes in ascending order', () => {
    const found = sketch(body.join('\n'));
    expect(found).toHaveLength(sketchSize);
    expect(found).toEqual([...new Set(found)].sort((a, b) => a - b));
    expect(found.every((value) => Number.isInteger(value) && value >= 0 && value < 2 ** 31)).toBe(true);
  });

  test('estimate how much two bodies have in common', () => {
    const edited = [...body.slice(0, 30), 'inserted(1, 2, 3);', ...body.slice(30)];
    const other = Array.from({ length: 60 }, (_, i) => `unrelated(${i}, other);`);
    expect(similarity(sketch(body.join('')), sketch(body.join('\n')))).toBe(1);
    expect(similarity(sketch(body.join('')), sketch(edited.join('')))).toBeGreaterThan(0.7);
    expect(similarity(sketch(body.join('')), sketch(other.join('')))).toBeLessThan(0.2);
    expect(similarity(sketch('a'), sketch('a'))).toBe(1);
    expect(similarity(sketch('a'), sketch('b'))).toBe(0);
    expect(similarity([], [])).toBe(1);
  });
});

describe('normal text', () => {
  const normal = (text: string, limit = 200) => normalText(tokenize(text), 0, text.length, limit);

  test.each([
    ['Map< string ,User[ ] >', 'Map<string, User[]>'],
    ['| A\n| B', 'A | B'],
    ['( a:string )=>void', '(a: string) => void'],
    ['{ a:1;b?:2; }', '{a: 1; b?: 2}'],
    ["T extends 'x'", "T extends 'x'"],
    ['A&B', 'A & B'],
    ['', ''],
  ])('%s is %s', (text, expected) => {
    expect(normal(text)).toBe(expected);
  });

  test('is cut at the limit', () => {
    expect(normal('abcdef', 3)).toBe('abc');
  });
});
