import type { CallShape } from '#code/facts/facts.ts';
import { readsResult } from './contract.ts';

/** What a call expects from the old result and no longer gets; null when it works with both. */
export function brokenExpectation(before: string, now: string, call: CallShape): string | null {
  return difference(awaitedType(before), awaitedType(now), call);
}

function difference(old: string, current: string, call: CallShape): string | null {
  // A loop takes apart what the result holds, not the result.
  if (call.unpacked !== null && call.result !== 'iterated') {
    const length = tupleLength(current);
    if (length !== null && length !== call.unpacked && tupleLength(old) === call.unpacked)
      return `it destructures the result into ${call.unpacked} values`;
    if (isObject(current) && tupleLength(old) !== null) return 'it destructures the result as a list';
    if (isOnePartOf(old, current)) return `it destructures the result into ${call.unpacked} values`;
  }
  if (readsResult(call) && isObject(old) && tupleLength(current) !== null)
    return 'it reads members of the result';
  if (call.result === 'member' && isPythonTuple(current) && tupleLength(old) === null)
    return 'it reads members of the result';
  if (call.result === 'dropped' || call.result === 'tested') return null;
  if (isNothing(current) && !isNothing(old)) return 'it uses the result';
  if (readsResult(call) && mayBeNothing(current) && !mayBeNothing(old))
    return 'it uses the result without checking that there is one';
  if (readsResult(call) && isList(current) !== isList(old) && !mayBeNothing(old))
    return isList(current) ? 'it expects one value' : 'it expects a list';
  return null;
}

/** The type after awaiting it: the rule about asynchronous functions covers the rest. */
function awaitedType(type: string): string {
  return /^(?:Promise|PromiseLike)\s*<(.*)>$/.exec(type)?.[1]?.trim() ?? type;
}

/** Tuples have no members of their own; those of TypeScript are arrays. */
function isPythonTuple(type: string): boolean {
  return /^(?:\w+\.)?[tT]uple\s*\[/.test(type) && tupleLength(type) !== null;
}

function isNothing(type: string): boolean {
  return /^(?:void|undefined|null|None|never)$/.test(type);
}

function mayBeNothing(type: string): boolean {
  if (/^(?:any|unknown|Any|object)$/.test(type)) return true;
  return /^(?:\w+\.)?Optional\s*\[/.test(type) || alternatives(type).some(isNothing);
}

function isList(type: string): boolean {
  return (
    /\[\s*\]$/.test(type) ||
    /^(?:Readonly)?Array\s*<|^(?:\w+\.)?(?:list|List|Sequence|Iterable)\s*\[/.test(type)
  );
}

/** An inline object type, or the object that every `return` of a hook returns. */
function isObject(type: string): boolean {
  return type.startsWith('{') && type.endsWith('}');
}

/** `[Response, User]` became `User`. */
function isOnePartOf(old: string, current: string): boolean {
  return !isList(current) && !/^(?:any|Any)$/.test(current) && tupleParts(old)?.includes(current) === true;
}

export function tupleLength(type: string): number | null {
  return tupleParts(type)?.length ?? null;
}

function tupleParts(type: string): string[] | null {
  const inner =
    /^(?:readonly\s+)?\[(.*)\]$/s.exec(type)?.[1] ?? /^(?:\w+\.)?[tT]uple\s*\[(.*)\]$/s.exec(type)?.[1];
  if (inner === undefined || inner.includes('...')) return null;
  return split(inner, ',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** The top-level parts of a union type. */
function alternatives(type: string): string[] {
  return split(/^(?:\w+\.)?Union\s*\[(.*)\]$/s.exec(type)?.[1]?.replaceAll(',', '|') ?? type, '|').map(
    (part) => part.trim(),
  );
}

function split(text: string, separator: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const character of text) {
    if ('[{(<'.includes(character)) depth++;
    else if (']})>'.includes(character)) depth--;
    if (character === separator && depth === 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts;
}
