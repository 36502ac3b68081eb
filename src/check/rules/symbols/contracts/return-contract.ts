import type { ChangedCall } from '#check/members/changed-calls.ts';
import type { BrokenContract } from '#check/rules/symbols/contracts.ts';
import type { CallShape } from '#code/facts/facts.ts';
import { symbolPath } from '#code/facts/facts-index.ts';

/** S07: what a function says it gives back has changed, and the new call relies on the old result. */
export function changedReturn({ consumer, provider, before, now }: ChangedCall): BrokenContract | null {
  const call = now.use.call;
  const old = before.definition.signature?.returns ?? null;
  const current = now.definition.signature?.returns ?? null;
  // An annotation that appears or goes says nothing about the value.
  if (!call || old === null || current === null || old === current) return null;
  const broken = difference(awaitedType(old), awaitedType(current), call);
  if (broken === null) return null;
  const name = symbolPath(now.definition);
  return {
    rule: 'S07',
    statement: `${name} returns ${current}, not ${old}: ${broken}`,
    message: `${name} returns ${current} on ${provider.ref}, it was ${old}; ${consumer.ref} relies on that: ${broken}`,
    suggestion: `handle ${current} where ${name} is called`,
  };
}

function difference(old: string, current: string, call: CallShape): string | null {
  if (call.unpacked !== null) {
    const length = tupleLength(current);
    if (length !== null && length !== call.unpacked && tupleLength(old) === call.unpacked)
      return `it takes the result apart into ${call.unpacked}`;
    if (isObject(current) && tupleLength(old) !== null) return 'it takes the result apart as a list';
  }
  if (call.result === 'member' && isObject(old) && tupleLength(current) !== null)
    return 'it reads members of the result';
  if (call.result === 'dropped' || call.result === 'tested') return null;
  if (isNothing(current) && !isNothing(old)) return 'it uses the result';
  if (call.result === 'member' && mayBeNothing(current) && !mayBeNothing(old))
    return 'it reads from the result without asking whether there is one';
  if (call.result === 'member' && isList(current) !== isList(old) && !mayBeNothing(old))
    return isList(current) ? 'it expects one value' : 'it expects a list';
  return null;
}

/** What comes out of awaiting it: the rest is for the rule about asynchronous functions. */
function awaitedType(type: string): string {
  return /^(?:Promise|PromiseLike)\s*<(.*)>$/.exec(type)?.[1]?.trim() ?? type;
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

/** Written out, in an annotation or by every `return` of a hook. */
function isObject(type: string): boolean {
  return type.startsWith('{') && type.endsWith('}');
}

function tupleLength(type: string): number | null {
  const inner =
    /^(?:readonly\s+)?\[(.*)\]$/s.exec(type)?.[1] ?? /^(?:\w+\.)?[tT]uple\s*\[(.*)\]$/s.exec(type)?.[1];
  if (inner === undefined || inner.includes('...')) return null;
  return split(inner, ',').filter((part) => part.trim() !== '').length;
}

/** The parts of a union, brackets aside. */
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
