import { fencedBlocks } from '#lib/fenced-blocks.ts';
import { parseJson } from '#lib/parse-json.ts';

/** Of an answer that is longer only the end is looked at. */
const longest = 4 * 1024 * 1024;
/** An answer with more opening braces than this that begin nothing is no answer. */
const mostTries = 500;

/**
 * The JSON object in what an agent said: the whole text, a fenced block, or an object in the middle of prose. Where there
 * are several, the last one that is accepted; undefined when there is none.
 */
export function findJson(text: string, accepts: (value: unknown) => boolean = isObject): unknown {
  const whole = parseJson(text.trim());
  if (whole !== undefined && accepts(whole)) return whole;
  const end = text.slice(-longest);
  const fenced = fencedBlocks(end).map(({ body }) => parseJson(body));
  const inProse = objectsIn(end);
  return [...fenced.toReversed(), ...inProse.toReversed()].find(
    (value) => value !== undefined && accepts(value),
  );
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The outermost objects of a text that are JSON, in order. */
function objectsIn(text: string): unknown[] {
  const found: unknown[] = [];
  let tries = 0;
  for (let at = text.indexOf('{'); at >= 0 && tries < mostTries; tries++) {
    const end = closingBrace(text, at);
    const value = end < 0 ? undefined : parseJson(text.slice(at, end + 1));
    if (value !== undefined) found.push(value);
    at = text.indexOf('{', value === undefined ? at + 1 : end + 1);
  }
  return found;
}

/** Where the object that begins here ends; -1 when it does not. */
function closingBrace(text: string, start: number): number {
  let depth = 0;
  let isInString = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (isInString) {
      if (character === '\\') at++;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === '{') depth++;
    else if (character === '}' && --depth === 0) return at;
  }
  return -1;
}
