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
  /** How many tokens were taken for regular expressions. */
  readonly regularExpressions: number;
  /** How many brackets are open at most. */
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
/** Stands for all characters of words where only the kind of the last character matters. */
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

/** Marks that neither begin nor end anything. */
const isPlainMark = Uint8Array.from({ length: 128 }, (_, code) =>
  classes[code] === 0 && !'/`>,;'.includes(String.fromCharCode(code)) ? 1 : 0,
);

/** Columns that the next tokenisation writes to. Memory that no token is written to is never touched. */
let columns = columnsOf(1 << 20);

/**
 * Tokenises text of a C-like language. `whole` holds ranges the caller knows better than a tokenizer can, a flat list
 * `start, end, start, end…`, ascending: each is one token as it stands, such as text between JSX tags. The columns of
 * the result are reused: they are valid until the next call.
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
  /** Code of the last significant character: decides what a slash means. */
  #previous = 0;
  #regularExpressions = 0;
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
      // What began before may reach beyond: then the range is no token of its own.
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
    // Of the function itself while it runs: the compiler looks up a variable of the module each time.
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
        // `if (a) b; else …`: the statement goes on after the semicolon.
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

  /** One token as it stands, after which no expression begins. */
  #addLiteral(start: number, end: number): void {
    this.#add(start, end, hashText(this.#codes, start, end));
    this.#previous = parenClose;
  }

  /** It hashes alike whatever quotes surround it: `\'` and `\"` count as the bare quote. */
  #readString(quote: number): void {
    const units = this.#codes;
    const { length } = this.#text;
    let hash = literal;
    for (let end = this.#at + 1; end < length; end++) {
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

  /** For each bracket: whether it is the `{` of a template's `${`, where the run around it began, and its first token. */
  #open(isTemplate: boolean): void {
    this.#brackets.push(isTemplate ? 1 : 0, this.#runStart, this.#count);
    if (this.#brackets.length > this.#deepestBrackets * 3) this.#deepestBrackets = this.#brackets.length / 3;
    this.#runStart = this.#count + 1;
  }

  /** True when the bracket was that of a template. */
  #close(): boolean {
    if (this.#brackets.length === 0) return false;
    this.#noteRun();
    const first = this.#brackets.pop() as number;
    // What stands between the brackets is no part of the run around them.
    this.#runStart = (this.#brackets.pop() as number) + (this.#count - first);
    return this.#brackets.pop() === 1;
  }

  /** Ends a run of tokens on one level of brackets that no comma or semicolon interrupts. */
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

  /** One token per stretch of literal text; what stands in `${…}` is tokenised as code. */
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

/** Not shared with another thread; other kinds of buffers of this size would make V8 collect garbage. */
function column(size: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(size * 4));
}
