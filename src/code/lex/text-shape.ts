import { classes, finish, hashWord, QUOTE, SPACE, WORD } from './lexemes.ts';
import type { Tokens } from './tokens.ts';

/** Ranges of tokens by what they look like: extractors hash and describe every definition of a file with these. */

export const SKETCH_SIZE = 16;
const SHINGLE = 5;
const FACTOR = 0x9e3779b1;
/** What the oldest of five tokens has been multiplied with by now. */
const DROPPED = Math.imul(Math.imul(FACTOR, FACTOR), Math.imul(FACTOR, FACTOR));
const OWN_NAME = 0x5f3759df;

/** What a range of tokens looks like, whatever it is called. */
export interface Shape {
  /** 53 bits over the tokens, as many as a number holds exactly. */
  readonly hash: number;
  /** The smallest distinct hashes of five consecutive tokens, ascending: compare two with `similarity`. */
  readonly sketch: number[];
}

/** The shape of the tokens that start in `[start, end)`. `ownName` is replaced, so a rename leaves the shape unchanged. */
export function shapeRange(tokens: Tokens, start: number, end: number, ownName: string | null = null): Shape {
  const own = ownName === null ? 0 : hashWord(ownName);
  const { hash, start: starts, count } = tokens;
  const sketch: number[] = [];
  /** What is larger is not kept. */
  let limit = NO_LIMIT;
  let low = 0x811c9dc5;
  let high = 0x41c6ce57;
  // The last tokens, oldest first, and a hash over them that is carried on from one to the next.
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let e = 0;
  let rolling = 0;
  let seen = 0;
  for (let i = firstToken(tokens, start); i < count && (starts[i] as number) < end; i++) {
    let token = hash[i] as number;
    if (token === 0) continue;
    if (token === own) token = OWN_NAME;
    low = Math.imul(low ^ token, 0x01000193);
    high = Math.imul(high ^ (token >>> 7) ^ (token << 25), 0x5bd1e995);
    high ^= high >>> 15;
    rolling = (Math.imul(rolling - Math.imul(a, DROPPED), FACTOR) + token) | 0;
    a = b;
    b = c;
    c = d;
    d = e;
    e = token;
    if (++seen >= SHINGLE) {
      const value = spread(rolling);
      if (value <= limit) limit = keepSmallest(sketch, value);
    }
  }
  if (seen > 0 && seen < SHINGLE) keepSmallest(sketch, spread(rolling));
  return { hash: joined(finish(high), finish(low)), sketch };
}

/** The hash alone of a range. */
export function hashRange(tokens: Tokens, start: number, end: number, ownName: string | null = null): number {
  if (start >= end) return NO_TOKENS;
  const own = ownName === null ? 0 : hashWord(ownName);
  const { hash, start: starts, count } = tokens;
  let low = 0x811c9dc5;
  let high = 0x41c6ce57;
  for (let i = firstToken(tokens, start); i < count && (starts[i] as number) < end; i++) {
    let token = hash[i] as number;
    if (token === 0) continue;
    if (token === own) token = OWN_NAME;
    low = Math.imul(low ^ token, 0x01000193);
    high = Math.imul(high ^ (token >>> 7) ^ (token << 25), 0x5bd1e995);
    high ^= high >>> 15;
  }
  return joined(finish(high), finish(low));
}

/** The hash of a range without tokens. */
export const NO_TOKENS = joined(finish(0x41c6ce57), finish(0x811c9dc5));

/** Estimated Jaccard similarity of two token ranges, 0 to 1, from their sketches. */
export function similarity(left: readonly number[], right: readonly number[]): number {
  if (left.length === 0 && right.length === 0) return 1;
  // Two short sketches hold everything there is, so their union is compared as a whole.
  const isComplete = left.length < SKETCH_SIZE && right.length < SKETCH_SIZE;
  const size = isComplete ? left.length + right.length : SKETCH_SIZE;
  let i = 0;
  let j = 0;
  let union = 0;
  let shared = 0;
  while (union < size && (i < left.length || j < right.length)) {
    const l = left[i] ?? Number.POSITIVE_INFINITY;
    const r = right[j] ?? Number.POSITIVE_INFINITY;
    if (l === r) shared++;
    if (l <= r) i++;
    if (r <= l) j++;
    union++;
  }
  return shared / union;
}

/** The text of a range in one spelling, whatever its line breaks, spaces, comments and trailing commas. */
export function normalText(tokens: Tokens, start: number, end: number, limit: number): string {
  const { text, codes, start: starts, end: ends, hash, count } = tokens;
  let i = firstToken(tokens, start);
  // `| A | B` over several lines begins with an operator that means nothing.
  while (i < count && (ends[i] as number) <= end && isLoose(codes[starts[i] as number] as number)) i++;
  if (i >= count || (starts[i] as number) >= end) return '';
  let out = '';
  // What is spelled that way already is taken over in one piece.
  let from = starts[i] as number;
  let before = ends[i] as number;
  for (i++; i < count && (starts[i] as number) < end && out.length + before - from <= limit; i++) {
    const at = starts[i] as number;
    const isLast = i + 1 >= count || (starts[i + 1] as number) >= end;
    if (hash[i] === 0 && (isLast || codes[starts[i + 1] as number] === BRACE_CLOSE)) continue;
    const space = isSpaced(codes, before, at) ? 1 : 0;
    if (at - before !== space || (space === 1 && codes[before] !== SPACE)) {
      out += text.slice(from, before);
      if (space === 1) out += ' ';
      from = at;
    }
    before = ends[i] as number;
  }
  out += text.slice(from, before);
  return out.length > limit ? out.slice(0, limit) : out;
}

const is = (character: string) => character.charCodeAt(0);
const COMMA = is(',');
const COLON = is(':');
const SEMICOLON = is(';');
const EQUALS = is('=');
const GREATER = is('>');
const PAREN_CLOSE = is(')');
const BRACKET_CLOSE = is(']');
const BRACE_CLOSE = is('}');
const BACKTICK = is('`');
const BAR = is('|');
const AMPERSAND = is('&');

const isWord = (code: number) =>
  code >= 128 || classes[code] === WORD || classes[code] === QUOTE || code === BACKTICK;
const isLoose = (code: number) => code === BAR || code === AMPERSAND;

/** Whether one space stands between the token that ends at `end` and the one that starts at `start`. */
function isSpaced(codes: Uint16Array, end: number, start: number): boolean {
  const left = codes[end - 1] as number;
  const right = codes[start] as number;
  if (left === COMMA || left === COLON || left === SEMICOLON) return true;
  if (left === GREATER && codes[end - 2] === EQUALS) return true;
  if (left === EQUALS) return right !== GREATER && right !== EQUALS;
  if (right === EQUALS)
    return isWord(left) || left === PAREN_CLOSE || left === BRACKET_CLOSE || left === BRACE_CLOSE;
  if (isLoose(left) !== isLoose(right)) return true;
  return isWord(left) && isWord(right);
}

function firstToken(tokens: Tokens, offset: number): number {
  const { start } = tokens;
  let low = 0;
  let high = tokens.count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((start[middle] as number) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

const NO_LIMIT = 0x7fff_ffff;

/** Adds a value that is not above the limit; returns the limit from now on. */
function keepSmallest(kept: number[], value: number): number {
  const full = kept.length === SKETCH_SIZE;
  let at = kept.length;
  while (at > 0 && (kept[at - 1] as number) > value) at--;
  if (at === 0 || kept[at - 1] !== value) {
    let last = full ? SKETCH_SIZE - 1 : kept.length;
    if (!full) kept.push(0);
    for (; last > at; last--) kept[last] = kept[last - 1] as number;
    kept[at] = value;
  }
  return kept.length === SKETCH_SIZE ? (kept[SKETCH_SIZE - 1] as number) - 1 : NO_LIMIT;
}

/** 31 bits: small integers in V8, no boxed numbers. */
function spread(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 13)) >>> 1;
}

/** Two hashes of 32 bits as one number. */
export function joined(high: number, low: number): number {
  return (high >>> 11) * 2 ** 32 + (low >>> 0);
}
