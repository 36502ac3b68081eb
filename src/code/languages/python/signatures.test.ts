import { beforeAll, describe, expect, test } from 'vitest';
import { python } from './index.ts';
import { definitionNamed, factsOf } from './reading.ts';

beforeAll(() => python.prepare());

const signature = (...lines: string[]) => definitionNamed(factsOf(...lines), 'f').signature;

describe('a signature', () => {
  test('lists parameters with their kinds', () => {
    expect(
      signature('def f(a, /, b, c=1, *args, d, e=2, **kw): pass')?.parameters.map((p) => [
        p.kind,
        p.name,
        p.required,
      ]),
    ).toEqual([
      ['positional-only', 'a', true],
      ['positional', 'b', true],
      ['positional', 'c', false],
      ['rest', 'args', false],
      ['keyword-only', 'd', true],
      ['keyword-only', 'e', false],
      ['keyword-rest', 'kw', false],
    ]);
  });

  test('knows keyword-only parameters after a lone star', () => {
    expect(signature('def f(*, a): pass')?.parameters).toMatchObject([{ name: 'a', kind: 'keyword-only' }]);
  });

  test('gives annotations and defaults on one line, and the named type', () => {
    const [x, y] =
      signature('def f(x: dict[', '  str, User', '] = {}, y: "Optional[User]" = None): pass')?.parameters ??
      [];
    expect(x).toMatchObject({ type: 'dict[ str, User ]', default: '{}', typeName: null });
    expect(y).toMatchObject({ type: 'Optional[User]', default: 'None', typeName: 'User' });
  });

  test('cuts long defaults and annotations', () => {
    const [x] = signature(`def f(x: "${'a'.repeat(300)}" = "${'b'.repeat(300)}"): pass`)?.parameters ?? [];
    expect([x?.type?.length, x?.default?.length]).toEqual([200, 80]);
  });

  test('gives the return annotation without quotes', () => {
    expect(signature('def f() -> "list[User]": pass')?.returns).toBe('list[User]');
    expect(signature('def f(): pass')?.returns).toBeNull();
    expect(signature('def f():\n  if x: return 1, 2\n  return (3, 4)')?.returns).toBe('tuple[?, ?]');
    expect(signature('def f():\n  def g(): return 1, 2, 3\n  return 1, 2')?.returns).toBe('tuple[?, ?]');
    expect(signature('def f():\n  if x: return 1\n  return 1, 2')?.returns).toBeNull();
    expect(signature('def f():\n  return 1, *rest')?.returns).toBeNull();
  });

  test('distinguishes generators from functions that only contain one', () => {
    expect(signature('def f():', '    x = yield 1')?.generator).toBe(true);
    expect(signature('def f():', '    def g(): yield 1', '    return lambda: (yield)')?.generator).toBe(
      false,
    );
  });

  test('counts type parameters', () => {
    expect(signature('def f[T, *Ts, **P](x: T): pass')?.typeParameters).toEqual({ min: 3, max: 3 });
  });

  test.each([
    ['a method', 'def f(self, x): pass', ['x']],
    ['a class method', '@classmethod\n    def f(cls, x): pass', ['x']],
    ['a decorated method', '@cached\n    def f(this, x): pass', ['x']],
    ['a static method', '@staticmethod\n    def f(x, y): pass', ['x', 'y']],
    ['a method that takes its receiver in *args', 'def f(*args): pass', ['args']],
  ])('omits the receiver of %s', (_, method, expected) => {
    const facts = factsOf('class A:', `    ${method}`);
    expect(definitionNamed(facts, 'A.f').signature?.parameters.map(({ name }) => name)).toEqual(expected);
  });
});
