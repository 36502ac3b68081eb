import { beforeAll, describe, expect, test } from 'vitest';
import { python } from './index.ts';
import { definitionNamed, definitionsOf, factsOf, usesOf } from './reading.ts';

beforeAll(() => python.prepare());

const keysOf = (...lines: string[]) =>
  definitionsOf(...lines)
    .filter((definition) => definition.includes('.{}.'))
    .map((definition) => definition.replace(/^field \S*\.\{\}\./, ''));

const keyUses = (...lines: string[]) => usesOf(...lines).filter((use) => use.includes('{'));

describe('the keys of the dictionary that a function returns', () => {
  test('are those of its literals, of all returns', () => {
    expect(
      keysOf('def f(x):', '    if x:', '        return {"a": 1, "b": 2}', '    return dict(c=3)'),
    ).toEqual(['a', 'b', 'c']);
    expect(
      keysOf('class A:', '    @property', '    def f(self) -> dict:', '        return {"a": 1}'),
    ).toEqual(['a']);
  });

  test('are also those that the function adds to a variable', () => {
    expect(keysOf('def f(x):', '    row = {"a": 1}', '    row["b"] = row["a"]', '    return row')).toEqual([
      'a',
      'b',
    ]);
  });

  test.each([
    ['a spread', ['    return {**x, "a": 1}']],
    ['a computed key', ['    return {x: 1}']],
    ['a variable that is passed on', ['    row = {"a": 1}', '    fill(row)', '    return row']],
    ['a variable that another name shares', ['    row = {"a": 1}', '    same = row', '    return row']],
    ['a variable that is updated', ['    row = {"a": 1}', '    row.update(x)', '    return row']],
    [
      'a variable that a nested function fills',
      ['    row = {"a": 1}', '    g = lambda: row', '    return row'],
    ],
    ['another value', ['    if x:', '        return x', '    return {"a": 1}']],
    ['a generator', ['    yield 1', '    return {"a": 1}']],
  ])('are not known with %s', (_, body) => {
    expect(keysOf('def f(x):', ...body)).toEqual([]);
  });

  test('are not known below a decorator or with another annotation', () => {
    expect(keysOf('@cached', 'def f():', '    return {"a": 1}')).toEqual([]);
    expect(keysOf('def f() -> Row:', '    return {"a": 1}')).toEqual([]);
  });
});

describe('a key that is read', () => {
  test('is a use of the dictionary that a function returns', () => {
    expect(keyUses('from m import f', 'def g():', '    row = f()', '    return row["a"] + f()["b"]')).toEqual(
      ['read (f.{}).a', 'read (f.{}).b'],
    );
    expect(
      keyUses('from m import f', 'async def g():', '    row = await f()', '    return row["a"]'),
    ).toEqual(['read (f.{await}).a']);
  });

  test('is a use of an annotated value or of its member', () => {
    expect(keyUses('def g(row: Row):', '    return row["a"], row.inner["b"]')).toEqual([
      'read (Row.{}).a',
      'read (Row.inner.{}).b',
    ]);
  });

  test.each([
    ['written', ['    row["a"] = 1', '    return row["a"]']],
    ['tested', ['    return row["a"] if "a" in row else 0']],
    ['deleted', ['    del row["a"]']],
    ['filled in', ['    row.update(x)', '    return row["a"]']],
    [
      'expected to be missing',
      ['    try:', '        return row["a"]', '    except KeyError:', '        return 0'],
    ],
    ['computed', ['    return row[x]']],
  ])('is not a use when it is %s', (_, body) => {
    expect(keyUses('def g(row: Row, x):', ...body)).toEqual([]);
  });
});

describe('the keywords of a function', () => {
  const rest = (...lines: string[]) => {
    const { parameters } = definitionNamed(factsOf(...lines), 'f').signature ?? {};
    const found = parameters?.find(({ kind }) => kind === 'keyword-rest');
    return [found?.typeName, found?.shape?.keys.map(({ name }) => name).join()];
  };

  test('go to the one function or class that gets them', () => {
    expect(rest('def f(**kw):', '    return g(1, **kw)', 'def g(a, b=1): pass')).toEqual(['g', '']);
    expect(rest('from m import A', 'def f(**kw):', '    return partial(A, x=1, **kw)')).toEqual(['A', '']);
    expect(rest('def f(**kw):', '    from m import g', '    return g(**kw)')).toEqual(['g@', '']);
  });

  test('may be read by the function itself', () => {
    expect(
      rest(
        'def f(**kw):',
        '    a = kw.pop("a", 1)',
        '    kw["b"] = "c" in kw',
        '    return g(**kw)',
        'g = len',
      ),
    ).toEqual(['g', 'a,b,c']);
  });

  test.each([
    ['several functions', '    return g(**kw) + h(**kw)'],
    ['an unknown function', '    return x(**kw)'],
    ['code that takes all of them', '    return g(kw, **kw)'],
  ])('are not followed to %s', (_, body) => {
    expect(rest('def f(x, **kw):', body, 'def g(): pass', 'def h(): pass')).toEqual([null, '']);
  });
});

describe('a value without annotation', () => {
  const instanceUses = (...lines: string[]) => usesOf(...lines).filter((use) => use.includes('('));

  test('has the class that all calls of the file pass', () => {
    const body = ['from m import A', 'def f(x):', '    return x.name'];
    expect(instanceUses(...body, 'f(A())')).toEqual(['read (A.(is)).name']);
    expect(instanceUses(...body, 'f(A())', 'f(1)')).toEqual([]);
    expect(instanceUses(...body, 'f(A())', 'map(f, [1])')).toEqual([]);
    expect(instanceUses('@wrap', ...body.slice(1), 'f(A())')).toEqual([]);
  });

  test('has the class of the elements of a member or a result', () => {
    expect(instanceUses('def f(box: Box):', '    return [tag.name for tag in box.tags]')).toContain(
      'read (Box.tags.[]).name',
    );
    expect(
      instanceUses('from m import find', 'def f():', '    for x in find():', '        x.name'),
    ).toContain('read (find.[]).name');
  });

  test('has the class that a method of a known value returns, unless it is its own', () => {
    expect(instanceUses('def f(store: Store):', '    user = store.find()', '    return user.name')).toContain(
      'read (Store.find.()).name',
    );
    expect(instanceUses('def f(x):', '    x = x.next()', '    return x.name')).toEqual([]);
  });
});

test('Meta.fields names fields of the model', () => {
  const lines = (base: string) => [
    'from m import Routine, ModelForm, Other',
    `class A(${base}):`,
    '    own = 1',
    '    class Meta:',
    '        model = Routine',
    '        fields = ["name", "own"]',
  ];
  expect(usesOf(...lines('ModelForm'))).toContain('read (Routine.(is)).name');
  expect(usesOf(...lines('ModelForm'))).not.toContain('read (Routine.(is)).own');
  expect(usesOf(...lines('ModelForm, Other'))).not.toContain('read (Routine.(is)).name');
});

test('a call tells whether its result is entered, and which part of it is read', () => {
  const results = (line: string) => factsOf('from m import f', line).uses.map(({ call }) => call?.result);
  expect(results('with f() as x: pass')).toContain('entered');
  expect(results('f()[0]')).toContain('item');
  expect(results('f().count(1)')).toContain('item');
  expect(results('f()["a"]')).toContain('member');
});
