import { beforeAll, describe, expect, test } from 'vitest';
import { python } from './index.ts';
import { factsOf } from './reading.ts';

beforeAll(() => python.prepare());

const importsOf = (...lines: string[]) =>
  factsOf(...lines).imports.map(({ local, imported, from }) => [local, imported, from]);

describe('imports', () => {
  test.each([
    ['import a.b.c', [['a', '*', 'a.b.c']]],
    [
      'import a.b as x, d',
      [
        ['x', '*', 'a.b'],
        ['d', '*', 'd'],
      ],
    ],
    ['from m import n', [['n', 'n', 'm']]],
    [
      'from ..m import n as k, o',
      [
        ['k', 'n', '..m'],
        ['o', 'o', '..m'],
      ],
    ],
    ['from . import n', [['n', 'n', '.']]],
    ['from .. m . o import n', [['n', 'n', '..m.o']]],
    [
      'from m import (\n    a,  # first\n    b as c,\n)',
      [
        ['a', 'a', 'm'],
        ['c', 'b', 'm'],
      ],
    ],
    ['from m import *', [[null, '**', 'm']]],
    ['from __future__ import annotations', [['annotations', 'annotations', '__future__']]],
    ['importlib.import_module("a.b")', [[null, '*', 'a.b']]],
    ['importlib.import_module(name)', []],
  ])('%s', (text, expected) => {
    expect(importsOf(text)).toEqual(expected);
  });

  test('have the location of the imported name', () => {
    const { imports } = factsOf('from m import (', '    a,', '    b,', ')');
    expect(imports.map(({ line, column }) => [line, column])).toEqual([
      [2, 5],
      [3, 5],
    ]);
  });

  test.each([
    ['at the top', 'import a', false],
    ['in a class', 'class A:\n    import a', false],
    ['in try', 'try:\n    import a\nexcept ImportError: pass', true],
    ['in except', 'try: pass\nexcept ImportError:\n    import a', true],
    ['in if', 'if x:\n    import a', true],
    ['in a function, which is there to be run', 'def f():\n    import a', false],
  ])('%s: guarded is %s', (_, text, guarded) => {
    expect(factsOf(text).imports[0]?.guarded).toBe(guarded);
  });

  test('under TYPE_CHECKING are for types only, those in its else are not', () => {
    const { imports } = factsOf('if typing.TYPE_CHECKING:', '    import a', 'else:', '    import b');
    expect(imports.map(({ local, typeOnly }) => [local, typeOnly])).toEqual([
      ['a', true],
      ['b', false],
    ]);
  });

  test('name the enclosing definition', () => {
    const { imports } = factsOf('class A:', '    def f(self):', '        import a');
    expect(imports[0]?.scope).toBe('A.f');
  });
});
