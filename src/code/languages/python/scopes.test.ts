import { beforeAll, describe, expect, test } from 'vitest';
import { python } from './index.ts';
import { usesOf } from './reading.ts';

beforeAll(() => python.prepare());

describe('names that are local to a function are not uses', () => {
  test.each([
    ['parameters', 'def f(x, *y, **z): return x + y + z'],
    ['keyword-only and positional-only parameters', 'def f(x, /, *, y): return x + y'],
    ['assignments, also when the read comes first', 'def f():\n    print(x)\n    x = 1'],
    [
      'tuple targets, however nested',
      'def f(v):\n    a, (b, *c) = v\n    [d, e] = v\n    return a, b, c, d, e',
    ],
    ['loop targets', 'def f(v):\n    for a, b in v: print(a, b)'],
    ['with targets', 'def f(v):\n    with v as (a, b): print(a, b)'],
    ['exception names', 'def f():\n    try: pass\n    except OSError as e: print(e)'],
    ['walrus', 'def f(v):\n    if (x := v): return x'],
    ['walrus in a comprehension, which binds outside it', 'def f(v):\n    [y := i for i in v]\n    return y'],
    ['imports that a function may skip', 'def f(x):\n    if x: import json\n    return json.dumps(1)'],
    ['nested functions and classes', 'def f():\n    def g(): pass\n    class C: pass\n    return g, C'],
    ['augmented assignments', 'def f():\n    x += 1\n    return x'],
    ['declarations without a value', 'def f():\n    x: int\n    return x'],
    ['deleted names', 'def f():\n    del x\n    return x'],
    ['lambda parameters', 'f = lambda x, y=1: x + y'],
    ['comprehension targets', 'def f(v): return [a for a in v], {b: c for b, c in v}, {d for d in v}'],
    ['closures', 'def f(x):\n    def g():\n        return lambda: x\n    return g'],
    ['nonlocal', 'def f():\n    x = 1\n    def g():\n        nonlocal x\n        x = 2\n    return x'],
    ['type parameters', 'def f[T: int](x: T) -> T: return x'],
    ['type parameters of a class', 'class A[T]:\n    x: T\n    def f(self, y: T) -> T: return y'],
    ['type parameters of an alias', 'type A[T] = list[T]'],
  ])('%s', (_, text) => {
    expect(usesOf(text)).toEqual([]);
  });

  test('captures of a match statement', () => {
    const uses = usesOf(
      'def f(v):',
      '    match v:',
      '        case [a, *b]: return a, b',
      '        case {"k": c, **d}: return c, d',
      '        case int() as e | (float() as e): return e',
      '        case dict(x=g): return g',
      '        case (h): return h',
      '        case _: return None',
    );
    expect(uses).toEqual([]);
  });
});

describe('names of the module are uses', () => {
  test('when they are read in a function', () => {
    expect(usesOf('import json', 'LIMIT = 3', 'def f(): return json.dumps(LIMIT)')).toEqual([
      'call json.dumps',
      'read LIMIT',
    ]);
  });

  test('when a function declares them global', () => {
    expect(usesOf('def f():', '    global total', '    total = 1', '    return total')).toEqual([
      'read total',
    ]);
  });

  test('when the local of the same name belongs to a class body, which methods do not see', () => {
    expect(usesOf('import x', 'class A:', '    x = 1', '    def f(self): return x')).toEqual(['read x']);
  });

  test('when a comprehension in a class body reads them past the class', () => {
    const uses = usesOf('rows = []', 'class A:', '    rows = [1]', '    a = [rows for _ in rows]');
    expect(uses).toEqual(['read rows']);
  });

  test('when a default value or annotation names them, although a parameter has the name too', () => {
    expect(usesOf('import size', 'def f(size=size): return size')).toEqual(['read size']);
  });

  test('when a pattern compares with a dotted name or a class', () => {
    const uses = usesOf('def f(v):', '    match v:', '        case codes.OK | Point(x=0): return 1');
    expect(uses).toEqual(['read codes.OK', 'read Point']);
  });

  test('in f-strings, their formats and nested quotes', () => {
    expect(usesOf('x = f"{user.name!r:>{width}} {{no}}"')).toEqual(['read user.name', 'read width']);
  });

  test('in the iterable of a comprehension, but not its targets', () => {
    expect(usesOf('x = [row.id for row in table.rows if keep(row)]')).toEqual([
      'read table.rows',
      'call keep',
    ]);
  });
});

describe('unbound names', () => {
  test('are uses, unless they are built into Python', () => {
    expect(usesOf('print(len(missing))', 'raise ValueError(__name__)')).toEqual(['read missing']);
  });

  test('are uses even under the name of a builtin, when the module defines it', () => {
    expect(usesOf('def open(): pass', 'open()')).toEqual(['call open']);
  });

  test('are compared in the form in which Python compares them', () => {
    expect(usesOf('width = 1', 'def f(): return ｗｉｄｔｈ')).toEqual(['read width']);
  });
});
