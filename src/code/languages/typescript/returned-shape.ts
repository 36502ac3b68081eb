import { childIn, type Reading } from './reading.ts';
import { Kind, Role } from './tree/grammar.ts';

/** Names of hooks, whose callers destructure the result. */
const hook = /^use[A-Z]/;

/**
 * The result of a hook without a return type, when every `return` lists it: `[?, ?]` for two values, `{ ? }` for an object. As good as an
 * annotation for callers that destructure it.
 */
export function returnedShape(reading: Reading, callable: number, name: string): string | null {
  if (!hook.test(name)) return null;
  const { tree } = reading;
  const body = childIn(tree, callable, Role.body);
  if (body < 0) return null;
  if (tree.kind[body] !== Kind.FunctionBody) return shapeOf(reading, body);
  let shape: string | null = null;
  const end = tree.after[body] as number;
  for (let node = body + 1; node < end; node++) {
    const kind = tree.kind[node];
    if (kind === Kind.Function || kind === Kind.Arrow || kind === Kind.Class)
      node = (tree.after[node] as number) - 1;
    else if (kind === Kind.Return) {
      const returned = tree.after[node] === node + 1 ? null : shapeOf(reading, node + 1);
      if (returned === null || (shape !== null && shape !== returned)) return null;
      shape = returned;
    }
  }
  return shape;
}

function shapeOf({ tree, text }: Reading, value: number): string | null {
  const written = text.slice(tree.start[value] as number, tree.end[value] as number).replace(/^[\s(]+/, '');
  if (written.startsWith('{')) return '{ ? }';
  const length = written.startsWith('[') ? elementsIn(written) : null;
  return length === null ? null : `[${Array.from({ length }, () => '?').join(', ')}]`;
}

const opening = '([{';
const closing = ')]}';

/** Number of elements of the list at the start of a text; null when some are spread in, or the end is not found. */
function elementsIn(text: string): number | null {
  let depth = 0;
  let commas = 0;
  let isEmpty = true;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string;
    if (`'"\``.includes(character)) at = endOfQuote(text, at);
    else if (opening.includes(character)) depth++;
    else if (closing.includes(character)) depth--;
    if (depth === 0) return isEmpty ? 0 : commas + 1;
    if (depth !== 1 || /\s/.test(character) || at === 0) continue;
    if (text.startsWith('...', at)) return null;
    if (character === ',') commas += /^,\s*\]/.test(text.slice(at)) ? 0 : 1;
    else isEmpty = false;
  }
  return null;
}

function endOfQuote(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === text[start]) return at;
  }
  return text.length;
}
