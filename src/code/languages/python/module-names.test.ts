import { beforeAll, describe, expect, test } from 'vitest';
import { python } from './index.ts';
import { factsOf } from './reading.ts';

beforeAll(() => python.prepare());

describe('__all__', () => {
  test.each([
    ['absent', 'x = 1', null],
    ['a list', '__all__ = ["a", "b"]', ['a', 'b']],
    ['a tuple', "__all__ = ('a',)", ['a']],
    ['a bare tuple', '__all__ = "a", "b"', ['a', 'b']],
    ['a sum of lists', '__all__ = ["a"] + ["b"]', ['a', 'b']],
    [
      'added to',
      '__all__ = ["a"]\n__all__ += ["b"]\n__all__.extend(["c"])\n__all__.append("d")',
      ['a', 'b', 'c', 'd'],
    ],
    ['annotated', '__all__: list[str] = ["a"]', ['a']],
    ['added to under a condition', '__all__ = ["a"]\nif x: __all__.append("b")', ['a', 'b']],
    ['a local of a function', 'def f():\n    __all__ = ["a"]', null],
  ])('%s', (_, text, expected) => {
    expect(factsOf(text)).toMatchObject({ publicNames: expected, opaque: [] });
  });

  test.each([
    '__all__ = names()',
    '__all__ = ["a"] + other.__all__',
    '__all__ = ["a"]\n__all__ += other.__all__',
    '__all__ = ["a"]\n__all__.remove("a")',
    '__all__ = [name for name in x]',
    '__all__ = ["a", B]',
    '__dir__, __all__ = attach()',
    'from .api import __all__',
  ])('that is computed makes the module opaque: %s', (text) => {
    expect(factsOf(text)).toMatchObject({ publicNames: null, opaque: ['__all__ is computed'] });
  });
});

describe('a module hides names', () => {
  test.each([
    ['module __getattr__', 'def __getattr__(name): pass'],
    ['module __getattr__', '__getattr__, __dir__, __all__ = attach()'],
    ['module __getattr__', '__getattr__ = lazy(__name__)'],
    ['module __getattr__', 'from .lazy import __getattr__'],
    ['globals()', 'globals()["x"] = 1'],
    ['globals()', 'globals().update(x=1)'],
    ['globals()', 'fill(globals())'],
    ['globals()', 'def f(): globals()["x"] = 1'],
    ['vars()', 'vars()["x"] = 1'],
    ['exec()', 'exec(source)'],
    ['exec()', 'exec(source, globals())'],
    ['sys.modules[__name__]', 'sys.modules[__name__] = Proxy()'],
    ['sys.modules[__name__]', 'setattr(sys.modules[__name__], n, 1)'],
  ])('with %s in %s', (reason, text) => {
    expect(factsOf(text).opaque).toContain(reason);
  });

  test.each([
    'x = globals()["y"]',
    'if "y" in globals(): pass',
    'x = globals().get("y")',
    'exec(source, {})',
    'def f(): return vars(), locals()',
    'class A:\n    def __getattr__(self, name): pass',
    'def f(globals): globals()["x"] = 1',
    'x = sys.modules["json"]',
  ])('not with %s', (text) => {
    expect(factsOf(text).opaque).toEqual([]);
  });
});
