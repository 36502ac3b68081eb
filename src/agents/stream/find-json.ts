import { fencedBlocks } from '#lib/fenced-blocks.ts';
import { parseJson } from '#lib/parse-json.ts';

/** Only the end of a longer answer is searched. */
const longest = 4 * 1024 * 1024;
/** After this many opening braces that start no object, the search stops. */
const mostTries = 500;

/**
 * The JSON object in an agent's answer: the whole text, a fenced block, or an object in the middle of prose. If there
 * are several, the last one that is accepted; undefined if there is none.
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

/** The outermost JSON objects of a text, in order. */
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

/** Where the object that starts here ends; -1 if it does not end. */
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
