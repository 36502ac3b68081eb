import { beforeAll, describe, expect, test } from 'vitest';
import { python } from './index.ts';
import { factsOf } from './reading.ts';

beforeAll(() => python.prepare());

function callOf(...lines: string[]) {
  const call = factsOf('from m import f', ...lines).uses.find(
    ({ root, kind }) => root === 'f' && kind === 'call',
  )?.call;
  return call ? `${call.result}${call.unpacked === null ? '' : ` ${call.unpacked}`}` : 'no call';
}

describe('the result of a call', () => {
  test.each([
    ['f()', 'dropped'],
    ['f().name', 'member'],
    ['f()["name"]', 'member'],
    ['x = f() is None', 'tested'],
    ['x = not f()', 'tested'],
    ['x = f() or 1', 'tested'],
    ['g(f())', 'other'],
    ['a, b = f()', 'other 2'],
    ['a, *b = f()', 'other'],
  ])('%s is %s', (text, expected) => expect(callOf(text)).toBe(expected));

  test('is decided by the next use of the variable that holds it', () => {
    expect(callOf('user = f()', 'user.name')).toBe('member');
    expect(callOf('user = f()', 'if user is None:', '    pass', 'user.name')).toBe('tested');
    expect(callOf('if (user := f()) is None:', '    pass')).toBe('tested');
  });
});

describe('literal values', () => {
  test('are listed for enums and Literal', () => {
    const literals = (...lines: string[]) =>
      factsOf(...lines).definitions.map((definition) => definition.literals);
    expect(literals('class E(Enum):', '    A = 1', '    B = "b"', '    C = auto()')).toEqual([
      null,
      ['1'],
      ['"b"'],
      null,
    ]);
    expect(literals('M = Literal["a", 2]')).toEqual([['"a"', '2']]);
    expect(literals('M = Literal[x]')).toEqual([null]);
  });

  test('are the cases of a match statement', () => {
    const [each] = factsOf(
      'def f(x):',
      '    match x:',
      '        case "a" | E.B:',
      '            pass',
      '        case _:',
      '            pass',
    ).switches;
    expect(each).toMatchObject({ scope: 'f', cases: ['"a"', 'E.B'], hasDefault: true });
  });
});

describe('how a function fails', () => {
  test('is what it raises and whether it returns nothing, without nested functions', () => {
    const failure = factsOf(
      'def f(x):',
      '    if x:',
      '        raise app.NotFound(x)',
      '    def g():',
      '        raise Other',
      '    return None',
    ).definitions[0]?.failure;
    expect(failure).toEqual({ raises: ['NotFound'], returnsNothing: true });
  });
});
