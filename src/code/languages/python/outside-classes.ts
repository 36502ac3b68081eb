import type { Facts } from '#code/facts/facts.ts';
import { indexOf } from '#code/facts/facts-index.ts';
import type { OutsideClass } from '#code/languages/dialect.ts';

interface KnownClass {
  readonly members: ReadonlySet<string>;
  readonly isFixed: boolean;
}

const words = (text: string) => text.split(/\s+/).filter((word) => word !== '');

const exception = 'add_note args with_traceback';
const mapping = 'get items keys values';
const mutableMapping = `${mapping} clear pop popitem setdefault update`;
const sequence = 'count index';
const mutableSequence = `${sequence} append clear extend insert pop remove reverse`;
const set = 'add clear discard isdisjoint pop remove';
const number = 'as_integer_ratio conjugate denominator imag numerator real is_integer';
const integer = `${number} bit_count bit_length from_bytes to_bytes`;
const text = `capitalize casefold center count encode endswith expandtabs find format format_map index isalnum isalpha
  isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper join ljust lower lstrip
  maketrans partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines
  startswith strip swapcase title translate upper zfill`;
const enumeration = 'name value mro';
const choices = `${enumeration} choices labels values names label do_not_call_in_templates`;
const model = `model_config model_fields model_computed_fields model_extra model_fields_set model_construct model_copy
  model_dump model_dump_json model_json_schema model_parametrized_name model_post_init model_rebuild model_validate
  model_validate_json model_validate_strings dict json parse_obj parse_raw parse_file from_orm construct copy schema
  schema_json validate update_forward_refs fields Config`;

/** Full names in Python, several per line, and their members. */
const fixed: readonly (readonly [names: string, members: string])[] = [
  ['object abc.ABC typing.Protocol typing.Generic', ''],
  ['typing.NamedTuple', `${sequence} _asdict _replace _make _fields _field_defaults`],
  ['enum.Enum enum.Flag enum.ReprEnum', enumeration],
  ['enum.IntEnum enum.IntFlag', `${enumeration} ${integer}`],
  ['enum.StrEnum', `${enumeration} ${text}`],
  ['str', text],
  ['int', integer],
  ['float', `${number} fromhex hex`],
  ['tuple', sequence],
  ['list', `${mutableSequence} copy sort`],
  ['dict', `${mutableMapping} copy fromkeys`],
  [
    `ArithmeticError AssertionError BaseException BufferError BytesWarning DeprecationWarning EOFError EncodingWarning
    Exception FloatingPointError FutureWarning GeneratorExit ImportWarning IndexError KeyError KeyboardInterrupt
    LookupError MemoryError NotImplementedError OverflowError PendingDeprecationWarning RecursionError ReferenceError
    ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration SyntaxWarning SystemError TypeError UnicodeError
    UnicodeWarning UserWarning ValueError Warning ZeroDivisionError`,
    exception,
  ],
  [
    `BlockingIOError BrokenPipeError ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError
    ConnectionResetError EnvironmentError FileExistsError FileNotFoundError IOError InterruptedError IsADirectoryError
    NotADirectoryError OSError PermissionError ProcessLookupError TimeoutError`,
    `${exception} characters_written errno filename filename2 strerror winerror`,
  ],
  ['AttributeError NameError UnboundLocalError', `${exception} name obj`],
  ['ImportError ModuleNotFoundError', `${exception} msg name path name_from`],
  ['StopIteration', `${exception} value`],
  ['SystemExit', `${exception} code`],
];

/** Later releases may have more. */
const growing: readonly (readonly [names: string, members: string])[] = [
  [
    `typing.Awaitable typing.AsyncIterable typing.AsyncIterator typing.Hashable typing.Iterable typing.Iterator
    typing.Reversible typing.Sized typing.Container typing.Collection typing.Callable contextlib.AbstractContextManager
    contextlib.AbstractAsyncContextManager typing.ContextManager typing.AsyncContextManager`,
    '',
  ],
  ['typing.Generator typing.Coroutine', 'close send throw'],
  ['typing.AsyncGenerator', 'aclose asend athrow'],
  ['typing.Mapping', mapping],
  ['typing.MutableMapping', mutableMapping],
  ['typing.Sequence', sequence],
  ['typing.MutableSequence', mutableSequence],
  ['typing.Set typing.AbstractSet', 'isdisjoint'],
  ['typing.MutableSet', set],
  ['typing.TypedDict', `${mutableMapping} copy fromkeys`],
  ['collections.UserDict', `${mutableMapping} copy fromkeys data`],
  ['collections.OrderedDict', `${mutableMapping} copy fromkeys move_to_end`],
  ['collections.defaultdict', `${mutableMapping} copy fromkeys default_factory`],
  ['collections.UserList', `${mutableSequence} copy sort data`],
  [
    'threading.Thread',
    'daemon getName ident isDaemon is_alive join name native_id run setDaemon setName start',
  ],
  [
    'logging.Handler',
    `acquire addFilter close createLock emit filter filters flush format formatter get_name handle handleError level lock
    name release removeFilter setFormatter setLevel set_name`,
  ],
  ['logging.Filter', 'filter name nlen'],
  [
    'logging.Formatter',
    `converter datefmt default_msec_format default_time_format format formatException formatMessage formatStack
    formatTime usesTime`,
  ],
  [
    'json.JSONEncoder',
    `allow_nan check_circular default encode ensure_ascii indent item_separator iterencode key_separator skipkeys
    sort_keys`,
  ],
  ['ast.NodeVisitor ast.NodeTransformer', 'generic_visit visit visit_Constant'],
  ['django.db.models.TextChoices', `${choices} ${text}`],
  ['django.db.models.IntegerChoices', `${choices} ${integer}`],
  ['pydantic.BaseModel', model],
  ['pydantic.RootModel', `${model} root`],
  ['pydantic.BaseSettings pydantic_settings.BaseSettings', `${model} settings_customise_sources`],
  ['sqlmodel.SQLModel', `${model} metadata set sqlmodel_update`],
];

function* listed(groups: typeof fixed, isFixed: boolean): Generator<[string, KnownClass]> {
  for (const [names, members] of groups) {
    const known = { members: new Set(words(members)), isFixed };
    for (const name of words(names)) yield [name, known];
  }
}

const classes = new Map([...listed(fixed, true), ...listed(growing, false)]);

/** Modules that offer the same classes under another name. */
const sameAs = new Map([
  ['typing_extensions', 'typing'],
  ['collections.abc', 'typing'],
  ['pydantic.v1', 'pydantic'],
  ['pydantic.main', 'pydantic'],
  ['attr', 'attrs'],
]);

/** The class from outside that a base refers to; undefined when it is first-party or unknown. */
export function outsideClass(facts: Facts, base: string): OutsideClass | undefined {
  const names = outsideNames(facts, base);
  const known = names.flatMap((name) => classes.get(name) ?? []);
  if (known.length === 0 || known.length < names.length) return undefined;
  return {
    names,
    members: new Set(known.flatMap(({ members }) => [...members])),
    isFixed: known.every(({ isFixed }) => isFixed),
  };
}

/**
 * The full name of a dotted name: `t.Generic` is `typing.Generic` after `import typing as t`. Several when several imports bind it; an
 * unbound name is a builtin.
 */
export function outsideNames(facts: Facts, dotted: string): string[] {
  const [root = dotted, ...rest] = dotted.split('.');
  const index = indexOf(facts);
  if (index.definitions(null, root).length > 0) return [];
  const imports = index.imports(root);
  if (imports.length === 0) return [dotted];
  return imports.map(({ imported, from }) => {
    if (imported !== '*') return [sameAs.get(from) ?? from, imported, ...rest].join('.');
    const whole = from.startsWith(`${root}.`) ? dotted : [from, ...rest].join('.');
    const last = whole.lastIndexOf('.');
    const module = whole.slice(0, last);
    return `${sameAs.get(module) ?? module}${whole.slice(last)}`;
  });
}
