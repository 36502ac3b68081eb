import {
  BACKSLASH,
  BLANK,
  CARRIAGE_RETURN,
  CLOSE,
  classes,
  endOfRegularExpression,
  finish,
  hashText,
  hashWord,
  LINE_FEED,
  LITERAL,
  OPEN,
  QUOTE,
  SLASH,
  SPACE,
  WORD,
} from './lexemes.ts';
import { codesOf } from './text-codes.ts';

export interface Tokens {
  readonly text: string;
  /** The UTF-16 units of the text. */
  readonly codes: Uint16Array;
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

const is = (char: string) => char.charCodeAt(0);
const STAR = is('*');
const BACKTICK = is('`');
const DOLLAR = is('$');
const COMMA = is(',');
const SEMICOLON = is(';');
const PAREN_CLOSE = is(')');
const BRACE_OPEN = is('{');
const BRACE_CLOSE = is('}');
const GREATER = is('>');
/** Stands for all characters of words where only the kind of the last character matters. */
const WORD_CHARACTER = is('a');
const COMMA_HASH = finish(COMMA);
const ELSE = hashWord('else');

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

/** Hashes of the tokens that are one ASCII character. */
const markHashes = Int32Array.from({ length: 128 }, (_, code) => finish(code));

/** Marks that neither begin nor end anything. */
const isPlainMark = Uint8Array.from({ length: 128 }, (_, code) =>
  classes[code] === 0 && !'/`>,;'.includes(String.fromCharCode(code)) ? 1 : 0,
);

// The state of the one tokenisation that runs at a time. Variables of the module, not fields of an object: this is the
// innermost loop of every extraction, and they are the fastest in code that has just been started.
let starts = column(1 << 20);
let ends = column(1 << 20);
let hashes = column(1 << 20);
let text = '';
let codes: Uint16Array = new Uint16Array(0);
let at = 0;
let count = 0;
/** Code of the last significant character: decides what a slash means. */
let previous = 0;
let regularExpressions = 0;
/** Three numbers for each open bracket: see `open`. */
const brackets: number[] = [];
let deepestBrackets = 0;
let runStart = 0;
let runBefore = 0;
let longestRun = 0;

/**
 * Tokenises text of a C-like language. `whole` holds ranges the caller knows better than a tokenizer can, a flat list
 * `start, end, start, end…`, ascending: each is one token as it stands, such as text between JSX tags. The columns of
 * the result are reused: they are valid until the next call.
 */
export function tokenize(source: string, whole: readonly number[] = []): Tokens {
  begin(source);
  for (let i = 0; i + 1 < whole.length; i += 2) {
    readUntil(whole[i] as number);
    // What began before may reach beyond: then the range is no token of its own.
    if (at === whole[i]) addLiteral(at, whole[i + 1] as number);
  }
  readUntil(source.length);
  noteRun();
  const tokens = {
    text,
    codes,
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

function begin(source: string): void {
  text = source;
  codes = codesOf(source);
  if (source.length > starts.length) widenColumns(source.length);
  at = 0;
  count = 0;
  previous = 0;
  regularExpressions = 0;
  brackets.length = 0;
  deepestBrackets = 0;
  runStart = 0;
  longestRun = 0;
  if (text.startsWith('#!')) skipLine();
}

/** Reads tokens until one ends at `limit` or beyond it. */
function readUntil(limit: number): void {
  // Of the function itself while it runs: the compiler looks up a variable of the module each time.
  const units = codes;
  const kinds = classes;
  const from = starts;
  const to = ends;
  const hashed = hashes;
  let token = count;
  let i = at;
  while (i < limit) {
    const code = units[i] as number;
    const kind = kinds[code] as number;
    if (kind === BLANK) {
      i++;
      while (units[i] === SPACE) i++;
      continue;
    }
    if (kind === WORD) {
      from[token] = i;
      let hash = 0x811c9dc5;
      let next = code;
      do {
        hash = Math.imul(hash ^ next, 0x01000193);
        next = units[++i] as number;
      } while (kinds[next] === WORD);
      const word = finish(hash);
      // `if (a) b; else …`: the statement goes on after the semicolon.
      if (word === ELSE && token > 0 && hashed[token - 1] === 0) runStart = runBefore;
      to[token] = i;
      hashed[token] = word;
      token++;
      previous = WORD_CHARACTER;
      continue;
    }
    if (isPlainMark[code] === 1) {
      from[token] = i;
      to[token] = ++i;
      hashed[token] = markHashes[code] as number;
      token++;
      previous = code;
      continue;
    }
    at = i;
    count = token;
    if (kind === QUOTE) readString(code);
    else readMark(code, kind);
    i = at;
    token = count;
  }
  at = i;
  count = token;
}

function add(start: number, end: number, hash: number): void {
  starts[count] = start;
  ends[count] = end;
  hashes[count] = hash;
  count++;
  at = end;
}

/** One token as it stands, after which no expression begins. */
function addLiteral(start: number, end: number): void {
  add(start, end, hashText(codes, start, end));
  previous = PAREN_CLOSE;
}

/** It hashes alike whatever quotes surround it: `\'` and `\"` count as the bare quote. */
function readString(quote: number): void {
  const units = codes;
  const { length } = text;
  let hash = LITERAL;
  for (let end = at + 1; end < length; end++) {
    let code = units[end] as number;
    if (code === quote) {
      add(at, end + 1, finish(hash));
      previous = PAREN_CLOSE;
      return;
    }
    if (code === LINE_FEED) break;
    if (code === BACKSLASH) {
      const escaped = units[++end] as number;
      if (classes[escaped] !== QUOTE) hash = Math.imul(hash ^ code, 0x01000193);
      code = escaped;
      if (code === CARRIAGE_RETURN && units[end + 1] === LINE_FEED) {
        hash = Math.imul(hash ^ code, 0x01000193);
        code = units[++end] as number;
      }
    }
    hash = Math.imul(hash ^ code, 0x01000193);
  }
  readMark(quote, 0);
}

function readMark(code: number, kind: number): void {
  const start = at;
  if (kind === OPEN) open(false);
  else if (kind === CLOSE) {
    dropTrailingComma();
    if (close() && code === BRACE_CLOSE) {
      readTemplate(start);
      return;
    }
  } else if (code === SLASH) {
    if (readSlash()) return;
  } else if (code === BACKTICK) {
    readTemplate(start);
    return;
  } else if (code === GREATER) dropTrailingComma();
  else if (code === COMMA) noteRun();
  else if (code === SEMICOLON) {
    noteRun();
    add(start, start + 1, 0);
    previous = code;
    return;
  }
  previous = code;
  add(start, start + 1, markHashes[code] as number);
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
  runBefore = runStart;
  runStart = count;
}

function dropTrailingComma(): void {
  if (count > 0 && hashes[count - 1] === COMMA_HASH) count--;
}

/** Reads a comment or a regular expression; false when the slash divides. */
function readSlash(): boolean {
  const start = at;
  const next = codes[start + 1];
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
  const end = endOfRegularExpression(codes, start, text.length);
  if (end < 0) return false;
  regularExpressions++;
  addLiteral(start, end);
  return true;
}

function expectsExpression(): boolean {
  if (previous === WORD_CHARACTER) return BEFORE_EXPRESSION.has(hashes[count - 1] as number);
  return classes[previous] !== CLOSE && previous !== BACKTICK;
}

/** One token per stretch of literal text; what stands in `${…}` is tokenised as code. */
function readTemplate(start: number): void {
  const { length } = text;
  for (let end = start + 1; end < length; end++) {
    const code = codes[end];
    if (code === BACKSLASH) end++;
    else if (code === BACKTICK) {
      add(start, end + 1, hashText(codes, start, end + 1));
      previous = BACKTICK;
      return;
    } else if (code === DOLLAR && codes[end + 1] === BRACE_OPEN) {
      open(true);
      add(start, end + 2, hashText(codes, start, end + 2));
      previous = BRACE_OPEN;
      return;
    }
  }
  add(start, length, hashText(codes, start, length));
}

function skipLine(): void {
  const end = text.indexOf('\n', at);
  at = end < 0 ? text.length : end;
}

/** No text has more tokens than characters. Memory that no token is written to is never touched. */
function widenColumns(length: number): void {
  const size = Math.max(length, starts.length * 2);
  starts = column(size);
  ends = column(size);
  hashes = column(size);
}

/** Shared with nobody, but V8 would collect garbage on account of other buffers of this size. */
function column(size: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(size * 4));
}
