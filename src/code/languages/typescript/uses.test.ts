import { describe, expect, test } from 'vitest';
import type { CallShape } from '#code/facts/facts.ts';
import { factsOf, uses } from './facts-of.ts';

describe('scopes', () => {
  test('omits locals of every kind', () => {
    const text = `
      function outer(parameter, { a, b: [c] }, ...rest) {
        let l = 1; const k = 2; var v = 3; class Local {} function inner() {}
        try {} catch (error) { error }
        for (const i of rest) i;
        label: for (;;) break label;
        [parameter, a, c, rest, l, k, v, Local, inner, arguments];
      }
    `;
    expect(uses(text)).toEqual([]);
  });

  test('finds uses of imports and of definitions of the module', () => {
    const text = `import { a } from './a'; const b = 1; function f() { return a + b + f }`;
    expect(uses(text)).toEqual(['read a', 'read b', 'read f']);
  });

  test('finds names that the file does not bind, but not globals', () => {
    expect(
      uses(
        'helper(); console.log(Math.max(1), process.env, document.title, new Map<string, Promise<void>>())',
      ),
    ).toEqual(['call helper']);
  });

  test.each([
    ['a parameter', 'function f(a) { a }'],
    ['a destructured parameter', 'function f({ x: a }) { a }'],
    ['a rest parameter', 'function f(...a) { a }'],
    ['a rest property', 'function f({ ...a }) { a }'],
    ['an arrow parameter', '(a) => a'],
    ['a later let', 'function f() { g(() => a); let a }'],
    ['a hoisted var', 'function f() { a; if (1) { var a } }'],
    ['a hoisted function', 'function f() { a(); function a() {} }'],
    ['a catch parameter', 'try {} catch (a) { a }'],
    ['a loop variable', 'for (let a = 0; a < 1; a++) a'],
    ['a block', '{ let a; a }'],
    ['a switch', 'switch (1) { case 1: let a; a }'],
    ['the name of a function expression', '(function a() { a })'],
    ['the name of a class expression', '(class a { m() { a } })'],
    ['an enum member', 'enum E { a = 1, b = a }'],
  ])('%s hides an import', (_, text) => {
    expect(
      uses(`import { a, g, E } from './a';\n${text}`).filter((use) => use.split(' ')[1]?.startsWith('a')),
    ).toEqual([]);
  });

  test.each([
    ['outside of the block', '{ let a } a', ['read a']],
    [
      'in the default of a parameter when only the body declares it',
      'function f(x = a) { let a }',
      ['read a'],
    ],
    ['as a type when only a value is local', 'function f(a) { let x: a }', ['type a']],
    ['as a value when only a type is local', 'function f<a>() { a() }', ['call a']],
    [
      'beside a function that is declared in another function',
      'function f() { function a() {} } a',
      ['read a'],
    ],
  ])('an import is visible %s', (_, text, expected) => {
    expect(uses(`import { a } from './a';\n${text}`)).toEqual(expected);
  });

  test('handles type parameters, infer, mapped keys and local types', () => {
    const text = `
      function f<T extends Base>(x: T): T { type L = T; interface K { l: L } let k: K; return x }
      type M = { [P in Keys]: P };
      type C<X> = X extends Array<infer U> ? U : X extends (infer V)[] ? V : never;
      type F = <G>(g: G) => G;
      interface I<J> { m<K2>(a: K2, b: J): K2 }
      class D<Q> { f: Q }
    `;
    expect(uses(text)).toEqual(['type Base', 'type Keys']);
  });

  test('finds members of namespaces through the namespace', () => {
    expect(uses('namespace A { const x = 1; x } namespace A.B { export type T = 1; let y: T }')).toEqual([
      'read A.x',
      'type A.B.T',
    ]);
  });

  test('omits names that the file declares as global', () => {
    expect(
      uses('declare global { var FLAG: boolean; interface Extra {} } FLAG; let x: Extra; export {}'),
    ).toEqual([]);
  });

  test('is not fooled by escaped identifiers', () => {
    expect(uses('import { abc } from "x"; \\u0061bc(); (ab\\u{63}) => abc')).toEqual(['call abc']);
  });
});

describe('kinds', () => {
  test.each([
    ['a()', 'call a'],
    ['ns.a.b()', 'call ns.a.b'],
    ['new A()', 'new A'],
    ['new ns.A', 'new ns.A'],
    ['a`x`', 'read a'],
    ['f = a', 'read f|read a'],
    ['ns.a = 1', 'read ns.a'],
    ['ns["a"].b', 'read ns.a.b'],
    ['ns[key].b', 'read ns|read key'],
    ['a().b.c', 'call a'],
    ['(a).b', 'read a.b'],
    ['a!.b', 'read a.b'],
    ['(a as B).c', 'read a|type B'],
    ['a<string>()', 'call a'],
    ['a.b.c.d.e.f()', 'read a.b.c.d.e'],
    ['let x: A', 'type A'],
    ['let x: ns.A.B', 'type ns.A.B'],
    ['let x: typeof a.b', 'type a.b'],
    ['let x: A<B>[]', 'type A|type B'],
    ['let x: A["k"]', 'type A'],
    ['let x: keyof A & B', 'type A|type B'],
    ['x as A', 'read x|type A'],
    ['x as const', 'read x'],
    ['x satisfies A', 'read x|type A'],
    ['f<A>()', 'call f|type A'],
    ['class C extends A<B> implements I<J> {}', 'extends A|type B|implements I|type J'],
    ['class C extends ns.A {}', 'extends ns.A'],
    ['class C extends mixin(A) {}', 'call mixin|read A'],
    ['interface I extends A, ns.B {}', 'extends A|extends ns.B'],
    ['@A class C { @ns.B m(@P() p) {} }', 'decorator A|decorator ns.B|decorator P'],
    ['function f(x: unknown): x is A {}', 'type A'],
    ['export { a }; export default b', ''],
    ['import A = ns.B.C', 'read ns.B.C'],
  ])('%s', (text, expected) => {
    expect(uses(text).join('|')).toBe(expected);
  });

  test.each([
    ['<A />', 'jsx A'],
    ['<ns.A.B>x</ns.A.B>', 'jsx ns.A.B'],
    ['<div className={a} {...b}>{c}</div>', 'read a|read b|read c'],
    ['<A<T> on={() => f()} />', 'jsx A|type T|call f'],
    ['<><_a /><svg:rect /></>', 'jsx _a'],
  ])('%s', (text, expected) => {
    expect(uses(text, 'tsx').join('|')).toBe(expected);
  });
});

describe('calls', () => {
  const call = (text: string): CallShape | null | undefined => factsOf(text).uses[0]?.call;

  test('counts positional arguments up to the first spread', () => {
    expect(call('f()')).toMatchObject({
      positional: 0,
      spread: false,
      objects: [],
      awaited: false,
      keywords: [],
    });
    expect(call('f(1, (2), a + b)')).toMatchObject({ positional: 3, spread: false });
    expect(call('f(1, ...xs, 2)')).toMatchObject({ positional: 1, spread: true });
    expect(call('new F(1, 2)')).toMatchObject({ positional: 2 });
    expect(call('new F')).toMatchObject({ positional: 0 });
    expect(factsOf('f(<A/>, <></>)', 'tsx').uses[0]?.call).toMatchObject({ positional: 2 });
  });

  test('lists the keys of object literals', () => {
    expect(call('f(1, { a, b: 1, "c-d": 2, e() {} }, { ...x, f: 1 }, { [k]: 1 })')?.objects).toEqual([
      { index: 1, keys: ['a', 'b', 'c-d', 'e'], open: false },
      { index: 2, keys: ['f'], open: true },
      { index: 3, keys: [], open: true },
    ]);
  });

  test('records whether the result is awaited', () => {
    expect(call('await f()')?.awaited).toBe(true);
    expect(call('await ns.f()')?.awaited).toBe(true);
    expect(call('f().then(g)')?.awaited).toBe(true);
    expect(call('f().length')?.awaited).toBe(false);
  });

  test('has no shape for reads and tagged templates', () => {
    expect(call('f')).toBeNull();
    expect(call('f`x`')).toBeNull();
  });

  test('keeps the shape of a decorator that is called', () => {
    expect(call('@F(1, 2) class A {}')).toMatchObject({ positional: 2 });
    expect(call('@F class A {}')).toBeNull();
  });

  test('treats super(…) as a construction of the base class', () => {
    const { uses: found } = factsOf('class A extends B { constructor() { super(1, 2) } m() { super.m(3) } }');
    expect(found.slice(1)).toMatchObject([
      { kind: 'new', root: 'B', rootIs: 'name', path: [], call: { positional: 2 } },
      { kind: 'call', root: 'B', rootIs: 'instance', path: ['m'], call: { positional: 1 } },
    ]);
  });
});

describe('guards', () => {
  test.each([
    ['f?.()', 'call f?'],
    ['ns.f?.()', 'call ns.f?'],
    ['typeof x', 'read x?'],
    ['ns.a?.b', 'read ns.a.b?'],
    ['ns?.a', 'read ns.a'],
    ['if (ns.a) {}', 'read ns.a?'],
    ['ns.a ? 1 : 2', 'read ns.a?'],
    ['ns.a && 1', 'read ns.a?'],
    ['ns.a ?? 1', 'read ns.a?'],
    ['!ns.a', 'read ns.a?'],
    ['const { a = 1 } = ns', 'read ns|read ns.a?'],
    ['ns.a', 'read ns.a'],
  ])('%s', (text, expected) => {
    expect(uses(`import * as ns from 'ns'; import { f } from 'f';\n${text}`).join('|')).toBe(expected);
  });

  test('treats everything read after a tested member as tested', () => {
    expect(uses('import * as ns from "ns"; if (ns.a) ns.a.b(); ns.c()')).toEqual([
      'read ns.a?',
      'call ns.a.b?',
      'call ns.c',
    ]);
    expect(uses('if (typeof define === "function") define()')).toEqual(['read define?', 'call define?']);
  });
});

describe('destructuring', () => {
  test('reads members of the destructured value', () => {
    const text = "import * as ns from 'ns'; const { a, b: { c }, ...rest } = ns; ({ d } = ns.e)";
    expect(uses(text)).toEqual([
      'read ns',
      'read ns.a',
      'read ns.b',
      'read ns.b.c',
      'read d',
      'read ns.e',
      'read ns.e.d',
    ]);
  });
});

describe('places', () => {
  test('names the enclosing definition', () => {
    const text = `import { x } from 'x';
      x;
      function f() { return () => x }
      class A { y = x; m() { x } static { x } }
      const o = { k: x, n() { x } }, { p } = x;
      export default [x];
      namespace N { export const z = x }`;
    expect(
      factsOf(text)
        .uses.filter((use) => use.path.length === 0)
        .map((use) => use.scope),
    ).toEqual(['', 'f', 'A.y', 'A.m', 'A', 'o.k', 'o.n', 'p', 'default', 'N.z']);
  });

  test('counts lines and columns from one, in UTF-16 units, whatever ends the lines', () => {
    const text = '// 🎉\r\nconst s = "𝒳é"; callee(\r\n  1,\r\n)';
    expect(factsOf(text).uses).toMatchObject([{ line: 2, column: 18, endLine: 4 }]);
    expect(factsOf(`\ufeff${text}`).uses).toMatchObject([{ line: 2, column: 18, endLine: 4 }]);
    expect(factsOf(`#!/usr/bin/env node\n${text}`).uses).toMatchObject([{ line: 3, column: 18, endLine: 5 }]);
  });
});

describe('casts to any', () => {
  const read = (body: string) =>
    uses(`import { Store } from './store'; function t(store: Store) { ${body} }`).slice(1);

  test.each([
    ['(store as any).cache = 1', ['read any(Store).cache']],
    ['(<any>store).load(1).then', ['read any(Store).load']],
    ["jest.spyOn(store as any, 'load')", ['call jest.spyOn']],
    ['(store as unknown).cache', []],
    ['(store as any)[name]', []],
    ['use(store as any)', []],
  ])('gives the member that is read through them: %s', (body, expected) => {
    expect(read(body).filter((line) => !/^(call use|read name)$/.test(line))).toEqual(expected);
  });
});
