/**
 * The shape of source text: tokens without white space, comments and formatting, and hashes over ranges of them.
 * Extractors tokenise a file once and hash every definition of it as a range.
 */

/** `c`: line and block comments, template literals, regular expressions. `hash`: `#` comments, indentation counts. */
export type CommentStyle = 'c' | 'hash';

export interface Tokens {
  readonly text: string;
  readonly style: CommentStyle;
  readonly count: number;
  /** UTF-16 offsets, ascending. */
  readonly start: Int32Array;
  readonly end: Int32Array;
  /** Hash of the normalised token; 0 for a token that shapes ignore (`;`). */
  readonly hash: Int32Array;
  /** How many tokens were taken for regular expressions. */
  readonly regularExpressions: number;
  /** How many brackets are open at most. */
  readonly deepestBrackets: number;
  /** Most tokens in a row on one level of brackets without a comma or semicolon. */
  readonly longestRun: number;
}

/** Ranges the caller knows better than a tokenizer can, each a flat list `start, end, start, end…`, ascending. */
export interface KnownRanges {
  /** Each is one token as it stands: text between JSX tags, regular expressions, strings with nested quotes. */
  readonly whole?: readonly number[];
  /** Left out, like a comment: docstrings. */
  readonly omitted?: readonly number[];
}

export const SKETCH_SIZE = 16;
const SHINGLE = 5;
const OWN_NAME = 0x5f3759df;
const STRING = 0x2f0b4c11;
const INDENT = 0x11d3_7a51;
const DEDENT = 0x11d3_7a53;
const NEWLINE = 0x11d3_7a57;

const TAB = 9;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const SPACE = 32;
const BACKSLASH = 92;

const WORD = 1;
const BLANK = 2;
const QUOTE = 3;
const OPEN = 4;
const CLOSE = 5;

const classes = new Uint8Array(128);
for (let c = 0; c < 128; c++) {
  const char = String.fromCharCode(c);
  if (/[\w$]/.test(char)) classes[c] = WORD;
  else if (c <= SPACE) classes[c] = BLANK;
  else if (char === '"' || char === "'") classes[c] = QUOTE;
  else if ('([{'.includes(char)) classes[c] = OPEN;
  else if (')]}'.includes(char)) classes[c] = CLOSE;
}

const is = (char: string) => char.charCodeAt(0);
const SLASH = is('/');
const STAR = is('*');
const BACKTICK = is('`');
const DOLLAR = is('$');
const HASH = is('#');
const COMMA = is(',');
const SEMICOLON = is(';');
const PAREN_CLOSE = is(')');
const BRACE_OPEN = is('{');
const BRACE_CLOSE = is('}');
const GREATER = is('>');
/** Stands for all characters of words where only the kind of the last character matters. */
const WORD_CHARACTER = is('a');
const COMMA_HASH = finish(COMMA);

/** After these words a slash starts a regular expression, not a division. */
const BEFORE_EXPRESSION = new Set(
  [
    'return',
    'typeof',
    'case',
    'in',
    'of',
    'delete',
    'void',
    'throw',
    'new',
    'else',
    'do',
    'instanceof',
    'await',
    'yield',
  ].map(hashWord),
);

// The state of the one tokenisation that runs at a time. Variables of the module, not fields of an object: this is the
// innermost loop of every extraction, and they are the fastest in code that has just been started.
let starts = new Int32Array(1 << 12);
let ends = new Int32Array(1 << 12);
let hashes = new Int32Array(1 << 12);
let text = '';
let style: CommentStyle = 'c';
let at = 0;
let count = 0;
/** Code of the last significant character: decides what a slash means. */
let previous = 0;
let regularExpressions = 0;
/** Three numbers for each open bracket: see `open`. */
const brackets: number[] = [];
let deepestBrackets = 0;
let runStart = 0;
let longestRun = 0;
let indents: number[] = [0];

/** Tokenises `source`. The columns of the result are reused: they are valid until the next call. */
export function tokenize(source: string, commentStyle: CommentStyle, known: KnownRanges = {}): Tokens {
  begin(source, commentStyle);
  const whole = new Ranges(known.whole);
  const omitted = new Ranges(known.omitted);
  const { length } = source;
  while (at < length) {
    if (at === whole.start) {
      readWhole(whole.end);
      whole.next();
      continue;
    }
    if (at === omitted.start) {
      at = omitted.end;
      omitted.next();
      continue;
    }
    const code = source.charCodeAt(at);
    const kind = code < 128 ? (classes[code] as number) : isBlankBeyondAscii(code) ? BLANK : WORD;
    if (kind === WORD) readWord();
    else if (kind === BLANK) skipBlank(code);
    else if (kind === QUOTE) readString(code);
    else readMark(code, kind);
  }
  noteRun();
  const tokens = {
    text,
    style,
    count,
    start: starts,
    end: ends,
    hash: hashes,
    regularExpressions,
    deepestBrackets,
    longestRun,
  };
  text = '';
  return tokens;
}

/** Walks over a flat list of ranges; past the last one nothing starts anywhere. */
class Ranges {
  start = -1;
  end = -1;
  readonly #ranges: readonly number[];
  #index = -2;

  constructor(ranges: readonly number[] = []) {
    this.#ranges = ranges;
    this.next();
  }

  next(): void {
    this.#index += 2;
    this.start = this.#ranges[this.#index] ?? -1;
    this.end = this.#ranges[this.#index + 1] ?? -1;
  }
}

function begin(source: string, commentStyle: CommentStyle): void {
  text = source;
  style = commentStyle;
  at = 0;
  count = 0;
  previous = 0;
  regularExpressions = 0;
  brackets.length = 0;
  deepestBrackets = 0;
  runStart = 0;
  longestRun = 0;
  indents = [0];
  if (style === 'c' && text.startsWith('#!')) skipLine();
  else if (style === 'hash') readIndentation();
}

function add(start: number, end: number, hash: number): void {
  if (count === starts.length) growColumns();
  starts[count] = start;
  ends[count] = end;
  hashes[count] = hash;
  count++;
  at = end;
}

function readWord(): void {
  const start = at;
  const { length } = text;
  let end = start;
  let hash = 0x811c9dc5;
  while (end < length) {
    const code = text.charCodeAt(end);
    if (code < 128 ? classes[code] !== WORD : isBlankBeyondAscii(code)) break;
    hash = Math.imul(hash ^ code, 0x01000193);
    end++;
  }
  add(start, end, finish(hash));
  previous = WORD_CHARACTER;
}

function readWhole(end: number): void {
  add(at, end, hashText(text, at, end, STRING));
  previous = PAREN_CLOSE;
}

function readString(quote: number): void {
  const start = at;
  const triple =
    style === 'hash' && text.charCodeAt(start + 1) === quote && text.charCodeAt(start + 2) === quote;
  const end = triple ? endOfTriple(text, start, quote) : endOfString(text, start, quote);
  if (end < 0) {
    readMark(quote, 0);
    return;
  }
  const width = triple ? 3 : 1;
  add(start, end, hashQuoted(text, start + width, end - width));
  previous = PAREN_CLOSE;
}

function readMark(code: number, kind: number): void {
  const start = at;
  if (kind === OPEN) open(false);
  else if (kind === CLOSE) {
    dropTrailingComma(code);
    if (close() && code === BRACE_CLOSE) {
      readTemplate(start, start + 1);
      return;
    }
  } else if (style === 'c') {
    if (code === SLASH && readSlash()) return;
    if (code === BACKTICK) {
      readTemplate(start, start + 1);
      return;
    }
    if (code === GREATER) dropTrailingComma(code);
    else if (code === COMMA) noteRun();
    else if (code === SEMICOLON) {
      noteRun();
      add(start, start + 1, 0);
      previous = code;
      return;
    }
  } else if (code === HASH) {
    skipLine();
    return;
  } else if (code === BACKSLASH && text.charCodeAt(start + 1) === LINE_FEED) {
    at += 2;
    return;
  }
  previous = code;
  add(start, start + 1, finish(code));
}

/** For each bracket: whether it is the `{` of a template's `${`, where the run around it began, and its first token. */
function open(isTemplate: boolean): void {
  brackets.push(isTemplate ? 1 : 0, runStart, count);
  if (brackets.length > deepestBrackets * 3) deepestBrackets = brackets.length / 3;
  runStart = count + 1;
}

/** True when the bracket was that of a template. */
function close(): boolean {
  if (brackets.length === 0) return false;
  noteRun();
  const first = brackets.pop() as number;
  // What stands between the brackets is no part of the run around them.
  runStart = (brackets.pop() as number) + (count - first);
  return brackets.pop() === 1;
}

/** Ends a run of tokens on one level of brackets that no comma or semicolon interrupts. */
function noteRun(): void {
  if (count - runStart > longestRun) longestRun = count - runStart;
  runStart = count;
}

/** `(1,)` is a tuple of one in Python: there a comma before `)` is kept. */
function dropTrailingComma(closing: number): void {
  if (count === 0 || hashes[count - 1] !== COMMA_HASH) return;
  if (style === 'hash' && closing === PAREN_CLOSE) return;
  count--;
}

/** Reads a comment or a regular expression; false when the slash divides. */
function readSlash(): boolean {
  const start = at;
  const next = text.charCodeAt(start + 1);
  if (next === SLASH) {
    skipLine();
    return true;
  }
  if (next === STAR) {
    const end = text.indexOf('*/', start + 2);
    at = end < 0 ? text.length : end + 2;
    return true;
  }
  if (!expectsExpression()) return false;
  const end = endOfRegularExpression(text, start);
  if (end < 0) return false;
  regularExpressions++;
  add(start, end, hashText(text, start, end, STRING));
  previous = PAREN_CLOSE;
  return true;
}

function expectsExpression(): boolean {
  if (previous === WORD_CHARACTER) return BEFORE_EXPRESSION.has(hashes[count - 1] as number);
  return classes[previous] !== CLOSE && previous !== BACKTICK;
}

/** One token per stretch of literal text; what stands in `${…}` is tokenised as code. */
function readTemplate(start: number, from: number): void {
  for (let end = from; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === BACKSLASH) end++;
    else if (code === BACKTICK) {
      add(start, end + 1, hashText(text, start, end + 1, STRING));
      previous = BACKTICK;
      return;
    } else if (code === DOLLAR && text.charCodeAt(end + 1) === BRACE_OPEN) {
      open(true);
      add(start, end + 2, hashText(text, start, end + 2, STRING));
      previous = BRACE_OPEN;
      return;
    }
  }
  add(start, text.length, hashText(text, start, text.length, STRING));
}

function skipBlank(code: number): void {
  at++;
  if (style === 'hash') {
    if (code === LINE_FEED && brackets.length === 0) readIndentation();
  } else while (text.charCodeAt(at) === SPACE) at++;
}

function skipLine(): void {
  const end = text.indexOf('\n', at);
  at = end < 0 ? text.length : end;
}

/** Indentation is structure in this style: a deeper or shallower line leaves a mark, its width does not matter. */
function readIndentation(): void {
  let end = at;
  let width = 0;
  for (;;) {
    const code = text.charCodeAt(end);
    if (code === SPACE) width++;
    else if (code === TAB) width = (Math.floor(width / 8) + 1) * 8;
    else if (code === LINE_FEED) width = 0;
    else if (code !== CARRIAGE_RETURN) break;
    end++;
    if (code === LINE_FEED) at = end;
  }
  if (end >= text.length || text.charCodeAt(end) === HASH) return;
  if (width > (indents.at(-1) as number)) {
    indents.push(width);
    add(end, end, INDENT);
  } else {
    if (count > 0) add(end, end, NEWLINE);
    while (width < (indents.at(-1) as number)) {
      indents.pop();
      add(end, end, DEDENT);
    }
  }
  at = end;
}

/** What a range of tokens looks like, whatever it is called. */
export interface Shape {
  /** 64 bits over the tokens as 16 hex digits. */
  readonly hash: string;
  /** The smallest distinct hashes of five consecutive tokens, ascending: compare two with `similarity`. */
  readonly sketch: number[];
}

/** The shape of the tokens that start in `[start, end)`. `ownName` is replaced, so a rename leaves the shape unchanged. */
export function shapeRange(tokens: Tokens, start: number, end: number, ownName: string | null = null): Shape {
  const own = ownName === null ? 0 : hashWord(ownName);
  const { hash, start: starts, count } = tokens;
  const sketch: number[] = [];
  let low = 0x811c9dc5;
  let high = 0x41c6ce57;
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let seen = 0;
  for (let i = firstToken(tokens, start); i < count && (starts[i] as number) < end; i++) {
    let token = hash[i] as number;
    if (token === 0) continue;
    if (token === own) token = OWN_NAME;
    low = Math.imul(low ^ token, 0x01000193);
    high = Math.imul(high ^ (token >>> 7) ^ (token << 25), 0x5bd1e995);
    high ^= high >>> 15;
    seen++;
    if (seen >= SHINGLE) keepSmallest(sketch, shingle(a, b, c, d, token));
    a = b;
    b = c;
    c = d;
    d = token;
  }
  if (seen > 0 && seen < SHINGLE) keepSmallest(sketch, shingle(0, a, b, c, d));
  return { hash: hex(finish(low), finish(high)), sketch };
}

/** The hash alone of a range. */
export function hashRange(tokens: Tokens, start: number, end: number, ownName: string | null = null): string {
  if (start >= end) return NOTHING;
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
  return hex(finish(low), finish(high));
}

/** The hash of a range without tokens. */
const NOTHING = hex(finish(0x811c9dc5), finish(0x41c6ce57));

/** Estimated Jaccard similarity of two token ranges, 0 to 1, from their sketches. */
export function similarity(left: readonly number[], right: readonly number[]): number {
  const size = Math.min(SKETCH_SIZE, Math.max(left.length, right.length));
  if (size === 0) return 1;
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
  const { text, start: starts, end: ends, hash, count } = tokens;
  let i = firstToken(tokens, start);
  // `| A | B` over several lines begins with an operator that means nothing.
  while (i < count && (ends[i] as number) <= end && isLoose(text.charCodeAt(starts[i] as number))) i++;
  if (i >= count || (starts[i] as number) >= end) return '';
  let out = text.slice(starts[i] as number, ends[i] as number);
  for (i++; i < count && (starts[i] as number) < end && out.length <= limit; i++) {
    const at = starts[i] as number;
    if (
      hash[i] === 0 &&
      (i + 1 >= count ||
        (starts[i + 1] as number) >= end ||
        text.charCodeAt(starts[i + 1] as number) === BRACE_CLOSE)
    ) {
      continue;
    }
    if (isSpaced(text, ends[i - 1] as number, at)) out += ' ';
    out += text.slice(at, ends[i] as number);
  }
  return out.length > limit ? out.slice(0, limit) : out;
}

const BAR = is('|');
const AMPERSAND = is('&');
const EQUALS = is('=');
const COLON = is(':');

function isLoose(code: number): boolean {
  return code === BAR || code === AMPERSAND;
}

/** Whether one space stands between the token that ends at `end` and the one that starts at `start`. */
function isSpaced(text: string, end: number, start: number): boolean {
  const left = text.charCodeAt(end - 1);
  const right = text.charCodeAt(start);
  if (isWord(left) && isWord(right)) return true;
  if (left === COMMA || left === COLON || left === SEMICOLON) return true;
  const isArrowHead = left === GREATER && text.charCodeAt(end - 2) === EQUALS;
  if (isArrowHead) return true;
  if (left === EQUALS) return right !== GREATER && right !== EQUALS;
  if (right === EQUALS) return isWord(left) || classes[left] === CLOSE || classes[left] === QUOTE;
  return isLoose(left) !== isLoose(right);
}

function isWord(code: number): boolean {
  return code >= 128 || classes[code] === WORD;
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

function keepSmallest(kept: number[], value: number): void {
  const full = kept.length === SKETCH_SIZE;
  if (full && value >= (kept[SKETCH_SIZE - 1] as number)) return;
  let at = kept.length;
  while (at > 0 && (kept[at - 1] as number) > value) at--;
  if (at > 0 && kept[at - 1] === value) return;
  let last = full ? SKETCH_SIZE - 1 : kept.length;
  if (!full) kept.push(0);
  for (; last > at; last--) kept[last] = kept[last - 1] as number;
  kept[at] = value;
}

function shingle(a: number, b: number, c: number, d: number, e: number): number {
  let hash = Math.imul(a, 0x9e3779b1);
  hash = Math.imul(hash ^ b, 0x85ebca77);
  hash = Math.imul(hash ^ c, 0xc2b2ae3d);
  hash = Math.imul(hash ^ d, 0x27d4eb2f);
  hash = Math.imul(hash ^ e, 0x165667b1);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** The hash of an identifier or keyword token. */
export function hashWord(word: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193);
  return finish(hash);
}

function hashText(text: string, start: number, end: number, seed: number): number {
  let hash = seed;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return finish(hash);
}

/** The content of a string whatever quotes surround it: `\'` and `\"` count as the bare quote. */
function hashQuoted(text: string, start: number, end: number): number {
  let hash = STRING;
  for (let i = start; i < end; i++) {
    let code = text.charCodeAt(i);
    if (code === BACKSLASH) {
      const next = text.charCodeAt(i + 1);
      if (next < 128 && classes[next] === QUOTE) {
        code = next;
        i++;
      } else if (next === BACKSLASH) {
        hash = Math.imul(hash ^ code, 0x01000193);
        i++;
      }
    }
    hash = Math.imul(hash ^ code, 0x01000193);
  }
  return finish(hash);
}

/** Spreads the bits of a multiplicative hash; never 0, which marks ignored tokens. */
function finish(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return (mixed ^ (mixed >>> 16)) | 0 || 1;
}

/** 16 hex digits in one go: number-to-string conversions of this size are slow. */
function hex(high: number, low: number): string {
  return String.fromCharCode(
    digit(high >>> 28),
    digit(high >>> 24),
    digit(high >>> 20),
    digit(high >>> 16),
    digit(high >>> 12),
    digit(high >>> 8),
    digit(high >>> 4),
    digit(high),
    digit(low >>> 28),
    digit(low >>> 24),
    digit(low >>> 20),
    digit(low >>> 16),
    digit(low >>> 12),
    digit(low >>> 8),
    digit(low >>> 4),
    digit(low),
  );
}

function digit(value: number): number {
  const nibble = value & 15;
  return nibble < 10 ? nibble + 48 : nibble + 87;
}

function endOfString(text: string, start: number, quote: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) return at + 1;
    if (code === LINE_FEED) return -1;
    if (code === BACKSLASH) {
      at++;
      if (text.charCodeAt(at) === CARRIAGE_RETURN && text.charCodeAt(at + 1) === LINE_FEED) at++;
    }
  }
  return -1;
}

function endOfTriple(text: string, start: number, quote: number): number {
  for (let at = start + 3; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === quote && text.charCodeAt(at + 1) === quote && text.charCodeAt(at + 2) === quote)
      return at + 3;
  }
  return -1;
}

function endOfRegularExpression(text: string, start: number): number {
  let inClass = false;
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === LINE_FEED) return -1;
    if (code === BACKSLASH) at++;
    else if (code === 91) inClass = true;
    else if (code === 93) inClass = false;
    else if (code === SLASH && !inClass) {
      let end = at + 1;
      while (classes[text.charCodeAt(end)] === WORD) end++;
      return end;
    }
  }
  return -1;
}

function isBlankBeyondAscii(code: number): boolean {
  return (
    code === 0xa0 ||
    code === 0xfeff ||
    code === 0x2028 ||
    code === 0x2029 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x3000
  );
}

function growColumns(): void {
  const wider = (from: Int32Array<ArrayBuffer>) => {
    const to = new Int32Array(from.length * 2);
    to.set(from);
    return to;
  };
  starts = wider(starts);
  ends = wider(ends);
  hashes = wider(hashes);
}
