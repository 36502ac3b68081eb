import type { TypeText } from '#code/languages/shared/type-text.ts';

const other: TypeText = { is: 'other' };

/** Special forms whose first argument is the relevant type. */
export const transparentForms: ReadonlySet<string> = new Set([
  'Optional',
  'Annotated',
  'Final',
  'ClassVar',
  'Required',
  'NotRequired',
  'ReadOnly',
  'InitVar',
]);
/** Subscripted forms of `typing` that do not name the class of the value. */
export const opaqueForms: ReadonlySet<string> = new Set([
  'Literal',
  'Callable',
  'Type',
  'type',
  'Tuple',
  'tuple',
  'Concatenate',
  'TypeGuard',
  'TypeIs',
  'Unpack',
]);
/** Iterating over one of these gives values of the first argument. */
export const collections: ReadonlySet<string> = new Set([
  'list',
  'List',
  'set',
  'Set',
  'frozenset',
  'FrozenSet',
  'Sequence',
  'MutableSequence',
  'Iterable',
  'Iterator',
  'Collection',
  'AbstractSet',
  'MutableSet',
  'deque',
  'Deque',
]);
/** Their arguments: yielded, sent and returned type. */
export const generators: ReadonlySet<string> = new Set([
  'Generator',
  'AsyncGenerator',
  'AsyncIterator',
  'AsyncIterable',
]);
const awaited = /^Async/;

/** `(Opened|Closed)`: the way facts write the type of a value that may be of several classes. */
export function unionText(names: readonly string[]): string {
  return `(${names.join('|')})`;
}

export function isUnionText(type: string): boolean {
  return type.startsWith('(');
}

/** Reads the text of an annotation, or what facts made of one: `Optional[User]`, `list["User | Guest"]`, `(User|Guest)[]`. */
export function readType(text: string): TypeText {
  const parts = split(unquoted(text), '|')?.filter((part) => part !== 'None');
  const [only, ...more] = parts ?? [];
  if (!parts || only === undefined) return other;
  return more.length > 0 ? { is: 'union', of: parts } : readOne(only);
}

function readOne(written: string): TypeText {
  const text = unquoted(written);
  if (text !== written) return readType(text);
  if (/^[A-Za-z_][\w.@]*$/.test(text)) return { is: 'name', name: text, arguments: [] };
  if (text.endsWith('[]')) return { is: 'list', of: text.slice(0, -2) };
  if (text.startsWith('(') && text.endsWith(')')) return readType(text.slice(1, -1));
  const [, name, inner = ''] = /^([A-Za-z_][\w.]*)\s*\[(.*)\]$/.exec(text) ?? [];
  const given = split(inner, ',');
  const [first, ...others] = given ?? [];
  if (name === undefined || !given || first === undefined) return other;
  const form = name.slice(name.lastIndexOf('.') + 1);
  if (transparentForms.has(form)) return readType(first);
  if (form === 'Union') return readType(given.join('|'));
  if (collections.has(form) ? others.length === 0 : generators.has(form) && !awaited.test(form))
    return { is: 'list', of: first };
  return opaqueForms.has(form) || collections.has(form) || generators.has(form)
    ? other
    : { is: 'name', name, arguments: given };
}

function unquoted(text: string): string {
  return /^\s*(["'])(.*)\1\s*$/.exec(text)?.[2]?.trim() ?? text.trim();
}

/** The parts between separators outside of brackets; null where brackets do not match, as in a text that was cut. */
function split(text: string, separator: string): string[] | null {
  const parts = [''];
  let depth = 0;
  for (const character of text) {
    if ('[('.includes(character)) depth++;
    else if ('])'.includes(character) && --depth < 0) return null;
    if (character === separator && depth === 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return depth === 0 ? parts.map((part) => part.trim()) : null;
}
