/** The kind of a value, whatever the language calls its type: `varchar(20)`, `str` and `String` are `text`. */
export function familyOf(type: string | null): 'text' | 'number' | 'boolean' | 'time' | 'list' | null {
  const plain = (type ?? '').toLowerCase().replace(/\(.{0,200}\)$/, '');
  if (plain.endsWith('[]') || /^(?:array|list)\b/.test(plain)) return 'list';
  if (/^(?:text|string|str|varchar|char|citext|uuid|email|url|slug|id)$/.test(plain)) return 'text';
  if (
    /^(?:int|integer|bigint|smallint|serial|bigserial|float|double|double precision|real|number|numeric|decimal|int32|int64|uint32|uint64|biginteger|smallinteger|positiveinteger)$/.test(
      plain,
    )
  )
    return 'number';
  if (/^(?:bool|boolean)$/.test(plain)) return 'boolean';
  return /^(?:date|datetime|timestamp|timestamptz|time)$/.test(plain) ? 'time' : null;
}

/** `name` and `display_name`, `mail` and `userMail`: all words of one are words of the other. */
export function areRelated(one: string, other: string): boolean {
  const [a, b] = [wordsOf(one), wordsOf(other)];
  const [few, many] = a.length <= b.length ? [a, b] : [b, a];
  return few.length < many.length && few.every((word) => many.includes(word)) && !vague.test(few.join(' '));
}

/** Words that occur in many names without making them the same thing. */
const vague = /^(?:id|type|at|by|is|has|key|value|count|data)$/;

function wordsOf(name: string): string[] {
  return name
    .replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`)
    .toLowerCase()
    .split(/[_-]+/)
    .filter((word) => word !== '');
}
