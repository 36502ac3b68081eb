import {
  BACKSLASH,
  BLANK,
  CARRIAGE_RETURN,
  CLOSE,
  classes,
  endOfRegularExpression,
  endOfString,
  endOfTriple,
  finish,
  hashQuoted,
  hashText,
  hashWord,
  isBlankBeyondAscii,
  LINE_FEED,
  OPEN,
  QUOTE,
  SLASH,
  SPACE,
  TAB,
  WORD,
} from './lexemes.ts';

/**
 * Source text as tokens without white space, comments and formatting, each with a hash. A file is tokenised once; what
 * it defines is then compared by ranges of tokens (`text-shape.ts`).
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

const INDENT = 0x11d3_7a51;
const DEDENT = 0x11d3_7a53;
const NEWLINE = 0x11d3_7a57;

const is = (char: string) => char.charCodeAt(0);
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
let runBefore = 0;
let longestRun = 0;
let indents: number[] = [0];

/** Tokenises `source`. The columns of the result are reused: they are valid until the next call. */
export function tokenize(source: string, commentStyle: CommentStyle, known: KnownRanges = {}): Tokens {
  begin(source, commentStyle);
  const whole = new Ranges(known.whole);
  const omitted = new Ranges(known.omitted);
  const { length } = source;
  while (at < length) {
    if (at >= whole.start) {
      if (at === whole.start) readWhole(whole.end);
      whole.next();
      continue;
    }
    if (at >= omitted.start) {
      if (at === omitted.start) at = omitted.end;
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
const PAST_THE_END = 0x7fffffff;

class Ranges {
  start = PAST_THE_END;
  end = PAST_THE_END;
  readonly #ranges: readonly number[];
  #index = -2;

  constructor(ranges: readonly number[] = []) {
    this.#ranges = ranges;
    this.next();
  }

  next(): void {
    this.#index += 2;
    this.start = this.#ranges[this.#index] ?? PAST_THE_END;
    this.end = this.#ranges[this.#index + 1] ?? PAST_THE_END;
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
  const source = text;
  const start = at;
  const { length } = source;
  let end = start;
  let hash = 0x811c9dc5;
  while (end < length) {
    const code = source.charCodeAt(end);
    if (code < 128 ? classes[code] !== WORD : isBlankBeyondAscii(code)) break;
    hash = Math.imul(hash ^ code, 0x01000193);
    end++;
  }
  const word = finish(hash);
  // `if (a) b; else …`: the statement goes on after the semicolon.
  if (word === ELSE && count > 0 && hashes[count - 1] === 0) runStart = runBefore;
  add(start, end, word);
  previous = WORD_CHARACTER;
}

function readWhole(end: number): void {
  add(at, end, hashText(text, at, end));
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
  runBefore = runStart;
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
  add(start, end, hashText(text, start, end));
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
      add(start, end + 1, hashText(text, start, end + 1));
      previous = BACKTICK;
      return;
    } else if (code === DOLLAR && text.charCodeAt(end + 1) === BRACE_OPEN) {
      open(true);
      add(start, end + 2, hashText(text, start, end + 2));
      previous = BRACE_OPEN;
      return;
    }
  }
  add(start, text.length, hashText(text, start, text.length));
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
