import { classes, finish, hashWord, quoteClass, spaceCode, wordClass } from './lexemes.ts';
import type { Tokens } from './tokens.ts';

/** The shape of token ranges: extractors hash and describe every definition of a file with these. */

export const sketchSize = 16;
const shingle = 5;
const factor = 0x9e3779b1;
/** The factor of the oldest of five tokens in the rolling hash. */
const dropped = Math.imul(Math.imul(factor, factor), Math.imul(factor, factor));
const ownNameCode = 0x5f3759df;

/** The shape of a range of tokens, independent of its name. */
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
  /** Larger values are dropped. */
  let limit = noLimit;
  let low = 0x811c9dc5;
  let high = 0x41c6ce57;
  // The last tokens, oldest first, and a rolling hash over them.
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
    if (token === own) token = ownNameCode;
    low = Math.imul(low ^ token, 0x01000193);
    high = Math.imul(high ^ (token >>> 7) ^ (token << 25), 0x5bd1e995);
    high ^= high >>> 15;
    rolling = (Math.imul(rolling - Math.imul(a, dropped), factor) + token) | 0;
    a = b;
    b = c;
    c = d;
    d = e;
    e = token;
    if (++seen >= shingle) {
      const value = spread(rolling);
      if (value <= limit) limit = keepSmallest(sketch, value);
    }
  }
  if (seen > 0 && seen < shingle) keepSmallest(sketch, spread(rolling));
  return { hash: joined(finish(high), finish(low)), sketch };
}

/** Only the hash of a range. */
export function hashRange(tokens: Tokens, start: number, end: number, ownName: string | null = null): number {
  if (start >= end) return noTokens;
  const own = ownName === null ? 0 : hashWord(ownName);
  const { hash, start: starts, count } = tokens;
  let low = 0x811c9dc5;
  let high = 0x41c6ce57;
  for (let i = firstToken(tokens, start); i < count && (starts[i] as number) < end; i++) {
    let token = hash[i] as number;
    if (token === 0) continue;
    if (token === own) token = ownNameCode;
    low = Math.imul(low ^ token, 0x01000193);
    high = Math.imul(high ^ (token >>> 7) ^ (token << 25), 0x5bd1e995);
    high ^= high >>> 15;
  }
  return joined(finish(high), finish(low));
}

/** The hash of a range without tokens. */
export const noTokens = joined(finish(0x41c6ce57), finish(0x811c9dc5));

/** Estimated Jaccard similarity of two token ranges, 0 to 1, from their sketches. */
export function similarity(
  left: readonly number[],
  right: readonly number[],
  most: number = sketchSize,
): number {
  if (left.length === 0 && right.length === 0) return 1;
  // Two short sketches are complete, so their whole union is compared.
  const isComplete = left.length < most && right.length < most;
  const size = isComplete ? left.length + right.length : most;
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

/** The text of a range in one spelling, independent of line breaks, spaces, comments and trailing commas. */
export function normalText(tokens: Tokens, start: number, end: number, limit: number): string {
  const { text, codes, start: starts, end: ends, hash, count } = tokens;
  let i = firstToken(tokens, start);
  // `| A | B` over several lines starts with an operator without meaning.
  while (i < count && (ends[i] as number) <= end && isLoose(codes[starts[i] as number] as number)) i++;
  if (i >= count || (starts[i] as number) >= end) return '';
  let out = '';
  // Parts that already have this spelling are copied in one piece.
  let from = starts[i] as number;
  let before = ends[i] as number;
  for (i++; i < count && (starts[i] as number) < end && out.length + before - from <= limit; i++) {
    const at = starts[i] as number;
    const isLast = i + 1 >= count || (starts[i + 1] as number) >= end;
    if (hash[i] === 0 && (isLast || codes[starts[i + 1] as number] === braceClose)) continue;
    const space = isSpaced(codes, before, at) ? 1 : 0;
    if (at - before !== space || (space === 1 && codes[before] !== spaceCode)) {
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
const comma = is(',');
const colon = is(':');
const semicolon = is(';');
const equals = is('=');
const greater = is('>');
const parenClose = is(')');
const bracketClose = is(']');
const braceClose = is('}');
const backtick = is('`');
const bar = is('|');
const ampersand = is('&');

const isWord = (code: number) =>
  code >= 128 || classes[code] === wordClass || classes[code] === quoteClass || code === backtick;
const isLoose = (code: number) => code === bar || code === ampersand;

/** Whether one space belongs between the token that ends at `end` and the one that starts at `start`. */
function isSpaced(codes: Uint16Array, end: number, start: number): boolean {
  const left = codes[end - 1] as number;
  const right = codes[start] as number;
  if (left === comma || left === colon || left === semicolon) return true;
  if (left === greater && codes[end - 2] === equals) return true;
  if (left === equals) return right !== greater && right !== equals;
  if (right === equals)
    return isWord(left) || left === parenClose || left === bracketClose || left === braceClose;
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

const noLimit = 0x7fff_ffff;

/** Adds a value that is not above the limit; returns the new limit. */
function keepSmallest(kept: number[], value: number): number {
  const full = kept.length === sketchSize;
  let at = kept.length;
  while (at > 0 && (kept[at - 1] as number) > value) at--;
  if (at === 0 || kept[at - 1] !== value) {
    let last = full ? sketchSize - 1 : kept.length;
    if (!full) kept.push(0);
    for (; last > at; last--) kept[last] = kept[last - 1] as number;
    kept[at] = value;
  }
  return kept.length === sketchSize ? (kept[sketchSize - 1] as number) - 1 : noLimit;
}

/** 31 bits: small integers in V8, no boxed numbers. */
function spread(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 13)) >>> 1;
}

/** Combines two 32-bit hashes into one number. */
export function joined(high: number, low: number): number {
  return (high >>> 11) * 2 ** 32 + (low >>> 0);
}
