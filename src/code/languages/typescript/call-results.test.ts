import { describe, expect, test } from 'vitest';
import { factsOf } from './facts-of.ts';

function callOf(text: string) {
  const call = factsOf(`import { f } from './f';\n${text}`).uses.find(
    ({ kind, root }) => kind === 'call' && root === 'f',
  )?.call;
  return call ? `${call.result}${call.unpacked === null ? '' : ` ${call.unpacked}`}` : 'no call';
}

describe('the result of a call', () => {
  test.each([
    ['f();', 'dropped'],
    ['f().name;', 'member'],
    ['(await f()).name;', 'member'],
    ['f()?.name;', 'tested'],
    ['if (f()) {}', 'tested'],
    ['if (f() === null) {}', 'tested'],
    ['const x = f() ?? 1;', 'tested'],
    ['f().then(() => 1);', 'chained'],
    ['g(f());', 'other'],
    ['const { name } = f();', 'member'],
    ['const [a, b] = f();', 'other 2'],
    ['const [a, ...b] = f();', 'other'],
    ['let a, b; [a, b] = f();', 'other 2'],
  ])('%s is %s', (text, expected) => expect(callOf(text)).toBe(expected));

  test('is decided by the next use of the variable that holds it', () => {
    expect(callOf('const user = f(); user.name;')).toBe('member');
    expect(callOf('const user = f(); if (!user) throw 1; user.name;')).toBe('tested');
    expect(callOf('const user = f(); g(user);')).toBe('other');
  });

  test('counts as awaited when an asynchronous function returns it', () => {
    const awaited = (text: string) => factsOf(text).uses.find(({ kind }) => kind === 'call')?.call?.awaited;
    expect(awaited("import { f } from './f';\nasync function g() { return f(); }")).toBe(true);
    expect(awaited("import { f } from './f';\nfunction g() { return f(); }")).toBe(false);
  });
});

describe('literal values', () => {
  test('are listed for enums, counting up where they are omitted', () => {
    const members = factsOf("enum E { A, B = 4, C, D = 'd', F = A + 1, G }").definitions.slice(1);
    expect(members.map(({ literals }) => literals?.[0] ?? null)).toEqual(['0', '4', '5', '"d"', null, null]);
  });

  test('are listed only for unions of literals', () => {
    const literals = (text: string) => factsOf(`type T = ${text};`).definitions[0]?.literals;
    expect(literals("'a' | 2 | -1 | true")).toEqual(['"a"', '2', '-1', 'true']);
    expect(literals("'a' | string")).toBeNull();
  });

  test('are the cases of a switch', () => {
    const [each] = factsOf("function f(x) { switch (x) { case 'a': case E.B: default: } }").switches;
    expect(each).toMatchObject({ scope: 'f', cases: ['"a"', 'E.B'], hasDefault: true });
    expect(factsOf('switch (x) { case g(): }').switches).toEqual([]);
  });
});

describe('JSX elements', () => {
  test('pass their attributes and children as one object', () => {
    const call = factsOf(
      'import { A } from "./a";\nconst x = <A one="1" two={{ three: 4 }} key="k" data-x="y" five>text</A>;',
      'tsx',
    ).uses.find(({ kind }) => kind === 'jsx')?.call;
    expect(call?.objects).toEqual([{ index: 0, keys: ['one', 'two', 'five', 'children'], open: false }]);
  });

  test('may pass more when something is spread into them', () => {
    const call = factsOf('import { A } from "./a";\nconst x = <A {...rest} />;', 'tsx').uses.find(
      ({ kind }) => kind === 'jsx',
    )?.call;
    expect(call?.objects).toEqual([{ index: 0, keys: [], open: true }]);
  });
});
