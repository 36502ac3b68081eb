import { beforeAll, describe, expect, test } from 'vitest';
import { python } from './index.ts';
import { factsOf } from './reading.ts';

beforeAll(() => python.prepare());

describe('a file that Python would not compile has a syntax error', () => {
  test.each([
    ['an unclosed bracket', 'x = [1, 2\ny = 3', 1],
    ['a stray bracket', 'x = 1\ny = 2]', 2],
    ['a conflict marker', 'x = 1\n<<<<<<< HEAD\ny = 2', 2],
    ['a missing block', 'if x:\ny = 1', 1],
    ['a function without a body', 'def f():\n    # nothing', 1],
    ['an unexpected indent', 'x = 1\n    y = 2', 2],
    ['an indented first line', '  x = 1', 1],
    ['a dedent to nowhere', 'if x:\n        a\n    b', 3],
    ['try without except', 'try:\n    x\ny', 1],
    ['else without if', 'x = 1\nelse:\n    y', 2],
    ['return outside a function', 'class A:\n    return 1', 2],
    ['break outside a loop', 'if x:\n    break', 2],
    ['a default before a parameter without one', 'def f(a=1, b): pass', 1],
    ['a parameter twice', 'def f(a, a): pass', 1],
    ['a keyword twice', 'f(a=1, a=2)', 1],
    ['a positional argument after a keyword', 'f(a=1, 2)', 1],
    ['a print statement', 'print "hello"', 1],
    ['an exec statement', 'exec "x"', 1],
    ['raise with a comma', 'raise E, "x"', 1],
    ['an old octal number', 'x = 0777', 1],
  ])('%s', (_, text, line) => {
    expect(factsOf(text).syntaxError).toMatchObject({ line });
  });

  test('names the column and what is wrong', () => {
    expect(factsOf('def f(a=1, b): pass').syntaxError).toEqual({
      line: 1,
      column: 6,
      message: 'a parameter without a default follows one with a default',
    });
  });

  test('when so many lines are continued that parsing takes forever', () => {
    const text = (lines: number) => `x = 1 + ${'\\\n'.repeat(lines)}2\n`;
    expect(python.extract(text(1000)).syntaxError?.message).toContain('too many continued lines');
    expect(python.extract(text(500)).syntaxError).toBeNull();
  });

  test('when it is too large to be read safely', () => {
    expect(python.extract(`x = [${'1,'.repeat(9_000_000)}]`).syntaxError?.message).toBe('too large to parse');
  });

  test('but still gives the facts that can be read', () => {
    const facts = factsOf('import a', 'def f(): pass', 'x = (');
    expect(facts.definitions.map(({ name }) => name)).toContain('f');
    expect(facts.imports).toHaveLength(1);
  });
});

describe('a file that Python compiles has none', () => {
  test.each([
    ['nothing at all', ''],
    ['comments alone', '# a\n   # b\n'],
    ['no newline at the end', 'x = 1'],
    ['CRLF', 'if x:\r\n    y = 1\r\nz = 2\r\n'],
    ['CR alone', 'x = 1\ry = 2\r'],
    ['a byte order mark', '\ufeffx = 1\n'],
    ['tabs', 'if x:\n\ty = 1\n\tz = 2\n'],
    ['form feeds', 'x = 1\n\f\ndef f():\n    return 1\n'],
    ['lines continued with a backslash', 'x = 1 + \\\n  2\n'],
    ['brackets that ignore indentation', 'x = [\n1,\n    2,\n  ]\n'],
    ['soft keywords as names', 'match = case = type = _ = 1\nmatch.x(type[case])\n'],
    ['print as a name', 'print >> f, x\nf = print\nf(print=1)\n'],
    ['comments at any depth', 'if x:\n        # deep\n    y\n# shallow\n    z\n'],
    ['a comment between a decorator and its def', 'class A:\n    @d\n# why\n    def f(self): pass\n'],
    [
      'comments between decorators',
      'class A:\n    @d(\n        1,\n    )\n# why\n\n  # so\n    @e\n# and\n    async def f(self): pass\n',
    ],
    ['text that looks like code', 'x = """\n  def f(:\n"""\n'],
    ['new f-strings', 'x = f"{a["b"]} {c:{d}} {e!r:\'>9}"\n'],
    ['type parameters', 'class A[T: int](B[T]): pass\ntype X[*Ts] = tuple[*Ts]\n'],
    [
      'defaults of type parameters',
      'class A[T = int, U: (X, Y) = dict[str, int]](B): pass\ntype X[*T = *tuple[int]] = T\n',
    ],
    ['a chain of all clauses', 'try: a\nexcept* E as e: b\nelse: c\nfinally: d\n'],
  ])('%s', (_, text) => {
    expect(python.extract(text).syntaxError).toBeNull();
  });
});

test('a comment at column 0 below a decorator leaves every definition where it is', () => {
  const facts = factsOf('class A:', '    @staticmethod', '# why', '    def f(x): pass', '', 'class B: pass');
  expect(facts.definitions.map(({ container, name, line }) => [container, name, line])).toEqual([
    [null, 'A', 1],
    ['A', 'f', 4],
    [null, 'B', 6],
  ]);
  expect(facts.definitions[1]).toMatchObject({ static: true, decorators: ['staticmethod'] });
});

describe('lines and columns', () => {
  test.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CR', '\r'],
  ])('count %s as one line end', (_, newline) => {
    const facts = python.extract(['import a', '', 'def f():', '    return a.b', ''].join(newline));
    expect(facts.definitions[0]).toMatchObject({ line: 3, endLine: 4 });
    expect(facts.uses[0]).toMatchObject({ line: 4, column: 12 });
  });
});
