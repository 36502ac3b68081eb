import { type TokenKind, tokenize } from './tokens.ts';

/** A stretch of code as a hash of its tokens and a sketch to estimate how alike two stretches are. */
export interface TextShape {
  readonly hash: string;
  readonly sketch: readonly number[];
}

const SHINGLE = 5;
const SKETCH_SIZE = 32;

/** Shape of `text[start, end)`: comments, docstrings, white space, quote style and trailing commas do not count. */
export function shapeOf(text: string, start: number, end: number): TextShape {
  const tokens = normalTokens(text, start, end);
  return { hash: hashOf(tokens), sketch: sketchOf(tokens) };
}

/** The hash alone, for stretches that are never compared by likeness. */
export function hashOfText(text: string, start: number, end: number): string {
  return hashOf(normalTokens(text, start, end));
}

/** One number per token; block structure counts, because moving a line into an `if` changes what the code does. */
function normalTokens(text: string, start: number, end: number): number[] {
  const hashes: number[] = [];
  const lines = new LineFilter(hashes);
  const brackets: { commas: number; isCall: boolean }[] = [];
  let lastKind: TokenKind = 'newline';
  let lastText = '';
  tokenize(text, start, end, {
    token(kind, from, to) {
      if (kind === 'newline' || kind === 'indent' || kind === 'dedent') {
        lines.structure(kind);
        lastKind = kind;
        return;
      }
      const isShort = to - from === 1;
      const char = isShort ? (text[from] ?? '') : '';
      if (char === '(' || char === '[' || char === '{') {
        const isCall = lastKind === 'name' || lastText === ')' || lastText === ']';
        brackets.push({ commas: 0, isCall: char !== '(' || isCall });
      } else if (char === ')' || char === ']' || char === '}') {
        const bracket = brackets.pop();
        if (lastText === ',' && bracket !== undefined && (bracket.isCall || bracket.commas > 1))
          lines.dropLast();
      } else if (char === ',') {
        const bracket = brackets.at(-1);
        if (bracket !== undefined) bracket.commas++;
      }
      lines.add(kind, kind === 'string' ? hashString(text, from, to) : hashRange(text, from, to, 0x811c9dc5));
      lastKind = kind;
      lastText = char;
    },
  });
  return hashes;
}

/** Collects tokens line by line and drops lines that are nothing but strings: docstrings. */
class LineFilter {
  private readonly into: number[];
  private lineStart = 0;
  private onlyStrings = true;

  constructor(into: number[]) {
    this.into = into;
  }

  add(kind: TokenKind, hash: number): void {
    if (kind !== 'string') this.onlyStrings = false;
    this.into.push(hash);
  }

  dropLast(): void {
    this.into.pop();
  }

  structure(kind: 'newline' | 'indent' | 'dedent'): void {
    if (kind === 'newline' && this.onlyStrings) this.into.length = this.lineStart;
    else this.into.push(kind === 'newline' ? 1 : kind === 'indent' ? 2 : 3);
    this.lineStart = this.into.length;
    this.onlyStrings = true;
  }
}

/** `'a'` and `"a"` are the same token when nothing in them depends on the quote. */
function hashString(text: string, start: number, end: number): number {
  let open = start;
  while (open < end && text[open] !== '"' && text[open] !== "'") open++;
  const quote = text[open] ?? '';
  const width = text.startsWith(quote.repeat(3), open) && end - open >= 6 ? 3 : 1;
  const body = hashRange(text, open + width, Math.max(open + width, end - width), 0x9e3779b9);
  return hashRange(text, start, open, body);
}

function hashRange(text: string, start: number, end: number, seed: number): number {
  let hash = seed;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** 64 bits out of two differently mixed 32-bit halves. */
function hashOf(tokens: readonly number[]): string {
  let high = 0xdeadbeef ^ tokens.length;
  let low = 0x41c6ce57 ^ tokens.length;
  for (const token of tokens) {
    high = Math.imul(high ^ token, 0x9e3779b1);
    high ^= high >>> 15;
    low = Math.imul(low ^ token, 0x5f356495);
    low ^= low >>> 13;
  }
  return hex(mix(high ^ (low >>> 3))) + hex(mix(low ^ (high << 5)));
}

function sketchOf(tokens: readonly number[]): number[] {
  const seen = new Set<number>();
  for (let at = 0; at + SHINGLE <= tokens.length; at++) {
    let hash = 0x811c9dc5;
    for (let offset = 0; offset < SHINGLE; offset++) {
      hash = Math.imul(hash ^ (tokens[at + offset] ?? 0), 0x85ebca6b);
      hash ^= hash >>> 13;
    }
    seen.add(mix(hash));
  }
  return [...seen].sort((a, b) => a - b).slice(0, SKETCH_SIZE);
}

function mix(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function hex(value: number): string {
  return (value >>> 0).toString(16).padStart(8, '0');
}
