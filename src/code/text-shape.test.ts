import { describe, expect, it } from 'vitest';
import { hashRange, normalText, SKETCH_SIZE, shapeRange, similarity } from './text-shape.ts';
import { type CommentStyle, type KnownRanges, tokenize } from './tokens.ts';

const hash = (text: string, style: CommentStyle = 'c', own: string | null = null, known: KnownRanges = {}) =>
  hashRange(tokenize(text, style, known), 0, text.length, own);
const words = (text: string, style: CommentStyle = 'c', known: KnownRanges = {}) => {
  const { count, start, end } = tokenize(text, style, known);
  return Array.from({ length: count }, (_, i) => text.slice(start[i], end[i]));
};
const sketch = (text: string) => shapeRange(tokenize(text, 'c'), 0, text.length).sketch;

describe('hashes of C-like text', () => {
  it.each([
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

  it.each([
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

  it('do not depend on the own name, not even where the definition mentions itself', () => {
    expect(hash('(n) { return fact(n - 1) }', 'c', 'fact')).toBe(
      hash('(n) { return factorial(n - 1) }', 'c', 'factorial'),
    );
    expect(hash('(n) { return fact(n - 1) }', 'c', 'fact')).not.toBe(
      hash('(n) { return other(n - 1) }', 'c', 'fact'),
    );
  });

  it('cover exactly the given range', () => {
    const text = 'a b c d';
    const tokens = tokenize(text, 'c');
    const inner = hashRange(tokens, 2, 5);
    expect(inner).toBe(hash('b c'));
    expect(hashRange(tokenize(text, 'c'), 3, 3)).toBe(hash(''));
  });

  it('are 16 hex digits', () => {
    expect(hash('a')).toMatch(/^[0-9a-f]{16}$/);
  });
});

describe('tokens of C-like text', () => {
  it('tells regular expressions from divisions', () => {
    expect(words('a / b / c')).toEqual(['a', '/', 'b', '/', 'c']);
    expect(words('return /b/g')).toEqual(['return', '/b/g']);
    expect(words('f(/[/]/, x)')).toEqual(['f', '(', '/[/]/', ',', 'x', ')']);
    expect(words('(a) / b')).toEqual(['(', 'a', ')', '/', 'b']);
  });

  it('reads code inside of templates', () => {
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

  it('takes what the caller knows', () => {
    expect(words("<a>it's</a>", 'c', { whole: [3, 7] })).toContain("it's");
    expect(words('a "doc" b', 'c', { omitted: [2, 7] })).toEqual(['a', 'b']);
    expect(words("// it's\n<a>it's</a>", 'c', { whole: [3, 7, 11, 15] })).toContain("it's");
  });

  it('survives text without end', () => {
    for (const text of ['"', "'a", '`a', '`${', '/*', '/a', '\\', '#!', '}', ')', '\ud800', '\0']) {
      expect(() => words(text)).not.toThrow();
    }
  });

  it('measures nesting and runs', () => {
    expect(tokenize(`f([{ a: \`\${b}\` }])`, 'c').deepestBrackets).toBe(4);
    expect(tokenize('a + b + c, d; e', 'c').longestRun).toBe(5);
    expect(tokenize('a(b, c, d, e) => f(g, h) => i', 'c').longestRun).toBe(9);
  });
});

describe('hashes of text where indentation is structure', () => {
  const python = (text: string) => hash(text, 'hash');

  it('do not depend on widths, blank lines and comments', () => {
    expect(python('if a:\n  b\n  c\nd\n')).toBe(python('if a: # x\n\n        b\n    # y\n        c\n\nd'));
    expect(python('f(a,\n      b)')).toBe(python('f(a, b)'));
    expect(python('x = [1, 2,]')).toBe(python('x = [1, 2]'));
    expect(python('a = 1 + \\\n  2')).toBe(python('a = 1 + 2'));
  });

  it('depend on blocks, statements and tuples', () => {
    expect(python('if a:\n  b\n  c\n')).not.toBe(python('if a:\n  b\nc\n'));
    expect(python('a\nb')).not.toBe(python('a b'));
    expect(python('x = (1,)')).not.toBe(python('x = (1)'));
    expect(python('a // b')).not.toBe(python('a // c'));
  });

  it('know triple quotes', () => {
    expect(words(`x = """a "quoted" 'b'\n# c""" # d`, 'hash')).toEqual([
      'x',
      '=',
      `"""a "quoted" 'b'\n# c"""`,
    ]);
  });
});

describe('sketches', () => {
  const body = Array.from({ length: 60 }, (_, i) => `step${i}(value${i % 7});`);

  it('are the smallest hashes in ascending order', () => {
    const found = sketch(body.join('\n'));
    expect(found).toHaveLength(SKETCH_SIZE);
    expect(found).toEqual([...new Set(found)].sort((a, b) => a - b));
    expect(found.every((value) => Number.isInteger(value) && value >= 0 && value < 2 ** 31)).toBe(true);
  });

  it('estimate how much two bodies have in common', () => {
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
  const normal = (text: string, limit = 200) => normalText(tokenize(text, 'c'), 0, text.length, limit);

  it.each([
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

  it('is cut at the limit', () => {
    expect(normal('abcdef', 3)).toBe('abc');
  });
});
