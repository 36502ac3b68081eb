import { describe, expect, test } from 'vitest';
import { NormalFormBuilder, shapeOf } from './text-shape.ts';
import { tokenize } from './tokens.ts';

function shape(text: string) {
  const builder = new NormalFormBuilder(text);
  tokenize(text, builder);
  return shapeOf(builder.form, 0, text.length);
}
const hash = (text: string) => shape(text).hash;

describe('two stretches of code have the same shape', () => {
  test.each([
    ['other white space', '(a,b):\n    return a+b', '(a, b):\n  return  a + b'],
    ['other line breaks in brackets', 'f(a, b)', 'f(\n    a,\n    b\n)'],
    ['a trailing comma', 'f(a, b)', 'f(a, b,)'],
    ['a trailing comma in a list', '[a]', '[a,]'],
    ['comments', 'x = 1\ny = 2', 'x = 1  # one\n# two\ny = 2'],
    ['a docstring', '():\n    return 1', '():\n    """Says\n    one."""\n    return 1'],
    ['another docstring', '():\n    "a"\n    return 1', "():\n    'b'\n    return 1"],
    ['other quotes', "x = 'a'", 'x = "a"'],
    ['another depth', '():\n    if a:\n        b', '():\n            if a:\n                b'],
    ['blank lines', 'a\n\n\nb', 'a\nb'],
    ['a continued line', 'x = a + \\\n  b', 'x = a + b'],
    ['CRLF', 'if a:\r\n  b\r\n', 'if a:\n  b\n'],
  ])('with %s', (_, a, b) => {
    expect(hash(a)).toBe(hash(b));
  });
});

describe('two stretches of code have different shapes', () => {
  test.each([
    ['names differ', 'a = 1', 'b = 1'],
    ['a line moves into a block', 'if a:\n    b\nc', 'if a:\n    b\n    c'],
    ['a value becomes a tuple', 'x = (1)', 'x = (1,)'],
    ['strings differ', 'x = "a"', 'x = "b"'],
    ['a string that is used changes', 'return "a"', 'return "b"'],
    ['prefixes differ', 'x = "a"', 'x = b"a"'],
    ['tokens are glued', 'notx', 'not x'],
    ['a string ends elsewhere', 'x = "a" "b"', 'x = "a b"'],
    ['a hash stands in a string', 'x = "#a"', 'x = "#b"'],
    ['f-string fields differ', 'x = f"{a["k"]}"', 'x = f"{b["k"]}"'],
  ])('when %s', (_, a, b) => {
    expect(hash(a)).not.toBe(hash(b));
  });
});

describe('a sketch', () => {
  const body = (name: string, extra = '') =>
    `(items):\n    total = 0\n    for item in items:\n        if item.price > 10:\n            total += item.price * ${name}\n    ${extra}\n    return total\n`;
  const likeness = (a: string, b: string) => {
    const left = new Set(shape(a).sketch);
    const right = shape(b).sketch;
    return right.filter((value) => left.has(value)).length / Math.max(left.size, right.length);
  };

  test('is ascending and bounded', () => {
    const text = Array.from({ length: 500 }, (_, i) => `x${i} = y${i}`).join('\n');
    const { sketch } = shape(text);
    expect(sketch).toEqual([...sketch].sort((a, b) => a - b));
    expect(sketch.length).toBeLessThanOrEqual(64);
  });

  test('distinguishes similar from different bodies', () => {
    expect(likeness(body('rate'), body('rate', 'log(total)'))).toBeGreaterThan(0.6);
    expect(likeness(body('rate'), 'def f(x):\n    return sorted(x, key=lambda y: y.z)[0]\n')).toBeLessThan(
      0.2,
    );
  });
});
