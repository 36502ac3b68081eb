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

let starts = new Int32Array(1 << 12);
let ends = new Int32Array(1 << 12);
let hashes = new Int32Array(1 << 12);

/** Tokenises `text`. The columns of the result are reused: they are valid until the next call. */
export function tokenize(text: string, style: CommentStyle, known: KnownRanges = {}): Tokens {
  return new Tokenizer(text, style, known).run();
}

class Tokenizer {
  readonly #text: string;
  readonly #style: CommentStyle;
  readonly #whole: readonly number[];
  readonly #omitted: readonly number[];
  #nextWhole = 0;
  #nextOmitted = 0;
  #position = 0;
  #count = 0;
  #regularExpressions = 0;
  /** Code of the last significant character: `(`, a letter… decides what a slash means. */
  #previous = 0;
  /** For each open bracket, whether it is the `{` of a template's `${`. */
  readonly #brackets: boolean[] = [];
  readonly #indents: number[] = [0];

  constructor(text: string, style: CommentStyle, known: KnownRanges) {
    this.#text = text;
    this.#style = style;
    this.#whole = known.whole ?? [];
    this.#omitted = known.omitted ?? [];
  }

  run(): Tokens {
    const text = this.#text;
    const { length } = text;
    if (this.#style === 'c' && text.startsWith('#!')) this.#skipLine();
    else if (this.#style === 'hash') this.#readIndentation();
    while (this.#position < length) {
      const at = this.#position;
      if (at === this.#whole[this.#nextWhole]) {
        this.#readWhole();
        continue;
      }
      if (at === this.#omitted[this.#nextOmitted]) {
        this.#position = this.#omitted[this.#nextOmitted + 1] as number;
        this.#nextOmitted += 2;
        continue;
      }
      const code = text.charCodeAt(at);
      const kind = code < 128 ? (classes[code] as number) : isBlankBeyondAscii(code) ? BLANK : WORD;
      if (kind === WORD) this.#readWord();
      else if (kind === BLANK) this.#skipBlank(code);
      else if (kind === QUOTE) this.#readString(code);
      else this.#readMark(code, kind);
    }
    return {
      text,
      style: this.#style,
      count: this.#count,
      start: starts,
      end: ends,
      hash: hashes,
      regularExpressions: this.#regularExpressions,
    };
  }

  #add(start: number, end: number, hash: number): void {
    const index = this.#count;
    if (index === starts.length) growColumns();
    starts[index] = start;
    ends[index] = end;
    hashes[index] = hash;
    this.#count = index + 1;
    this.#position = end;
  }

  #readWord(): void {
    const text = this.#text;
    const start = this.#position;
    let at = start;
    let hash = 0x811c9dc5;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code < 128 ? classes[code] !== WORD : isBlankBeyondAscii(code)) break;
      // Past the end `charCodeAt` is NaN, which is neither below 128 nor blank.
      if (at >= text.length) break;
      hash = Math.imul(hash ^ code, 0x01000193);
      at++;
    }
    this.#add(start, at, finish(hash));
    this.#previous = text.charCodeAt(at - 1);
  }

  #readWhole(): void {
    const start = this.#position;
    const end = this.#whole[this.#nextWhole + 1] as number;
    this.#nextWhole += 2;
    this.#add(start, end, hashText(this.#text, start, end, STRING));
    this.#previous = PAREN_CLOSE;
  }

  #readString(quote: number): void {
    const text = this.#text;
    const start = this.#position;
    const triple =
      this.#style === 'hash' && text.charCodeAt(start + 1) === quote && text.charCodeAt(start + 2) === quote;
    const end = triple ? endOfTriple(text, start, quote) : endOfString(text, start, quote);
    if (end < 0) {
      this.#readMark(quote, 0);
      return;
    }
    const width = triple ? 3 : 1;
    this.#add(start, end, hashQuoted(text, start + width, end - width));
    this.#previous = PAREN_CLOSE;
  }

  #readMark(code: number, kind: number): void {
    const text = this.#text;
    const start = this.#position;
    if (code === SLASH && this.#style === 'c' && this.#readSlash()) return;
    if (code === HASH && this.#style === 'hash') {
      this.#skipLine();
      return;
    }
    if (code === BACKTICK && this.#style === 'c') {
      this.#readTemplate(start, start + 1);
      return;
    }
    if (kind === OPEN) this.#brackets.push(false);
    else if (kind === CLOSE && this.#brackets.pop() && code === BRACE_CLOSE) {
      this.#readTemplate(start, start + 1);
      return;
    }
    if (kind === CLOSE || code === GREATER) this.#dropTrailingComma(code);
    this.#previous = code;
    this.#add(start, start + 1, code === SEMICOLON && this.#style === 'c' ? 0 : finish(code));
    if (code === BACKSLASH && this.#style === 'hash' && text.charCodeAt(start + 1) === LINE_FEED) {
      this.#count--;
      this.#position = start + 2;
    }
  }

  /** `(1,)` is a tuple of one in Python: there a comma before `)` is kept. */
  #dropTrailingComma(closing: number): void {
    const last = this.#count - 1;
    if (last < 0 || this.#text.charCodeAt(starts[last] as number) !== COMMA) return;
    if ((ends[last] as number) - (starts[last] as number) !== 1) return;
    if (this.#style === 'hash' && closing === PAREN_CLOSE) return;
    this.#count = last;
  }

  /** Reads a comment or a regular expression; false when the slash divides. */
  #readSlash(): boolean {
    const text = this.#text;
    const start = this.#position;
    const next = text.charCodeAt(start + 1);
    if (next === SLASH) {
      this.#skipLine();
      return true;
    }
    if (next === STAR) {
      const close = text.indexOf('*/', start + 2);
      this.#position = close < 0 ? text.length : close + 2;
      return true;
    }
    if (!this.#expectsExpression()) return false;
    const end = endOfRegularExpression(text, start);
    if (end < 0) return false;
    this.#regularExpressions++;
    this.#add(start, end, hashText(text, start, end, STRING));
    this.#previous = PAREN_CLOSE;
    return true;
  }

  #expectsExpression(): boolean {
    const previous = this.#previous;
    if (previous >= 128 || classes[previous] === WORD) {
      return this.#count > 0 && BEFORE_EXPRESSION.has(hashes[this.#count - 1] as number);
    }
    return classes[previous] !== CLOSE && previous !== BACKTICK;
  }

  /** One token per stretch of literal text; what stands in `${…}` is tokenised as code. */
  #readTemplate(start: number, from: number): void {
    const text = this.#text;
    let at = from;
    while (at < text.length) {
      const code = text.charCodeAt(at);
      if (code === BACKSLASH) at++;
      else if (code === BACKTICK) {
        this.#add(start, at + 1, hashText(text, start, at + 1, STRING));
        this.#previous = BACKTICK;
        return;
      } else if (code === DOLLAR && text.charCodeAt(at + 1) === BRACE_OPEN) {
        this.#add(start, at + 2, hashText(text, start, at + 2, STRING));
        this.#brackets.push(true);
        this.#previous = BRACE_OPEN;
        return;
      }
      at++;
    }
    this.#add(start, text.length, hashText(text, start, text.length, STRING));
  }

  #skipBlank(code: number): void {
    this.#position++;
    if (code === LINE_FEED && this.#style === 'hash' && this.#brackets.length === 0) this.#readIndentation();
  }

  #skipLine(): void {
    const end = this.#text.indexOf('\n', this.#position);
    this.#position = end < 0 ? this.#text.length : end;
  }

  /** Indentation is structure in this style: a deeper or shallower line leaves a mark, its width does not matter. */
  #readIndentation(): void {
    const text = this.#text;
    let at = this.#position;
    let width = 0;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === SPACE) width++;
      else if (code === TAB) width = (Math.floor(width / 8) + 1) * 8;
      else if (code === LINE_FEED) width = 0;
      else if (code !== CARRIAGE_RETURN) break;
      at++;
      if (code === LINE_FEED) this.#position = at;
    }
    if (at >= text.length || text.charCodeAt(at) === HASH) return;
    const indents = this.#indents;
    if (width > (indents.at(-1) as number)) {
      indents.push(width);
      this.#add(at, at, INDENT);
    } else {
      if (this.#count > 0) this.#add(at, at, NEWLINE);
      while (width < (indents.at(-1) as number)) {
        indents.pop();
        this.#add(at, at, DEDENT);
      }
    }
    this.#position = at;
  }
}

/** 64 bits over the tokens of `[start, end)` as 16 hex digits. `ownName` is replaced, so a rename leaves it unchanged. */
export function hashRange(tokens: Tokens, start: number, end: number, ownName: string | null = null): string {
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
  return hex(finish(low)) + hex(finish(high));
}

/** The smallest distinct hashes of five consecutive tokens, ascending: compare two with `similarity`. */
export function sketchRange(
  tokens: Tokens,
  start: number,
  end: number,
  ownName: string | null = null,
): number[] {
  const own = ownName === null ? 0 : hashWord(ownName);
  const { hash, start: starts, count } = tokens;
  const kept: number[] = [];
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let seen = 0;
  for (let i = firstToken(tokens, start); i < count && (starts[i] as number) < end; i++) {
    let token = hash[i] as number;
    if (token === 0) continue;
    if (token === own) token = OWN_NAME;
    seen++;
    if (seen >= SHINGLE) keepSmallest(kept, shingle(a, b, c, d, token));
    a = b;
    b = c;
    c = d;
    d = token;
  }
  if (seen > 0 && seen < SHINGLE) keepSmallest(kept, shingle(0, a, b, c, d));
  return kept;
}

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
  let out = '';
  for (
    let i = firstToken(tokens, start);
    i < count && (starts[i] as number) < end && out.length <= limit;
    i++
  ) {
    const ignored = hash[i] === 0;
    const token = ignored ? ';' : text.slice(starts[i] as number, ends[i] as number);
    if (out === '' && (token === '|' || token === '&')) continue;
    if (
      ignored &&
      (i + 1 >= count || (starts[i + 1] as number) >= end || text[starts[i + 1] as number] === '}')
    )
      continue;
    out += separates(out, token) ? ` ${token}` : token;
  }
  return out.length > limit ? out.slice(0, limit) : out;
}

function separates(before: string, token: string): boolean {
  const last = before.at(-1);
  if (last === undefined) return false;
  if (/[\w$]/.test(last) && /^[\w$]/.test(token)) return true;
  if (',:;'.includes(last)) return true;
  if (last === '>' && before.at(-2) === '=') return true;
  if (last === '=' && token !== '>' && token !== '=') return true;
  return '|&'.includes(last) !== '|&'.includes(token) || (token === '=' && last !== '=' && last !== '!');
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
  if (kept.length === SKETCH_SIZE && value >= (kept[SKETCH_SIZE - 1] as number)) return;
  let at = kept.length;
  while (at > 0 && (kept[at - 1] as number) > value) at--;
  if (at > 0 && kept[at - 1] === value) return;
  kept.splice(at, 0, value);
  if (kept.length > SKETCH_SIZE) kept.pop();
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

function hex(value: number): string {
  return (value >>> 0).toString(16).padStart(8, '0');
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
