import { beforeAll, describe, expect, test } from 'vitest';
import { python, pythonStub } from './index.ts';
import { definitionNamed, definitionsOf, factsOf } from './reading.ts';

beforeAll(() => Promise.all([python.prepare(), pythonStub.prepare()]));

describe('definitions', () => {
  test('are functions, classes, members and variables, in source order', () => {
    expect(
      definitionsOf(
        'LIMIT = 3',
        'def f():',
        '    def local(): pass',
        'class A:',
        '    x = 1',
        '    def __init__(self): self.y = 2',
        '    def m(self): pass',
        '    class B:',
        '        def n(self): self.z = 3',
        'async def g(): pass',
      ),
    ).toEqual([
      'variable LIMIT',
      'function f',
      'class A',
      'field A.x',
      'constructor A.__init__',
      'field A.y',
      'method A.m',
      'class A.B',
      'method A.B.n',
      'field A.B.z',
      'function g',
    ]);
  });

  test('span from the line of def to the last line of the body', () => {
    const facts = factsOf('@decorated', 'def f(', '    x,', '):', '    return x', '', 'y = 1');
    expect(definitionNamed(facts, 'f')).toMatchObject({ line: 2, column: 1, endLine: 5 });
  });

  test.each([
    ['several targets', 'a = b = 1', ['variable a', 'variable b']],
    ['tuples', 'a, (b, *c) = v', ['variable a', 'variable b', 'variable c']],
    ['loops', 'for i, j in v: pass', ['variable i', 'variable j']],
    ['with', 'with v as w: pass', ['variable w']],
    ['walrus', 'print(n := 1)', ['variable n']],
    ['declarations', 'x: int', ['variable x']],
    ['global in a function', 'def f():\n    global g\n    g = 1', ['function f', 'variable g']],
    ['type statements', 'type A = int', ['type A']],
    ['type alias annotations', 'A: TypeAlias = int', ['type A']],
  ])('come from %s', (_, text, expected) => {
    expect(definitionsOf(text)).toEqual(expected);
  });

  test('do not come from imports, updates, deletions and exception names', () => {
    expect(definitionsOf('import a', 'a += 1', 'del a', 'try: pass', 'except E as e: pass')).toEqual([]);
  });

  test('know when they are asynchronous, static, abstract or decorated', () => {
    const facts = factsOf(
      'class A:',
      '    @staticmethod',
      '    def s(x): pass',
      '    @classmethod',
      '    async def c(cls): pass',
      '    @app.route("/")',
      '    @abc.abstractmethod',
      '    def a(self): pass',
    );
    expect(definitionNamed(facts, 'A.s')).toMatchObject({ static: true, decorators: ['staticmethod'] });
    expect(definitionNamed(facts, 'A.c')).toMatchObject({ static: true, async: true });
    expect(definitionNamed(facts, 'A.a')).toMatchObject({
      abstract: true,
      decorators: ['app.route', 'abc.abstractmethod'],
    });
  });

  test.each([
    ['if', 'if x:\n    def f(): pass'],
    ['else', 'if x: pass\nelse:\n    def f(): pass'],
    ['try', 'try:\n    def f(): pass\nexcept E: pass'],
    ['except', 'try: pass\nexcept E:\n    def f(): pass'],
    ['TYPE_CHECKING', 'if TYPE_CHECKING:\n    def f(): pass'],
    ['for', 'for x in v:\n    def f(): pass'],
    ['match', 'match v:\n    case 1:\n        def f(): pass'],
  ])('in %s are conditional', (_, text) => {
    expect(definitionNamed(factsOf(text), 'f').conditional).toBe(true);
  });

  test.each(['del f', 'del (x, f)'])('that %s removes again are conditional', (deletion) => {
    const facts = factsOf('x = 1', 'def f(): pass', 'def g(): del h', 'def h(): pass', deletion);
    expect(definitionNamed(facts, 'f').conditional).toBe(true);
    expect(definitionNamed(facts, 'h').conditional).toBe(false);
  });

  test('in finally, with or a class body are not conditional', () => {
    const facts = factsOf(
      'try: pass',
      'finally:',
      '    def f(): pass',
      'with v:',
      '    def g(): pass',
      'class A:',
      '    def h(self): pass',
    );
    expect(facts.definitions.map(({ conditional }) => conditional)).toEqual([false, false, false, false]);
  });

  test('of stubs are ambient', () => {
    const { definitions } = pythonStub.extract('def f(x: int) -> str: ...\n');
    expect(definitions.map(({ name, ambient }) => [name, ambient])).toEqual([['f', true]]);
  });

  test('of one name that belong together are overloads', () => {
    const facts = factsOf(
      '@overload',
      'def f(x: int): ...',
      'def f(x): pass',
      'class A:',
      '    @property',
      '    def p(self): pass',
      '    @p.setter',
      '    def p(self, v): pass',
      '    @property',
      '    def q(self): pass',
      '@f.register',
      'def _(x): pass',
    );
    expect(facts.definitions.map(({ name, kind, overload }) => `${kind} ${name} ${overload}`)).toEqual([
      'function f true',
      'function f true',
      'class A false',
      'accessor p true',
      'accessor p true',
      'accessor q false',
      'function _ true',
    ]);
  });
});

describe('a class', () => {
  const isOpen = (...lines: string[]) => definitionNamed(factsOf(...lines), 'A').members?.open;

  test('lists its bases by name, without type arguments and object', () => {
    const facts = factsOf('class A(object, m.Base, Generic[T], metaclass=ABCMeta): pass');
    expect(definitionNamed(facts, 'A')).toMatchObject({
      bases: ['m.Base', 'Generic'],
      abstract: true,
      members: { open: false },
    });
  });

  test.each([
    ['a base that is computed', 'class A(make()): pass'],
    ['spread bases', 'class A(*bases): pass'],
    ['a metaclass', 'class A(metaclass=M): pass'],
    ['__getattr__', 'class A:\n    def __getattr__(self, n): pass'],
    ['setattr on self', 'class A:\n    def f(self, n): setattr(self, n, 1)'],
    ['__dict__ of self', 'class A:\n    def f(self, d): self.__dict__.update(d)'],
    ['a function that fills self', 'def fill(x): setattr(x, n, 1)\nclass A:\n    def f(self): fill(self)'],
    ['fields that are not declared', 'class A(BaseModel):\n    model_config = ConfigDict(extra="allow")'],
    ['fields that a keyword lets in', 'class A(BaseModel, extra="allow"): pass'],
    [
      'fields that a nested Config lets in',
      'class A(BaseModel):\n    class Config:\n        extra = Extra.allow',
    ],
    ['vars of self', 'class A:\n    def f(self, d): vars(self).update(d)'],
    ['super().__setattr__', 'class A:\n    def f(self, n): super().__setattr__(n, 1)'],
    ['locals() in its body', 'class A:\n    locals()["x"] = 1'],
    ['a member added from outside', 'class A: pass\nA.x = 1'],
    ['setattr on the class', 'class A: pass\nfor n in v: setattr(A, n, 1)'],
  ])('can have members that are not listed because of %s', (_, text) => {
    expect(isOpen(text)).toBe(true);
  });

  test.each([
    ['to a function', 'class A:\n    def f(self): fill(self)'],
    ['by keyword', 'class A:\n    def f(self): m.fill(1, target=self)'],
  ])('is lent when a method passes self away %s', (_, text) => {
    expect(definitionNamed(factsOf(text), 'A').members).toEqual({ open: false, lent: true });
  });

  test.each([
    ['a builtin', 'class A:\n    def f(self): return len(self), isinstance(self, B)'],
    ['its own base', 'class A(m.Base):\n    def __init__(self): m.Base.__init__(self)'],
  ])('stays fully known when self is passed to %s', (_, text) => {
    expect(definitionNamed(factsOf(text), 'A').members).toEqual({ open: false });
  });

  test('is treated as decorated by a metaclass that may do anything', () => {
    const decorators = (metaclass: string) =>
      definitionNamed(factsOf(`@d`, `class A(metaclass=${metaclass}): pass`), 'A').decorators;
    expect(decorators('m.Meta')).toEqual(['d', 'metaclass=m.Meta']);
    expect(decorators('abc.ABCMeta')).toEqual(['d']);
    expect(decorators('EnumMeta')).toEqual(['d']);
  });

  test('is fully known otherwise', () => {
    expect(isOpen('class A(Base):', '    __slots__ = ("x",)', '    def f(self, o): setattr(o, "x", 1)')).toBe(
      false,
    );
  });

  test('that is an enum has enum members', () => {
    expect(
      definitionsOf(
        'class A(enum.StrEnum):',
        '    X = "x"',
        '    Y, Z = "y", "z"',
        '    _ignore_ = []',
        '    note: str',
        '    def f(self): pass',
      ),
    ).toEqual([
      'enum A',
      'enum-member A.X',
      'enum-member A.Y',
      'enum-member A.Z',
      'field A._ignore_',
      'field A.note',
      'method A.f',
    ]);
  });

  test('that is a record marks fields with a default as optional', () => {
    const facts = factsOf(
      '@dataclass(frozen=True)',
      'class A:',
      '    a: int',
      '    b: int = 1',
      '    c: list = field(default_factory=list)',
      '    d: int = field(repr=False)',
      '    e: ClassVar[int] = 1',
    );
    expect(
      facts.definitions.slice(1).map(({ name, optional, static: s }) => `${name} ${optional} ${s}`),
    ).toEqual(['a false false', 'b true false', 'c true false', 'd false false', 'e false true']);
  });
});

describe('fields that methods set', () => {
  test('are listed once, at the first write, unless the class body defines them', () => {
    const facts = factsOf(
      'class A:',
      '    x = 0',
      '    def __init__(self):',
      '        self.x = 1',
      '        self.y, (self.z, _) = 1, (2, 3)',
      '    def f(self):',
      '        self.y = 2',
      '        with g() as self.w: pass',
      '        for self.i in []: pass',
      '        self.n += 1',
    );
    expect(facts.definitions.map(({ name, line }) => `${name} ${line}`)).toEqual([
      'A 1',
      'x 2',
      '__init__ 3',
      'y 5',
      'z 5',
      'f 6',
      'w 8',
      'i 9',
    ]);
  });

  test('include those that frozen classes set with object.__setattr__', () => {
    expect(definitionsOf('class A:', '    def f(self): object.__setattr__(self, "x", 1)').at(-1)).toBe(
      'field A.x',
    );
  });

  test('include those that setattr sets by a literal name', () => {
    expect(definitionsOf('class A:', '    def f(self): setattr(self, "x", 1)').at(-1)).toBe('field A.x');
  });

  test('include those that a factory sets on the instance it creates', () => {
    expect(
      definitionsOf(
        'class A:',
        '    def __new__(cls, v):',
        '        self = super().__new__(cls)',
        '        self.x = v',
        '        return self',
        '    @classmethod',
        '    def make(cls):',
        '        made = cls(1)',
        '        made.y = 2',
        'def build():',
        '    a = A(1)',
        '    a.z = 3',
      ),
    ).toEqual([
      'class A',
      'method A.__new__',
      'field A.x',
      'method A.make',
      'field A.y',
      'function build',
      'field A.z',
    ]);
  });

  test('include slots', () => {
    expect(definitionsOf('class A:', '    __slots__ = ("x", "y")', '    def f(self): self.x = 1')).toEqual([
      'class A',
      'field A.__slots__',
      'field A.x',
      'field A.y',
      'method A.f',
    ]);
  });

  test.each([
    ['an annotation', 'self.x: User = y', 'User'],
    ['a constructor call', 'self.x = Repo(1)', 'Repo'],
    ['an annotated parameter', 'self.x = p', 'Team'],
    ['one type, None aside', 'self.x = None; self.x = Repo(1)', 'Repo'],
    ['nothing certain', 'self.x = p or Repo(1)', null],
    ['two types', 'self.x = p; self.x = Repo(1)', null],
  ])('have the type of %s', (_, statement, type) => {
    const facts = factsOf(
      'from m import Repo',
      'class A:',
      '    def __init__(self, p: Team):',
      `        ${statement}`,
    );
    expect(definitionNamed(facts, 'A.x').type).toBe(type);
  });
});

describe('variables', () => {
  test.each([
    ['x: User = y', 'User'],
    ['x: "m.User | None"', 'm.User'],
    ['x = User()', 'User'],
    ['x: Final = User()', 'User'],
    ['x = user()', 'user.()'],
    ['x: int = 1', null],
    ['x, y = User()', null],
  ])('%s has the type %s', (statement, type) => {
    expect(definitionNamed(factsOf('from m import User, user', statement), 'x').type).toBe(type);
  });
});
