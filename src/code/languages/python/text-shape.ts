import { joined } from '#code/lex/text-shape.ts';
import type { TokenKind, TokenSink } from './tokens.ts';

/** A range of code as a hash of its tokens and a sketch to estimate the similarity of two ranges. */
export interface TextShape {
  readonly hash: number;
  readonly sketch: readonly number[];
}

/** The tokens of a file in normal form: where each starts, and a number for its text. */
export interface NormalForm {
  readonly starts: readonly number[];
  readonly hashes: readonly number[];
}

const shingle = 5;
const sketchSize = 32;

/** Shape of `text[start, end)`: comments, docstrings, white space, quote style and trailing commas do not count. */
export function shapeOf(form: NormalForm, start: number, end: number): TextShape {
  const from = firstAtOrAfter(form.starts, start);
  const to = firstAtOrAfter(form.starts, end);
  return { hash: hashOf(form.hashes, from, to), sketch: sketchOf(form.hashes, from, to) };
}

/** Only the hash, for ranges that are never compared by similarity. */
export function hashOfText(form: NormalForm, start: number, end: number): number {
  return hashOf(form.hashes, firstAtOrAfter(form.starts, start), firstAtOrAfter(form.starts, end));
}

/**
 * Builds the normal form from tokens. Block structure counts, because moving a line into an `if` changes what the code
 * does.
 */
export class NormalFormBuilder implements TokenSink {
  readonly form = new NormalLines();
  readonly #text: string;
  readonly #brackets: { commas: number; dropsComma: boolean }[] = [];
  #lastKind: TokenKind = 'newline';
  #lastChar = '';

  constructor(text: string) {
    this.#text = text;
  }

  token(kind: TokenKind, start: number, end: number): void {
    if (kind === 'newline' || kind === 'indent' || kind === 'dedent') {
      this.form.structure(kind, start);
    } else {
      const text = this.#text;
      const char = end - start === 1 ? (text[start] ?? '') : '';
      if (kind === 'operator') this.#bracket(char);
      const hash = kind === 'string' ? hashString(text, start, end) : hashRange(text, start, end, 0x811c9dc5);
      this.form.add(kind, start, hash);
      this.#lastChar = char;
    }
    this.#lastKind = kind;
  }

  /** `(1,)` is a tuple, but `(1, 2,)` and `f(1,)` mean the same without the last comma. */
  #bracket(char: string): void {
    const brackets = this.#brackets;
    const lastKind = this.#lastKind;
    const lastChar = this.#lastChar;
    if (char === '(' || char === '[' || char === '{') {
      const isCall = lastKind === 'name' || lastChar === ')' || lastChar === ']';
      brackets.push({ commas: 0, dropsComma: char !== '(' || isCall });
    } else if (char === ')' || char === ']' || char === '}') {
      const bracket = brackets.pop();
      if (lastChar === ',' && bracket && (bracket.dropsComma || bracket.commas > 1)) this.form.dropLast();
    } else if (char === ',') {
      const bracket = brackets.at(-1);
      if (bracket !== undefined) bracket.commas++;
    }
  }
}

/** Collects tokens line by line and drops lines that consist only of strings: docstrings. */
class NormalLines implements NormalForm {
  readonly starts: number[] = [];
  readonly hashes: number[] = [];
  #lineStart = 0;
  #onlyStrings = true;

  add(kind: TokenKind, start: number, hash: number): void {
    if (kind !== 'string') this.#onlyStrings = false;
    this.starts.push(start);
    this.hashes.push(hash);
  }

  dropLast(): void {
    this.starts.pop();
    this.hashes.pop();
  }

  structure(kind: 'newline' | 'indent' | 'dedent', start: number): void {
    if (kind === 'newline' && this.#onlyStrings) {
      this.starts.length = this.#lineStart;
      this.hashes.length = this.#lineStart;
    } else {
      this.starts.push(start);
      this.hashes.push(kind === 'newline' ? 1 : kind === 'indent' ? 2 : 3);
    }
    this.#lineStart = this.starts.length;
    this.#onlyStrings = true;
  }
}

function firstAtOrAfter(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** `'a'` and `"a"` are the same token when nothing in them depends on the quote. */
function hashString(text: string, start: number, end: number): number {
  let open = start;
  while (open < end && text[open] !== '"' && text[open] !== "'") open++;
  const quote = text.charCodeAt(open);
  const isTriple =
    text.charCodeAt(open + 1) === quote && text.charCodeAt(open + 2) === quote && end - open >= 6;
  const width = isTriple ? 3 : 1;
  const body = hashRange(text, open + width, Math.max(open + width, end - width), 0x9e3779b9);
  return hashRange(text, start, open, body);
}

function hashRange(text: string, start: number, end: number, seed: number): number {
  let hash = seed;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** Combines two differently mixed 32-bit halves into one number. */
function hashOf(tokens: readonly number[], from: number, to: number): number {
  let high = 0xdeadbeef ^ (to - from);
  let low = 0x41c6ce57 ^ (to - from);
  for (let at = from; at < to; at++) {
    const token = tokens[at] ?? 0;
    high = Math.imul(high ^ token, 0x9e3779b1);
    high ^= high >>> 15;
    low = Math.imul(low ^ token, 0x5f356495);
    low ^= low >>> 13;
  }
  return joined(mix(high ^ (low >>> 3)), mix(low ^ (high << 5)));
}

const base = 0x01000193;
/** `base` to the power of `shingle`, to remove the oldest token from the rolling hash. */
const oldestPower = Array.from({ length: shingle }).reduce<number>((power) => Math.imul(power, base), 1);

/** The smallest hashes of all runs of five tokens, ascending. */
function sketchOf(tokens: readonly number[], from: number, to: number): number[] {
  const smallest: number[] = [];
  let rolling = 0;
  for (let at = from; at < to; at++) {
    rolling = (Math.imul(rolling, base) + (tokens[at] ?? 0)) | 0;
    const oldest = at - shingle;
    if (oldest >= from) rolling = (rolling - Math.imul(tokens[oldest] ?? 0, oldestPower)) | 0;
    if (at - from + 1 >= shingle) keepSmallest(smallest, mix(rolling));
  }
  return smallest;
}

function keepSmallest(smallest: number[], value: number): void {
  const isFull = smallest.length === sketchSize;
  if (isFull && value >= (smallest[sketchSize - 1] ?? 0)) return;
  let at = smallest.length;
  while (at > 0 && (smallest[at - 1] ?? 0) > value) at--;
  if (smallest[at - 1] === value) return;
  smallest.splice(at, 0, value);
  if (isFull) smallest.pop();
}

function mix(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
