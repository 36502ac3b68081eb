import { describe, expect, test } from 'vitest';
import { uses } from './facts-of.ts';

/** Only uses of members of typed values. */
const members = (text: string, variant: 'ts' | 'js' | 'tsx' = 'ts') =>
  uses(text, variant)
    .filter((use) => use.includes('~'))
    .join('|');

describe('values of a known type', () => {
  test.each([
    ['a parameter', 'function f(u: User) { u.name; u.save(1) }', 'read ~User.name|call ~User.save'],
    ['an arrow parameter', '(u: User) => u.name', 'read ~User.name'],
    [
      'a nullable parameter',
      'function f(u: User | null, v?: User) { u.a; v?.b }',
      'read ~User.a|read ~User.b',
    ],
    ['a read-only parameter', 'function f(u: Readonly<User>) { u.name }', 'read ~User.name'],
    ['a qualified type', 'function f(u: models.User) { u.name }', 'read ~models.User.name'],
    ['a generic type', 'function f(r: Repo<User>) { r.find() }', 'call ~Repo<User>.find'],
    [
      'a type argument that a function takes',
      'function f<User>(r: Repo<User>) { r.find() }',
      'call ~Repo.find',
    ],
    ['a union', 'function f(u: User | Team) { u.name }', 'read ~User | Team.name'],
    [
      'a value of a record',
      'function f(u: Record<string, User>, id: string) { u[id].name }',
      'read ~Record<string, User>.[].name',
    ],
    [
      'a value of a map',
      'function f(u: Map<string, User>) { u.get(1)?.name }',
      'read ~Map<string, User>.get.().name',
    ],
    [
      'an element that a variable holds',
      'function f(u: User[]) { const x = u[0]; x.name }',
      'read ~User.name',
    ],
    [
      'what a method returns, held by a variable',
      'async function f(r: Repo) { const u = await r.load(1); u.name }',
      'call ~Repo.load|read ~Repo.load.(await).name',
    ],
    [
      'elements of what a method returns',
      'function f(r: Repo) { const u = r.all(); u.map((x) => x.name) }',
      'call ~Repo.all|call ~Repo.all.().map|read ~Repo.all.().[].name',
    ],
    ['a variable', 'function f() { const u: User = g(); u.name }', 'read ~User.name'],
    ['a constructed variable', 'function f() { const u = new User(); u.name }', 'read ~User.name'],
    ['a variable of the module', 'const u = new User(); u.name', 'read ~User.name'],
    ['a default', 'function f(u = new User()) { u.name }', 'read ~User.name'],
    ['a chain', 'function f(u: User) { u.address.city }', 'read ~User.address.city'],
    ['an assignment', 'function f(u: User) { u.name = 1 }', 'read ~User.name'],
    ['an element of a list', 'function f(u: User[]) { for (const x of u) x.name }', 'read ~User.name'],
    [
      'an element of a callback',
      'function f(u: readonly User[]) { u.map((x) => x.name) }',
      'read ~User.name',
    ],
    ['a closure', 'function f(u: User) { return () => u.name }', 'read ~User.name'],
    [
      'destructuring',
      'function f(u: User) { const { name, a: { b } } = u }',
      'read ~User.name|read ~User.a|read ~User.a.b',
    ],
    [
      'a destructured parameter',
      'function f({ name, age = 1 }: Props) {}',
      'read ~Props.name|read ~Props.age',
    ],
    ['an annotated pattern', 'const { name }: Props = g()', 'read ~Props.name'],
    ['an optional call', 'function f(u: User) { u.save?.() }', 'call ~User.save?'],
  ])('%s', (_, text, expected) => {
    expect(members(text)).toBe(expected);
  });

  test.each([
    ['arrays', 'function f(u: User[]) { u.length }'],
    ['promises', 'async function f(u: Promise<User>) { (await u).name; u.then() }'],
    ['unions with other types', 'function f(u: User | string) { u.name }'],
    ['maps themselves', 'function f(u: Map<string, User>) { u.size }'],
    ['type parameters', 'function f<T>(u: T) { u.name }'],
    ['local types', 'function f() { interface Local { a: 1 } let u: Local; u.a }'],
    ['type parameters of the class', 'class A<T> { m(u: T) { u.name } }'],
    ['callback parameters', 'users.map((u) => u.name)'],
    ['casts', 'function f(u: User) { (u as Admin).rights; (<Admin>u).rights }'],
    ['names that only look alike', 'function f(u: User) {} function g(u) { u.name }'],
  ])('records nothing for %s', (_, text) => {
    expect(members(text)).toBe('');
  });

  test.each([
    ['in', "function f(u: User) { u.a; if ('x' in u) u.x }"],
    ['instanceof', 'function f(u: User) { if (u instanceof Admin) u.x }'],
    ['a type guard', 'function f(u: User) { if (isAdmin(u)) u.x }'],
    ['a guard in a condition under any name', 'function f(u: User) { if (ok(u) && u.y) u.x }'],
    ['an aliased guard', 'function f(u: User) { const ok = isAdmin(u); if (ok) u.x }'],
    ['a method that says what its object is', 'function f(u: User) { if (u.isAdmin()) u.x }'],
    ['an assertion', 'function f(u: User) { assertAdmin(u); u.x }'],
    ['a reassigned variable without annotation', 'function f() { let u = new User(); u = g(); u.x }'],
  ])('drops a value that is narrowed by %s', (_, text) => {
    expect(members(text)).toBe('');
  });

  test('keeps the other values of the same name', () => {
    const text = 'function f(u: User) { if (isAdmin(u)) u.x } function g(u: User) { u.name }';
    expect(members(text)).toBe('read ~User.name');
  });

  test('keeps an annotated variable that is reassigned, and values that are merely passed on', () => {
    expect(members('function f() { let u: User = g(); u = h(); u.name }')).toBe('read ~User.name');
    expect(members('function f(u: User) { save(u); u.name }')).toBe('read ~User.name');
  });

  test('does not confuse a type that another scope binds with the one of the module', () => {
    expect(members('import { User } from "./u"; function f(u: User) { u.a } function g<User>() {}')).toBe('');
  });

  test('omits assignments in JavaScript, where they create members', () => {
    expect(members('const u = new User(); u.extra = 1; u.name', 'js')).toBe('read ~User.name');
  });
});

describe('this', () => {
  test('is an instance of its class in methods, fields, accessors and arrows', () => {
    const text = 'class A { a = this.b; m() { this.c(); return () => this.d } get x() { return this.e } }';
    expect(members(text)).toBe('read ~A.b|call ~A.c|read ~A.d|read ~A.e');
  });

  test('is not one in nested functions, objects, keys, or classes that are not definitions', () => {
    expect(
      members('class A { m() { function f() { this.a } return { g() { this.b } } } [this.k] = 1 }'),
    ).toBe('');
    expect(members('function f() { class L { m() { this.a } } }')).toBe('');
    expect(members('function f() { this.a }')).toBe('');
  });

  test('is the class itself in static members', () => {
    expect(uses('class A { static m() { this.of() } static { this.init() } static f = this.g }')).toEqual([
      'call A.of',
      'call A.init',
      'read A.g',
    ]);
  });

  test('counts reads, not writes', () => {
    expect(members('class A { m() { this.a = 1; this.b++; [this.c] = x; this.d } }')).toBe('read ~A.d');
  });

  test('knows the types of fields and parameter properties', () => {
    const text =
      'class A { user: User; repo = new Repo(); constructor(private log: Log) {} m() { this.user.name; this.repo.find(1); this.log.info(); const { age } = this.user } }';
    expect(members(text)).toBe(
      'read ~A.user|read ~User.name|read ~A.repo|call ~Repo.find|read ~A.log|call ~Log.info|read ~A.user|read ~User.age',
    );
  });

  test('drops fields that are narrowed', () => {
    expect(members('class A { user: User; m() { if (isAdmin(this.user)) this.user.rights } }')).toBe(
      'read ~A.user|read ~A.user',
    );
  });

  test('reads members of the base through super', () => {
    expect(members('class A extends B { m() { super.m() } }')).toBe('call ~B.m');
    expect(uses('class A extends B { static m() { super.m() } }')).toEqual(['extends B', 'call B.m']);
  });
});

describe('values whose type follows from somewhere else', () => {
  test.each([
    ['props', 'function f({ user }: Props) { user.name }', 'read ~Props.user|read ~Props.user.(held).name'],
    [
      'a result',
      'function f() { const { ui } = useStores(); ui.hide() }',
      'read ~useStores.().ui|call ~useStores.().ui.(held).hide',
    ],
    ['not a default', 'function f({ user = guest }: Props) { user.name }', 'read ~Props.user'],
    [
      'not a narrowed value',
      'function f({ user }: Props) { if (user instanceof Admin) user.rights }',
      'read ~Props.user',
    ],
    [
      'a context',
      "import { useContext } from 'react'; function f() { const c = useContext(Theme); c.color }",
      'read ~Theme.(context).(held).color',
    ],
    [
      'not a context of another package',
      "import { useContext } from './own'; function f() { const c = useContext(Theme); c.color }",
      'read ~useContext.().color',
    ],
    [
      'a function of a typed object',
      'const p: Plugin = { load(options) { options.mode } }',
      'type ~Plugin.load|read ~Plugin.load.(=0).mode',
    ],
    ['a key of a type', "interface Props {} let mode: Props['mode']", 'type ~Props.mode'],
  ])('%s', (_, text, found) => expect(members(text)).toBe(found));
});
