import { beforeAll, describe, expect, test } from 'vitest';
import { python } from './index.ts';
import { factsOf, usesOf } from './reading.ts';

beforeAll(() => python.prepare());

const instanceUses = (...lines: string[]) => usesOf(...lines).filter((use) => use.includes('('));

describe('an expression is followed from its root', () => {
  test('as one use with the members read after it', () => {
    expect(usesOf('a.b.c', 'a.b[0].c', 'a.b().c')).toEqual(['read a.b.c', 'read a.b', 'call a.b']);
  });

  test('through at most four members', () => {
    expect(usesOf('a.b.c.d.e.f()')).toEqual(['read a.b.c.d.e']);
  });

  test('up to the assigned member, which is not read', () => {
    expect(usesOf('import a', 'a.b.c = 1', 'a.d += 1', 'del a.e')).toEqual([
      'read a.b',
      'read a.d',
      'read a.e',
    ]);
  });

  test('with the location of its root and the enclosing definition', () => {
    const [use] = factsOf('class A:', '    def f(self):', '        return helper(', '            1)').uses;
    expect(use).toMatchObject({ root: 'helper', line: 3, column: 16, endLine: 4, scope: 'A.f' });
  });

  test('counting columns in UTF-16 units', () => {
    expect(factsOf('"😀"; call()').uses[0]).toMatchObject({ root: 'call', line: 1, column: 7 });
  });

  test('in decorators, bases and parameters as part of the definition they belong to', () => {
    const uses = factsOf('@route', 'def f(x: T = d): pass', 'class A(B): pass').uses;
    expect(uses.map(({ root, scope }) => `${root} in ${scope}`)).toEqual([
      'route in f',
      'T in f',
      'd in f',
      'B in A',
    ]);
  });
});

describe('a name that a function imports', () => {
  test('is followed like an import of the file', () => {
    expect(
      usesOf(
        'def f():',
        '    from a import Store, find',
        '    s = Store()',
        '    return s.rows, find(1).name',
      ),
    ).toEqual(['call Store@', 'read (Store@).rows', 'read (find@.()).name', 'call find@']);
  });
});

describe('a value whose class is tested', () => {
  const tested = (...lines: string[]) =>
    usesOf('from a import A, B', 'def f(x):', ...lines.map((line) => `    ${line}`)).filter((use) =>
      use.includes('(is)'),
    );

  test.each([
    ['if isinstance(x, A):', '    x.name'],
    ['if x and isinstance(x, A) and x.name: pass'],
    ['y = x.name if isinstance(x, A) else 1'],
    ['assert isinstance(x, A)', 'x.name'],
    ['if not isinstance(x, A): return', 'x.name'],
    ['try: pass', 'except B as x: pass', 'except A as x: x.name'],
  ])('has it where the test holds: %s %s', (...lines) => {
    expect(tested(...lines)).toEqual(['read (A.(is)).name']);
  });

  test.each([
    ['if isinstance(x, (A, B)):', '    x.name'],
    ['if isinstance(x, A):', '    x = B()', '    x.name'],
    ['if isinstance(x, A): pass', 'x.name'],
    ['if isinstance(x, A): pass', 'else: x.name'],
    ['if isinstance(x, A) or x.name: pass'],
    ['if not isinstance(x, A): print()', 'x.name'],
    ['assert isinstance(x, A)', 'x = B()', 'x.name'],
    ['try: pass', 'except (A, B) as x: x.name'],
    ['if isinstance(x, A) and (x := B()):', '    x.name'],
    ['y = x.name if isinstance(x, A) and (x := B()) else 1'],
    ['if isinstance(x, A) and isinstance(x, B):', '    x.name'],
    ['assert isinstance(x, A) and isinstance(x, B)', 'x.name'],
  ])('is of an unknown class elsewhere: %s %s', (...lines) => {
    expect(tested(...lines)).toEqual([]);
  });
});

describe('the kind of a use', () => {
  test('distinguishes calls, decorators, bases and types', () => {
    expect(
      usesOf(
        '@app.route("/")',
        '@cached',
        'def f(x: User) -> Team: pass',
        'class A(Base, Generic[T], key=k): pass',
      ),
    ).toEqual([
      'decorator app.route',
      'decorator cached',
      'type User',
      'type Team',
      'extends Base',
      'extends Generic',
      'read T',
      'read k',
    ]);
  });

  test('treats everything under TYPE_CHECKING as types', () => {
    expect(usesOf('if TYPE_CHECKING:', '    Alias = make(User)')).toEqual([
      'read TYPE_CHECKING',
      'type make',
      'type User',
    ]);
  });
});

describe('a call records how it passes arguments', () => {
  const shape = (call: string) => factsOf(call).uses[0]?.call;

  test('by position, keyword and spread', () => {
    expect(shape('f(1, x, *more, 2, key=1, other=2, **rest)')).toEqual({
      positional: 2,
      keywords: ['key', 'other'],
      spread: true,
      keywordSpread: true,
      objects: [],
      awaited: false,
      result: 'dropped',
      unpacked: null,
    });
  });

  test('as one generator without brackets', () => {
    expect(shape('f(x for x in [])')).toMatchObject({ positional: 1, spread: false });
  });

  test('as dictionaries with known keys', () => {
    expect(shape('f(1, {"a": 1, **b}, {"c": 2})')?.objects).toEqual([
      { index: 1, keys: ['a'], open: true },
      { index: 2, keys: ['c'], open: false },
    ]);
  });

  test('and whether the result is awaited', () => {
    const [use] = factsOf('async def g():', '    await f()').uses;
    expect(use?.call?.awaited).toBe(true);
  });

  test('also when it creates a decorator', () => {
    expect(factsOf('@route("/", methods=[])', 'def f(): pass').uses[0]?.call).toMatchObject({
      positional: 1,
      keywords: ['methods'],
    });
  });
});

describe('quoted annotations', () => {
  test('name types like plain ones, in place', () => {
    const [use] = factsOf('def f(x: "models.User"): pass').uses;
    expect(use).toMatchObject({ kind: 'type', root: 'models', path: ['User'], line: 1, column: 11 });
  });

  test('may contain subscripts and further quotes', () => {
    expect(usesOf(`x: "dict[str, List['User']]"`)).toEqual(['type List', 'type User']);
  });

  test('are values, not types, in Literal and after the first argument of Annotated', () => {
    expect(usesOf('x: Literal["User"]', 'y: Annotated["Team", "User", Doc("User")]')).toEqual([
      'type Literal',
      'type Annotated',
      'type Team',
      'type Doc',
    ]);
  });

  test('are ignored when they are not Python', () => {
    expect(usesOf('def f(x: "not a type at all!"): pass')).toEqual([]);
  });
});

describe('members of an instance', () => {
  test.each([
    ['User', 'User'],
    ['"User"', 'User'],
    ['Optional[User]', 'User'],
    ['typing.Optional["User"]', 'User'],
    ['User | None', 'User'],
    ['None | User', 'User'],
    ['Union[User, None]', 'User'],
    ['Annotated[User, Depends(get)]', 'User'],
    ['models.User', 'models.User'],
    ['Repo[User]', 'Repo'],
  ])('of a parameter annotated %s', (annotation, type) => {
    expect(instanceUses(`def f(user: ${annotation}): return user.name`)).toEqual([`read (${type}).name`]);
  });

  test.each([['type[User]'], ['Callable[[User], None]'], ['str'], ['list[User]'], ['Literal["User"]']])(
    'are unknown when the annotation is %s',
    (annotation) => {
      expect(instanceUses(`def f(user: ${annotation}): return user.name`)).toEqual([]);
    },
  );

  test.each(['Union[User, Team]', 'User | Team', 'User | Team | None'])(
    'are those of several classes when the annotation is %s',
    (annotation) => {
      const uses = instanceUses(`def f(user: ${annotation}): return user.name.first, user.find().last`);
      expect(uses).toEqual(['read ((User|Team)).name', 'call ((User|Team)).find']);
    },
  );

  test('of a local that is only ever constructed from one class', () => {
    expect(instanceUses('from m import User', 'def f():', '    u = User(1)', '    u.save()')).toEqual([
      'call (User).save',
    ]);
  });

  test('are unknown when the local is also bound to anything else', () => {
    expect(
      instanceUses('from m import User', 'def f():', '    u = User(1)', '    u = g()', '    u.save()'),
    ).toEqual([]);
    expect(instanceUses('def f(u: User):', '    for u in g(): u.save()')).toEqual([]);
    expect(
      instanceUses('def f(u: User):', '    def g():', '        nonlocal u', '        u = 1', '    u.x'),
    ).toEqual([]);
  });

  test('belong to the result of a function that creates the value', () => {
    const made = ['call (make.()).save'];
    expect(instanceUses('from m import make', 'def f():', '    u = make()', '    u.save()')).toEqual(made);
    expect(instanceUses('from m import make', 'def f():', '    make(1).save()')).toEqual(made);
    expect(
      instanceUses('from m import make', 'async def f():', '    u = await make()', '    u.save()'),
    ).toEqual(['call (make.(await)).save']);
    expect(instanceUses('def Make(): pass', 'def f():', '    u = Make()', '    u.save()')).toEqual([
      'call (Make.()).save',
    ]);
  });

  test('are followed through other members', () => {
    expect(instanceUses('def f(u: User): u.team.rename(1)')).toEqual(['call (User).team.rename']);
    expect(instanceUses('def f(u: User): u.a.b.c.d.e(1)')).toEqual(['read (User).a.b.c.d']);
  });

  test('are not followed past a member whose class the function tests or sets', () => {
    const first = ['read (User).team', 'read (User).team'];
    expect(instanceUses('def f(u: User):', '    if isinstance(u.team, A): u.team.a()')).toEqual(first);
    expect(instanceUses('def f(u: User):', '    if hasattr(u.team, "a"): u.team.a()')).toEqual(first);
    expect(instanceUses('def f(u: User):', '    match u.team:', '        case A(): u.team.a()')).toEqual(
      first,
    );
    expect(instanceUses('def f(u: User):', '    u.team = g()', '    u.team.a()')).toEqual([
      'read (User).team?',
    ]);
  });

  test('are not uses when they are assigned', () => {
    expect(instanceUses('def f(u: User):', '    u.name = 1', '    u.count += 1')).toEqual([
      'read (User).count',
    ]);
  });

  test('are guarded after an assignment, which adds the member to the value', () => {
    const [before, after] = factsOf(
      'def f(u: User):',
      '    u.name = u.name.strip()',
      '    return u.name',
    ).uses.filter(({ rootIs }) => rootIs === 'instance');
    expect(before).toMatchObject({ path: ['name'], guarded: false });
    expect(after).toMatchObject({ path: ['name'], guarded: true });
  });

  test('are unknown once the type is narrowed', () => {
    expect(instanceUses('def f(u: User):', '    if isinstance(u, Admin): u.ban()')).toEqual([]);
    expect(instanceUses('def f(u: User):', '    match u:', '        case Admin(): u.ban()')).toEqual([]);
  });

  test('are unknown for *args and **kwargs, whose annotation is of the elements', () => {
    expect(instanceUses('def f(*us: User, **by: User): us.count, by.get')).toEqual([]);
  });
});

describe('super()', () => {
  test('means the only base: its constructor and its methods', () => {
    const lines = [
      'from m import A',
      'class B(A):',
      '    def __init__(self):',
      '        super().__init__(1)',
    ];
    expect(usesOf(...lines, '    def f(self): return super().f(2)')).toEqual([
      'extends A',
      'call A',
      'call (A).f',
    ]);
  });

  test('means nothing known when there are several bases or none', () => {
    const body = '    def __init__(self): super().__init__(1)';
    expect(usesOf('from m import A, C', 'class B(A, C):', body)).toEqual(['extends A', 'extends C']);
    expect(usesOf('class B:', body)).toEqual([]);
  });
});

describe('self and cls', () => {
  test('mean an instance and the class', () => {
    expect(
      usesOf(
        'class A:',
        '    def f(self): return self.x, self.g(1)',
        '    @classmethod',
        '    def h(cls): return cls(1), cls.x',
      ),
    ).toEqual(['read (A).x', 'call (A).g', 'call A', 'read A.x']);
  });

  test('are visible in closures', () => {
    expect(usesOf('class A:', '    def f(self): return [lambda: self.x for _ in []]')).toEqual([
      'read (A).x',
    ]);
  });

  test('name nested classes by their path', () => {
    expect(usesOf('class A:', '    class B:', '        def f(self): return self.x')).toEqual([
      'read (A.B).x',
    ]);
    expect(usesOf('class A:', '    class B:', '        def __new__(cls): return cls.x')).toEqual([
      'read A.B.x',
    ]);
  });

  test('mean nothing in static methods, in classes local to a function, and once re-bound', () => {
    expect(usesOf('class A:', '    @staticmethod', '    def f(self): return self.x')).toEqual([]);
    expect(usesOf('def g():', '    class A:', '        def f(self): return self.x')).toEqual([]);
    expect(usesOf('class A:', '    def f(self):', '        self = 1', '        return self.x')).toEqual([]);
  });

  test('follow convention when a decorator may change what is passed', () => {
    expect(usesOf('class A:', '    @validator', '    def f(cls): return cls.x').at(-1)).toBe('read A.x');
    expect(usesOf('class Meta(type):', '    def f(cls): return cls.x')).toEqual([]);
    expect(usesOf('class A:', '    @wraps', '    def f(this): return this.x')).toEqual(['decorator wraps']);
  });
});

describe('implicit members', () => {
  test('a with statement enters and exits its context manager', () => {
    expect(usesOf('from m import Lock', 'def f():', '    with Lock(): pass')).toEqual([
      'read (Lock).__enter__',
      'read (Lock).__exit__',
      'call Lock',
    ]);
  });

  test('asynchronously when it says so', () => {
    expect(instanceUses('async def f(s: Session):', '    async with s as t: pass')).toEqual([
      'read (Session).__aenter__',
      'read (Session).__aexit__',
    ]);
  });

  test('a loop iterates', () => {
    expect(instanceUses('async def f(s: Rows):', '    for r in s: pass', '    [r async for r in s]')).toEqual(
      ['read (Rows).__iter__', 'read (Rows).__aiter__'],
    );
  });
});

describe('a use that tests for existence is guarded', () => {
  test('after hasattr anywhere in the function', () => {
    expect(instanceUses('def f(u: User):', '    if hasattr(u, "x"): return u.x, u.y')).toEqual([
      'read (User).x?',
      'read (User).x?',
      'read (User).y',
    ]);
  });

  test('for every member when the name is computed', () => {
    expect(instanceUses('def f(u: User, n):', '    if hasattr(u, n): return u.x')).toEqual([
      'read (User).x?',
    ]);
  });

  test('for a module', () => {
    expect(usesOf('import os', 'if hasattr(os, "fork"): os.fork()')).toEqual([
      'read os.fork?',
      'read os',
      'call os.fork?',
    ]);
  });

  test('through getattr', () => {
    expect(instanceUses('def f(u: User): return getattr(u, "x", None)')).toEqual(['read (User).x?']);
  });

  test('in a try that catches AttributeError or NameError, but not in functions defined there', () => {
    expect(
      usesOf(
        'try:',
        '    a.b',
        '    def f(): c.d',
        'except (AttributeError, NameError):',
        '    e.f',
        'try:',
        '    g',
        'except OSError: pass',
      ),
    ).toEqual(['read a.b?', 'read c.d', 'read e.f', 'read g']);
  });

  test('where suppress() swallows the error', () => {
    expect(usesOf('with suppress(AttributeError): a.b')).toEqual(['call suppress', 'read a.b?']);
  });

  test.each([
    ['pytest.raises(AttributeError)', 'read a.b?'],
    ['self.assertRaises((KeyError, AttributeError))', 'read a.b?'],
    ['pytest.raises(Exception, match="b")', 'read a.b?'],
    ['pytest.raises(ValueError)', 'read a.b'],
    ['open(AttributeError)', 'read a.b'],
  ])('with %s: %s', (manager, expected) => {
    expect(usesOf(`with ${manager}: a.b`).at(-1)).toBe(expected);
  });
});

describe('a call need not fit', () => {
  const lastCall = (...lines: string[]) => factsOf(...lines).uses.at(-1);

  test.each([
    ['in a try that catches TypeError', 'try: f(1)\nexcept (TypeError, OSError): pass', true],
    ['in a try that catches something else', 'try: f(1)\nexcept OSError: pass', false],
    ['in the handler', 'try: pass\nexcept TypeError: f(1)', false],
    ['where a test expects TypeError', 'with pytest.raises(TypeError, match="x") as e: f(1)', true],
    ['where a test case expects it', 'with self.assertRaisesRegex(TypeError, "x"): f(1)', true],
    ['where a test expects any failure', 'with pytest.raises(Exception): f(1)', true],
    ['where suppress() swallows TypeError', 'with suppress(TypeError): f(1)', true],
    ['where a test expects something else', 'with pytest.raises(ValueError): f(1)', false],
    ['in a function defined where it is expected', 'with raises(TypeError):\n  def g(): f(1)', false],
  ])('%s', (_, text, isTolerated) => {
    const use = lastCall(text);
    expect(use).toMatchObject({ kind: 'call', root: 'f', guarded: text.includes('(Exception') });
    expect(use?.call === null).toBe(isTolerated);
  });
});
