import { describe, expect, test } from 'vitest';
import type { Parameter } from '#code/facts/facts.ts';
import { definitionOf, definitions, factsOf } from './facts-of.ts';

describe('module-level definitions', () => {
  test('lists functions, classes, types, enums, namespaces and variables in the order of the text', () => {
    const text = `
      function f() {}
      class A { x = 1; m() {} }
      interface I { a: string; m(): void }
      type T = { k?: number };
      enum E { One, Two = 'two' }
      namespace N { export const inner = 1; namespace Deep {} }
      namespace P.Q { export function g() {} }
      const v = 1, arrow = () => 1, expression = function () {};
    `;
    expect(definitions(text)).toEqual([
      'function f',
      'class A',
      'field A.x',
      'method A.m',
      'interface I',
      'field I.a',
      'method I.m',
      'type T',
      'field T.k',
      'enum E',
      'enum-member E.One',
      'enum-member E.Two',
      'namespace N',
      'variable N.inner',
      'namespace N.Deep',
      'namespace P',
      'namespace P.Q',
      'function P.Q.g',
      'variable v',
      'function arrow',
      'function expression',
    ]);
  });

  test('omits names local to functions and blocks', () => {
    expect(definitions('function f() { const local = 1; function inner() {} class C {} }')).toEqual([
      'function f',
    ]);
    expect(definitions('{ const block = 1; let other; class C {} }')).toEqual([]);
  });

  test('finds each name of a pattern', () => {
    expect(definitions('const { a, b: { c }, ...rest } = x, [d, , e = 1] = y')).toEqual([
      'variable a',
      'variable c',
      'variable rest',
      'variable d',
      'variable e',
    ]);
  });

  test('marks var and function definitions in conditional blocks', () => {
    const { definitions: found } = factsOf(
      'if (x) { var a = 1; function b() {} } try { var c } catch {} var d;',
    );
    expect(found.map(({ name, conditional }) => [name, conditional])).toEqual([
      ['a', true],
      ['b', true],
      ['c', true],
      ['d', false],
    ]);
  });

  test('marks names that are declared to exist elsewhere', () => {
    expect(definitionOf('declare function f(): void', 'f').ambient).toBe(true);
    expect(definitionOf('declare namespace N { const x: number }', 'N.x').ambient).toBe(true);
    expect(definitionOf('export interface I {}', 'I', 'dts').ambient).toBe(true);
    expect(definitionOf('export interface I {}', 'I').ambient).toBe(false);
  });

  test('does not treat augmentations of other modules as definitions', () => {
    expect(
      definitions("declare module 'x' { interface A {} } declare global { interface Window { a: 1 } }"),
    ).toEqual([]);
  });

  test('treats a class expression as the class of its variable', () => {
    expect(definitions('const A = class Inner extends B { m() {} }')).toEqual(['class A', 'method A.m']);
    expect(definitionOf('const A = class extends B {}', 'A').bases).toEqual(['B']);
  });
});

describe('default exports', () => {
  test.each([
    ['export default function () {}', ['function default']],
    ['export default () => 1', ['function default']],
    ['export default class { m() {} }', ['class default', 'method default.m']],
    ['export default { a: 1 }', ['variable default', 'field default.a']],
    ['export default defineConfig({ a: 1 })', ['variable default']],
    ['export default (class Named {})', ['class default']],
    ['export default function named() {}', ['function named']],
    ['export default class Named {}', ['class Named']],
    ['const a = 1; export default a', ['variable a']],
    ['export default interface I {}', ['interface I']],
  ])('%s', (text, expected) => {
    expect(definitions(text)).toEqual(expected);
  });
});

describe('overloads', () => {
  const overloads = (text: string, variant: 'ts' | 'dts' = 'ts') =>
    factsOf(text, variant).definitions.map(({ name, overload }) => `${name} ${overload}`);

  test('marks each signature and the implementation', () => {
    expect(
      overloads('function f(a: 1): 1; function f(a: 2): 2; function f(a: any) {} function g() {}'),
    ).toEqual(['f true', 'f true', 'f true', 'g false']);
    expect(
      overloads('class A { m(a: 1): 1; m(a: any) {} constructor(a: 1); constructor() {} n() {} }'),
    ).toEqual(['A false', 'm true', 'm true', 'constructor true', 'constructor true', 'n false']);
  });

  test('does not mark a single ambient function', () => {
    expect(overloads('declare function f(): void; declare function g(): void')).toEqual([
      'f false',
      'g false',
    ]);
  });

  test('marks the two halves of an accessor, but not two equal halves', () => {
    expect(overloads('class A { get x() { return 1 } set x(v) {} get y() { return 1 } }')).toEqual([
      'A false',
      'x true',
      'x true',
      'y false',
    ]);
    expect(overloads('class A { get x() { return 1 } get x() { return 2 } }')).toEqual([
      'A false',
      'x false',
      'x false',
    ]);
  });

  test('marks the two halves of an accessor of an object literal', () => {
    expect(overloads('const o = { get x() { return 1 }, set x(v) {} }')).toEqual([
      'o false',
      'x true',
      'x true',
    ]);
  });

  test('distinguishes static and instance members of one name', () => {
    expect(overloads('abstract class A { static m(): void {} abstract m(): void }')).toEqual([
      'A false',
      'm false',
      'm false',
    ]);
  });
});

describe('members', () => {
  test('override only where the keyword precedes their own name', () => {
    const text =
      'class A extends B { constructor(readonly a: 1, override readonly b: 2) {} override m() {} n() {} }';
    const overriding = ['A.a', 'A.b', 'A.m', 'A.n'].map((name) => definitionOf(text, name).overrides);
    expect(overriding).toEqual([false, true, true, false]);
    expect(definitionOf('interface C { (): void }\nconst override = 1;', 'C').overrides).toBeFalsy();
  });

  test('reads fields, methods, accessors, parameter properties and modifiers of classes', () => {
    const text = `abstract class A {
      static s = 1; readonly r: string; o?: User; private hidden = 2; #secret = 3; declare d: number;
      constructor(private readonly repo: Repo, public name?: string, plain: number) {}
      get g(): Team { return x } abstract am(): void; async as() {} *gen() {} ['literal'] = 1; #p() {}
      static { init() }
    }`;
    expect(definitions(text)).toEqual([
      'class A',
      'field A.s',
      'field A.r',
      'field A.o',
      'field A.hidden',
      'field A.d',
      'constructor A.constructor',
      'field A.repo',
      'field A.name',
      'accessor A.g',
      'method A.am',
      'method A.as',
      'method A.gen',
      'field A.literal',
    ]);
    expect(definitionOf(text, 'A').abstract).toBe(true);
    expect(definitionOf(text, 'A').members).toEqual({ open: false });
    expect(definitionOf(text, 'A.s').static).toBe(true);
    expect(definitionOf(text, 'A.o')).toMatchObject({ optional: true, type: 'User' });
    expect(definitionOf(text, 'A.repo').type).toBe('Repo');
    expect(definitionOf(text, 'A.name').optional).toBe(true);
    expect(definitionOf(text, 'A.g').type).toBe('Team');
    expect(definitionOf(text, 'A.am').abstract).toBe(true);
    expect(definitionOf(text, 'A.as').async).toBe(true);
    expect(definitionOf(text, 'A.gen').signature?.generator).toBe(true);
  });

  test.each(['class A { [key] = 1 }', 'interface A { [ns.key](): void }', 'type A = { [key]: 1 }'])(
    '%s: members are named by constants',
    (text) => {
      expect(definitionOf(text, 'A').members).toEqual({ open: false, keyed: true });
    },
  );

  test('a call signature: besides the listed members there are those of functions', () => {
    expect(definitionOf('interface A { (): void; x: 1 }', 'A').members).toEqual({ open: false, keyed: true });
  });

  test.each([
    ['class A { [key + 1] = 1 }', true],
    ['class A { [key] = 1; [k: string]: unknown }', true],
    ['class A { [Symbol.iterator]() {} }', false],
    ['class A { [k: string]: unknown }', true],
    ['class A extends mixin(B) {}', true],
    ['class A extends ns.B {}', false],
    ['interface A { [k: string]: unknown }', true],
    ['interface A extends B, C<D> { x: 1 }', false],
    ['type A = { x: 1 }', false],
    ['type A = { x: 1 } & B<C>', false],
    ['type A = { x: 1 } & (B | C)', true],
    ['type A = B & { [k: string]: unknown }', true],
    ['type A = { [K in B]: 1 }', true],
    ['enum A { X }', false],
    ['const A = { a: 1, b() {}, "c-d": 2, 3: 4 }', false],
    ['const A = { ...b }', true],
    ['const A = { [b]: 1 }', true],
    ['const A = { a: 1 } as const', false],
    ['const A = Object.freeze({ a: 1 })', false],
    ['const A = { a: 1 } satisfies B', false],
  ])('%s: other members are possible: %s', (text, open) => {
    expect(definitionOf(text, 'A').members).toEqual({ open });
  });

  test.each(['type A = B | C', 'type A = string', 'function A() {}', 'const A = 1', 'const A: B = { a: 1 }'])(
    '%s has no members',
    (text) => {
      expect(definitionOf(text, 'A').members).toBeNull();
    },
  );

  test('lists the keys of object literals and the known parts of intersections', () => {
    expect(definitions('const a = { b: 1, c() {}, "d-e": () => 2, 3: 4 }')).toEqual([
      'variable a',
      'field a.b',
      'field a.c',
      'field a.d-e',
      'field a.3',
    ]);
    expect(definitionOf('const a = { c(x) {} }', 'a.c').signature?.parameters).toHaveLength(1);
    expect(definitions('type A = B & { x: 1 } & { y: 2 }')).toEqual(['type A', 'field A.x', 'field A.y']);
  });

  test('reads fields that JavaScript classes assign', () => {
    const text =
      'class A { constructor(x) { this.a = x; this.b = new B(); const f = () => { this.c = 1 } } m() { this.a = 2 } }';
    expect(definitions(text, 'js')).toEqual([
      'class A',
      'constructor A.constructor',
      'field A.a',
      'field A.b',
      'field A.c',
      'method A.m',
    ]);
    expect(definitionOf(text, 'A', 'js').members).toEqual({ open: false });
    expect(definitionOf('class A { constructor() { Object.assign(this, x) } }', 'A', 'js').members).toEqual({
      open: true,
    });
    expect(definitions(text, 'ts')).not.toContain('field A.a');
  });

  test('treats classes that are extended elsewhere in the file as having more members', () => {
    expect(definitionOf('class A {} A.prototype.m = function () {}', 'A', 'js').members).toEqual({
      open: true,
    });
    expect(definitionOf('class A {} A.displayName = "a"', 'A', 'js').members).toEqual({ open: true });
    expect(definitionOf('const a = { b: 1 }; a.c = 2', 'a', 'js').members).toEqual({ open: true });
    expect(definitionOf('const a = { b: 1 }; a.b = 2', 'a', 'ts').members).toEqual({ open: false });
  });

  test('reads decorators and bases', () => {
    const text = '@Injectable() @ns.Other class A extends ns.Base<T> { @Input() x: string; @Log m() {} }';
    expect(definitionOf(text, 'A')).toMatchObject({
      decorators: ['Injectable', 'ns.Other'],
      bases: ['ns.Base'],
    });
    expect(definitionOf(text, 'A.x').decorators).toEqual(['Input']);
    expect(definitionOf(text, 'A.m').decorators).toEqual(['Log']);
    expect(definitionOf('interface I extends A, ns.B<C> {}', 'I').bases).toEqual(['A', 'ns.B']);
    expect(definitionOf('type I = A & { x: 1 } & ns.B<C>', 'I').bases).toEqual(['A', 'ns.B']);
  });
});

describe('types of variables and fields', () => {
  test.each([
    ['const x: User = y', 'User'],
    ['const x: ns.User = y', 'ns.User'],
    ['const x: User | null | undefined = y', 'User'],
    ['const x: Readonly<User> = y', 'User'],
    ['const x: Partial<Readonly<User>> | null = y', 'User'],
    ['const x: Repo<User> = y', 'Repo<User>'],
    ['const x: Repo<string> = y', 'Repo'],
    ['const x = new User()', 'User'],
    ['const x = new ns.User(1)', 'ns.User'],
    ['const x: User[] = y', 'User[]'],
    ['const x: string[] = y', null],
    ['const x: Record<string, User> | null = y', 'Record<string, User> | null'],
    ['const x: { [id: string]: User } = y', 'Record<string,User>'],
    ['const x: { [id: string]: User; own: Team } = y', null],
    ["const x: Omit<User, 'id'> = y", 'User'],
    ['const x: User | Team = y', 'User | Team'],
    ['const x: User | string = y', null],
    ['const x: () => User = y', null],
    ['const x: typeof User = y', null],
    ['const x = make()', null],
    ['const x = new (pick())()', null],
  ])('%s: %s', (text, type) => {
    expect(definitionOf(text, 'x').type).toBe(type);
  });
});

describe('signatures', () => {
  const parameters = (text: string, path = 'f') => definitionOf(text, path).signature?.parameters ?? [];
  const brief = ({ name, kind, required }: Parameter) => `${name}:${kind}${required ? '!' : ''}`;

  test('distinguishes required, optional, default and rest parameters', () => {
    const text =
      'function f(this: Window, a: string, b?: number, c = 1, { d }: Options = {}, [e], ...rest: string[]) {}';
    expect(parameters(text).map(brief)).toEqual([
      'a:positional!',
      'b:positional',
      'c:positional',
      ':positional',
      ':positional!',
      'rest:rest',
    ]);
  });

  test('gives types and defaults in one spelling', () => {
    const text = `function f(
      a: Map< string,User[ ] >, // comment
      b: | 'x'
         | "y",
      c: { timeout?: number; retries: number, [k: string]: unknown } = { retries :1 },
      d: (x : number)=>void,
    ): Promise<
      void
    > {}`;
    expect(parameters(text)).toMatchObject([
      { type: 'Map<string, User[]>', default: null, typeName: 'Map', shape: null },
      { type: `'x' | "y"` },
      {
        type: '{timeout?: number; retries: number, [k: string]: unknown}',
        default: '{retries: 1}',
        shape: {
          keys: [
            { name: 'timeout', required: false },
            { name: 'retries', required: true },
          ],
          open: true,
        },
      },
      { type: '(x: number) => void' },
    ]);
    expect(definitionOf(text, 'f').signature?.returns).toBe('Promise<void>');
  });

  test('reads the options type of a parameter and the keys of an inline one', () => {
    expect(parameters('function f(o: Options | undefined) {}')).toMatchObject([
      { typeName: 'Options', shape: null },
    ]);
    expect(parameters('function f(o: { a: 1 } & B) {}')).toMatchObject([
      { shape: { keys: [{ name: 'a', required: true }], open: true } },
    ]);
  });

  test('cuts long defaults at 80 and long types at 200 characters', () => {
    const [parameter] = parameters(`function f(a: '${'t'.repeat(300)}' = '${'d'.repeat(300)}') {}`);
    expect(parameter?.default).toHaveLength(80);
    expect(parameter?.type).toHaveLength(200);
  });

  test('counts type parameters', () => {
    const count = (text: string) => definitionOf(text, 'f').signature?.typeParameters;
    expect(count('function f<A, B extends A, C = 1>() {}')).toEqual({ min: 2, max: 3 });
    expect(count('const f = <T>(x: T) => x')).toEqual({ min: 1, max: 1 });
  });

  test('is that of the function a variable or field holds, or of the function type it is declared with', () => {
    expect(parameters('const f = async (a, b) => 1').map(brief)).toEqual(['a:positional!', 'b:positional!']);
    expect(definitionOf('const f = async () => 1', 'f').async).toBe(true);
    expect(parameters('const f: (a: string, b?: number) => void = (a) => {}').map(brief)).toEqual([
      'a:positional!',
      'b:positional',
    ]);
    expect(definitionOf('const f: Handler = (a) => {}', 'f')).toMatchObject({
      kind: 'variable',
      signature: null,
      type: 'Handler',
    });
    expect(parameters('interface I { f: (a: string) => void; }', 'I.f').map(brief)).toEqual([
      'a:positional!',
    ]);
    expect(parameters('class A { f = (a) => 1 }', 'A.f').map(brief)).toEqual(['a:positional!']);
  });
});

describe('hashes', () => {
  const body = (text: string, path: string) =>
    definitionOf(text, path, text.includes('<p>') ? 'tsx' : 'ts').bodyHash;
  const signature = (text: string, path: string) => definitionOf(text, path).signatureHash;

  test.each([
    [
      'functions',
      'function a(x: A) { return a(x) }',
      'function b( x : A ) {\n  // comment\n  return b(x);\n}',
    ],
    [
      'classes',
      'class a extends C { m() { return new a() } }',
      'class b extends C { m() { return new b(); } }',
    ],
    ['variables', 'const a = { k: "v" }', "const b = { k: 'v', }"],
    ['arrows', 'const a = (x) => a(x)', 'export const b = (x) => b(x,)'],
    ['types', 'type a = { next: a | null }', 'type b = { next: b | null; }'],
    ['enums', 'enum a { X = 1, Y }', 'enum b { X = 1, Y, }'],
    ['interfaces', 'interface a extends C { x: string }', 'interface b extends C {\n  x: string;\n}'],
  ])('of %s do not depend on name and format', (_, one, other) => {
    expect(body(one, 'a')).toBe(body(other, 'b'));
    expect(signature(one, 'a')).toBe(signature(other, 'b'));
    expect(definitionOf(one, 'a').sketch).toEqual(definitionOf(other, 'b').sketch);
  });

  test('of members do not depend on name and format', () => {
    expect(body('class A { a(x) { return this.a(x) } }', 'A.a')).toBe(
      body('class B { b(x) { return this.b(x); } }', 'B.b'),
    );
  });

  test('change with the body', () => {
    expect(body('function a() { return 1 }', 'a')).not.toBe(body('function a() { return 2 }', 'a'));
    expect(body("const a = <p>it's // one</p>", 'a')).not.toBe(body("const a = <p>it's // two</p>", 'a'));
  });

  test('of signatures change with parameters, return type and heritage, not with the body', () => {
    expect(signature('function a(x: A): B { 1 }', 'a')).toBe(signature('function a(x: A): B { 2 }', 'a'));
    expect(signature('function a(x: A): B {}', 'a')).not.toBe(signature('function a(x: A): C {}', 'a'));
    expect(signature('function a(x: A) {}', 'a')).not.toBe(signature('function a(y: A) {}', 'a'));
    expect(signature('class a extends B { x }', 'a')).toBe(signature('class a extends B { y }', 'a'));
    expect(signature('class a extends B {}', 'a')).not.toBe(signature('class a extends C {}', 'a'));
  });
});

describe('a variable that is declared again', () => {
  const marks = (text: string, variant: 'ts' | 'js' = 'ts') =>
    factsOf(text, variant).definitions.map(({ overload }) => overload);

  test('with var is not a second definition', () => {
    expect(marks('var a = 1;\nvar a = 2;\nvar b = 3;')).toEqual([true, true, false]);
    expect(marks('var f = function () {};\nvar f = f || {};', 'js')).toEqual([true, true]);
  });

  test('with let or const is a second definition', () => {
    expect(marks('let a = 1;\nconst a = 2;')).toEqual([false, false]);
  });
});

describe('components that a function of a package returns', () => {
  const props = (text: string) =>
    definitionOf(text, 'Badge', 'tsx').signature?.parameters.map(({ typeName }) => typeName) ?? null;

  test.each([
    ['memo', "import { memo } from 'react'; const Badge = memo(({ text }: Props) => null)", ['Props']],
    [
      'a namespace',
      "import * as React from 'react'; const Badge = React.memo((p: Props) => null)",
      ['Props'],
    ],
    [
      'forwardRef',
      "import { forwardRef } from 'react'; const Badge = forwardRef<Div, Props>((p, ref) => null)",
      ['Props'],
    ],
    [
      'a function of the module',
      "import { observer } from 'mobx-react'; function Inner(p: Props) {} const Badge = observer(Inner)",
      ['Props'],
    ],
    ['another memo', "import { memo } from './own'; const Badge = memo((p: Props) => null)", null],
    ['no annotation', "import { memo } from 'react'; const Badge = memo((p) => null)", null],
  ])('%s', (_, text, found) => expect(props(text)).toEqual(found));
});

test('a pattern with defaults lists the keys of an options parameter', () => {
  const shape = (text: string) => definitionOf(text, 'f').signature?.parameters[0]?.shape ?? null;
  expect(shape('function f({ a = 1, b: c = 2 } = {}) {}')).toEqual({
    keys: [
      { name: 'a', required: false },
      { name: 'b', required: false },
    ],
    open: false,
  });
  expect(shape('function f({ a = 1, ...rest } = {}) {}')).toBeNull();
  expect(shape('function f({ a } = {}) {}')).toBeNull();
  expect(shape('function f({ a = 1 } = defaults) {}')).toBeNull();
});
