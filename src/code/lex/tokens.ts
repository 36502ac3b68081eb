import {
  backslash,
  blankClass,
  carriageReturn,
  classes,
  closeClass,
  endOfRegularExpression,
  finish,
  hashText,
  hashWord,
  lineFeed,
  literal,
  openClass,
  quoteClass,
  slash,
  spaceCode,
  wordClass,
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
  /** How many tokens were read as regular expressions. */
  readonly regularExpressions: number;
  /** Greatest number of open brackets. */
  readonly deepestBrackets: number;
  /** Most tokens in a row on one level of brackets without a comma or semicolon. */
  readonly longestRun: number;
}

const is = (char: string) => char.charCodeAt(0);
const star = is('*');
const backtick = is('`');
const dollar = is('$');
const comma = is(',');
const semicolon = is(';');
const parenClose = is(')');
const braceOpen = is('{');
const braceClose = is('}');
const greater = is('>');
/** Represents all characters of words where only the class of the last character matters. */
const wordCharacter = is('a');
const commaHash = finish(comma);
const elseWord = hashWord('else');

/** After these words a slash starts a regular expression, not a division. */
const beforeExpression = new Set(
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

/** Characters that neither start nor end anything. */
const isPlainMark = Uint8Array.from({ length: 128 }, (_, code) =>
  classes[code] === 0 && !'/`>,;'.includes(String.fromCharCode(code)) ? 1 : 0,
);

/** Columns for the next tokenisation. Memory without tokens is never touched. */
let columns = columnsOf(1 << 20);

/**
 * Tokenises text of a C-like language. `whole`: ranges that the caller knows better than a tokenizer, as a flat, ascending list
 * `start, end, start, end…`: each is one token as written, such as text between JSX tags. The columns of the result are reused: they are
 * valid until the next call.
 */
export function tokenize(source: string, whole: readonly number[] = []): Tokens {
  // No text has more tokens than characters.
  if (source.length > columns.start.length)
    columns = columnsOf(Math.max(source.length, columns.start.length * 2));
  return new Tokenizer(source, columns).read(whole);
}

type Columns = Pick<Tokens, 'start' | 'end' | 'hash'>;

class Tokenizer {
  readonly #text: string;
  readonly #codes: Uint16Array;
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;
  readonly #hashes: Int32Array;
  #at = 0;
  #count = 0;
  /** Last significant character: decides what a slash means. */
  #previous = 0;
  #regularExpressions = 0;
  /** By quote: where the line ends on which one is open. */
  readonly #openUntil = new Map<number, number>();
  /** Three numbers for each open bracket: see `open`. */
  readonly #brackets: number[] = [];
  #deepestBrackets = 0;
  #runStart = 0;
  #runBefore = 0;
  #longestRun = 0;

  constructor(text: string, { start, end, hash }: Columns) {
    this.#text = text;
    this.#codes = codesOf(text);
    this.#starts = start;
    this.#ends = end;
    this.#hashes = hash;
    if (text.startsWith('#!')) this.#skipLine();
  }

  read(whole: readonly number[]): Tokens {
    for (let i = 0; i + 1 < whole.length; i += 2) {
      this.#readUntil(whole[i] as number);
      // An earlier token may overlap the range: then the range is not a separate token.
      if (this.#at === whole[i]) this.#addLiteral(this.#at, whole[i + 1] as number);
    }
    this.#readUntil(this.#text.length);
    this.#noteRun();
    return {
      text: this.#text,
      codes: this.#codes,
      count: this.#count,
      start: this.#starts,
      end: this.#ends,
      hash: this.#hashes,
      regularExpressions: this.#regularExpressions,
      deepestBrackets: this.#deepestBrackets,
      longestRun: this.#longestRun,
    };
  }

  /** Reads tokens until one ends at `limit` or beyond it. */
  #readUntil(limit: number): void {
    // Local copies: the compiler would look up module variables each time.
    const units = this.#codes;
    const kinds = classes;
    const from = this.#starts;
    const to = this.#ends;
    const hashed = this.#hashes;
    let token = this.#count;
    let i = this.#at;
    while (i < limit) {
      const code = units[i] as number;
      const kind = kinds[code] as number;
      if (kind === blankClass) {
        i++;
        while (units[i] === spaceCode) i++;
        continue;
      }
      if (kind === wordClass) {
        from[token] = i;
        let hash = 0x811c9dc5;
        let next = code;
        do {
          hash = Math.imul(hash ^ next, 0x01000193);
          next = units[++i] as number;
        } while (kinds[next] === wordClass);
        const word = finish(hash);
        // `if (a) b; else …`: the statement continues after the semicolon.
        if (word === elseWord && token > 0 && hashed[token - 1] === 0) this.#runStart = this.#runBefore;
        to[token] = i;
        hashed[token] = word;
        token++;
        this.#previous = wordCharacter;
        continue;
      }
      if (isPlainMark[code] === 1) {
        from[token] = i;
        to[token] = ++i;
        hashed[token] = markHashes[code] as number;
        token++;
        this.#previous = code;
        continue;
      }
      this.#at = i;
      this.#count = token;
      if (kind === quoteClass) this.#readString(code);
      else this.#readMark(code, kind);
      i = this.#at;
      token = this.#count;
    }
    this.#at = i;
    this.#count = token;
  }

  #add(start: number, end: number, hash: number): void {
    this.#starts[this.#count] = start;
    this.#ends[this.#count] = end;
    this.#hashes[this.#count] = hash;
    this.#count++;
    this.#at = end;
  }

  /** One token as written, after which no expression starts. */
  #addLiteral(start: number, end: number): void {
    this.#add(start, end, hashText(this.#codes, start, end));
    this.#previous = parenClose;
  }

  /** The hash does not depend on the quotes: `\'` and `\"` count as the bare quote. */
  #readString(quote: number): void {
    const units = this.#codes;
    const { length } = this.#text;
    // What an earlier quote did not find on this line is not there for this one either.
    if (this.#at < (this.#openUntil.get(quote) ?? 0)) {
      this.#readMark(quote, 0);
      return;
    }
    let hash = literal;
    let end = this.#at + 1;
    for (; end < length; end++) {
      let code = units[end] as number;
      if (code === quote) {
        this.#add(this.#at, end + 1, finish(hash));
        this.#previous = parenClose;
        return;
      }
      if (code === lineFeed) break;
      if (code === backslash) {
        const escaped = units[++end] as number;
        if (classes[escaped] !== quoteClass) hash = Math.imul(hash ^ code, 0x01000193);
        code = escaped;
        if (code === carriageReturn && units[end + 1] === lineFeed) {
          hash = Math.imul(hash ^ code, 0x01000193);
          code = units[++end] as number;
        }
      }
      hash = Math.imul(hash ^ code, 0x01000193);
    }
    this.#openUntil.set(quote, end);
    this.#readMark(quote, 0);
  }

  #readMark(code: number, kind: number): void {
    const start = this.#at;
    if (kind === openClass) this.#open(false);
    else if (kind === closeClass) {
      this.#dropTrailingComma();
      if (this.#close() && code === braceClose) {
        this.#readTemplate(start);
        return;
      }
    } else if (code === slash) {
      if (this.#readSlash()) return;
    } else if (code === backtick) {
      this.#readTemplate(start);
      return;
    } else if (code === greater) this.#dropTrailingComma();
    else if (code === comma) this.#noteRun();
    else if (code === semicolon) {
      this.#noteRun();
      this.#add(start, start + 1, 0);
      this.#previous = code;
      return;
    }
    this.#previous = code;
    this.#add(start, start + 1, markHashes[code] as number);
  }

  /** For each bracket: whether it is the `{` of a template's `${`, where the run around it started, and its first token. */
  #open(isTemplate: boolean): void {
    this.#brackets.push(isTemplate ? 1 : 0, this.#runStart, this.#count);
    if (this.#brackets.length > this.#deepestBrackets * 3) this.#deepestBrackets = this.#brackets.length / 3;
    this.#runStart = this.#count + 1;
  }

  /** True when the bracket belonged to a template. */
  #close(): boolean {
    if (this.#brackets.length === 0) return false;
    this.#noteRun();
    const first = this.#brackets.pop() as number;
    // The tokens between the brackets are not part of the run around them.
    this.#runStart = (this.#brackets.pop() as number) + (this.#count - first);
    return this.#brackets.pop() === 1;
  }

  /** Ends a run: tokens on one level of brackets without a comma or semicolon. */
  #noteRun(): void {
    if (this.#count - this.#runStart > this.#longestRun) this.#longestRun = this.#count - this.#runStart;
    this.#runBefore = this.#runStart;
    this.#runStart = this.#count;
  }

  #dropTrailingComma(): void {
    if (this.#count > 0 && this.#hashes[this.#count - 1] === commaHash) this.#count--;
  }

  /** Reads a comment or a regular expression; false when the slash divides. */
  #readSlash(): boolean {
    const start = this.#at;
    const next = this.#codes[start + 1];
    if (next === slash) {
      this.#skipLine();
      return true;
    }
    if (next === star) {
      const end = this.#text.indexOf('*/', start + 2);
      this.#at = end < 0 ? this.#text.length : end + 2;
      return true;
    }
    if (!this.#expectsExpression()) return false;
    const end = endOfRegularExpression(this.#codes, start, this.#text.length);
    if (end < 0) return false;
    this.#regularExpressions++;
    this.#addLiteral(start, end);
    return true;
  }

  #expectsExpression(): boolean {
    if (this.#previous === wordCharacter)
      return beforeExpression.has(this.#hashes[this.#count - 1] as number);
    return classes[this.#previous] !== closeClass && this.#previous !== backtick;
  }

  /** One token per piece of literal text; the content of `${…}` is tokenised as code. */
  #readTemplate(start: number): void {
    const { length } = this.#text;
    for (let end = start + 1; end < length; end++) {
      const code = this.#codes[end];
      if (code === backslash) end++;
      else if (code === backtick) {
        this.#add(start, end + 1, hashText(this.#codes, start, end + 1));
        this.#previous = backtick;
        return;
      } else if (code === dollar && this.#codes[end + 1] === braceOpen) {
        this.#open(true);
        this.#add(start, end + 2, hashText(this.#codes, start, end + 2));
        this.#previous = braceOpen;
        return;
      }
    }
    this.#add(start, length, hashText(this.#codes, start, length));
  }

  #skipLine(): void {
    const end = this.#text.indexOf('\n', this.#at);
    this.#at = end < 0 ? this.#text.length : end;
  }
}

function columnsOf(size: number): Columns {
  return { start: column(size), end: column(size), hash: column(size) };
}

/** Not shared between threads; other kinds of buffers of this size would make V8 collect garbage. */
function column(size: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(size * 4));
}
