import { awaitedResult, plainResult } from '#code/languages/shared/results.ts';
import type { TypeText } from '#code/languages/shared/type-text.ts';

const other: TypeText = { is: 'other' };

/** Wrappers that keep the members of their argument; `Omit` and `Pick` take some away, and never add one. */
const sameMembers = new Set(['Readonly', 'Partial', 'Required', 'NonNullable', 'Omit', 'Pick']);
const lists = new Set(['Array', 'ReadonlyArray', 'Set', 'ReadonlySet']);
const maps = new Set(['Map', 'ReadonlyMap']);
const ofLanguage = new Set([...sameMembers, ...lists, ...maps, 'Record', 'ReturnType', 'Awaited']);

/** Whether the file has a type of its own with the name of one of the language: `type Partial<T> = …`. */
type IsOwn = (name: string) => boolean;

/** Reads the normalised text of a type. A text that was cut has an open bracket and says nothing. */
export function readType(text: string, isOwn: IsOwn = () => false): TypeText {
  const parts = splitType(text, '|')?.filter((part) => !/^(?:null|undefined)?$/.test(part));
  if (!parts || parts.length === 0) return other;
  const [only = '', ...more] = parts;
  if (more.length > 0) return { is: 'union', of: parts };
  const all = splitType(only, '&') ?? [];
  return all.length > 1 ? { is: 'intersection', of: all } : readOne(only, isOwn);
}

function readOne(text: string, isOwn: IsOwn): TypeText {
  if (text.startsWith('readonly ')) return readOne(text.slice('readonly '.length).trim(), isOwn);
  if (text.endsWith('[]')) {
    const of = text.slice(0, -2).trim();
    return isWhole(of) ? { is: 'list', of } : other;
  }
  if (text.startsWith('(') && text.endsWith(')'))
    return isWhole(text) ? readType(text.slice(1, -1), isOwn) : other;
  const [, name, written] = /^([A-Za-z_$][\w$.]*)(?:<(.*)>)?$/s.exec(text) ?? [];
  if (name === undefined) return other;
  const given = written === undefined ? [] : splitType(written, ',');
  if (given === null) return other;
  return named(name, given, isOwn);
}

function named(name: string, given: readonly string[], isOwn: IsOwn): TypeText {
  const [first, second] = given;
  const plain: TypeText = { is: 'name', name, arguments: given };
  if (first === undefined || !ofLanguage.has(name) || isOwn(name)) return plain;
  if (sameMembers.has(name)) return readType(first, isOwn);
  if (lists.has(name)) return { is: 'list', of: first };
  if (maps.has(name)) return second === undefined ? plain : { is: 'map', of: second };
  if (name === 'Record') return second === undefined ? plain : { is: 'record', of: second };
  const result = resultName(name, first, isOwn);
  return result === null ? plain : { is: 'name', name: result, arguments: [] };
}

/** `ReturnType<typeof load>` is the result of the function, `load.()`, and `Awaited<…>` of it what a promise gives. */
function resultName(name: string, given: string, isOwn: IsOwn): string | null {
  const [, callee] = /^typeof ([A-Za-z_$][\w$.]*)$/.exec(name === 'ReturnType' ? given : '') ?? [];
  if (callee !== undefined) return `${callee}.${plainResult}`;
  const [, awaited] = /^ReturnType<typeof ([A-Za-z_$][\w$.]*)>$/.exec(name === 'Awaited' ? given : '') ?? [];
  return awaited === undefined || isOwn('ReturnType') ? null : `${awaited}.${awaitedResult}`;
}

/** A name, or something in one pair of brackets. */
function isWhole(text: string): boolean {
  if (/^[\w$.]+$/.test(text)) return true;
  const parts = splitType(text, '|');
  if (parts?.length !== 1) return false;
  if (!text.startsWith('('))
    return /^[\w$.]+<.*>$/s.test(text) || text.endsWith('[]') || text.startsWith('{');
  return splitType(text.slice(1, -1), '|') !== null;
}

const opening = '([{<';
const closing = ')]}>';

/** The parts of a type between separators outside of brackets, trimmed; null where brackets do not match. */
export function splitType(text: string, separator: string): string[] | null {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string;
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (`'"\``.includes(character)) quote = character;
    else if (opening.includes(character)) depth++;
    else if (closing.includes(character) && !(character === '>' && text[at - 1] === '=')) {
      if (--depth < 0) return null;
    } else if (depth === 0 && character === separator) {
      parts.push(text.slice(from, at).trim());
      from = at + 1;
    }
  }
  if (depth !== 0 || quote !== '') return null;
  parts.push(text.slice(from).trim());
  return parts;
}
