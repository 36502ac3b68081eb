/**
 * A small lexer: enough to compare code without white space, comments and docstrings, and to follow indentation. It never fails; text that
 * is not Python gives arbitrary tokens.
 */
export type TokenKind = 'name' | 'number' | 'string' | 'operator' | 'newline' | 'indent' | 'dedent';

export interface TokenSink {
  token(kind: TokenKind, start: number, end: number): void;
  /** A line that dedents to a depth that no outer line has. */
  badDedent?(offset: number): void;
}

const tab = 9;
const lf = 10;
const ff = 12;
const cr = 13;
const space = 32;
const doubleQuote = 34;
const hash = 35;
const singleQuote = 39;
const backslash = 92;
const openBrace = 123;
const byteOrderMark = 0xfeff;

export function tokenize(text: string, sink: TokenSink): void {
  new Lexer(text, sink).run();
}

/** One walk over the text for two readers. */
export function both(first: TokenSink, second: TokenSink): TokenSink {
  return {
    token(kind, start, end) {
      first.token(kind, start, end);
      second.token(kind, start, end);
    },
    badDedent(offset) {
      first.badDedent?.(offset);
      second.badDedent?.(offset);
    },
  };
}

class Lexer {
  readonly #text: string;
  readonly #sink: TokenSink;
  #depth = 0;
  #lineHasTokens = false;
  /** Columns of the open blocks. */
  readonly #indents: number[] = [];

  constructor(text: string, sink: TokenSink) {
    this.#text = text;
    this.#sink = sink;
  }

  run(): void {
    const text = this.#text;
    const end = text.length;
    let at = text.charCodeAt(0) === byteOrderMark ? this.#indentation(1) : this.#indentation(0);
    while (at < end) {
      const unit = text.charCodeAt(at);
      if (unit === space || unit === tab || unit === ff) at++;
      else if (isLineBreak(unit)) at = this.#lineBreak(at);
      else if (unit === hash) at = this.#skipComment(at);
      else if (unit === backslash && isLineBreak(text.charCodeAt(at + 1))) at = afterLineBreak(text, at + 1);
      else at = this.#token(at, unit);
    }
    this.#closeLine(end);
    for (let open = this.#indents.length; open > 0; open--) this.#sink.token('dedent', end, end);
  }

  #lineBreak(at: number): number {
    const next = afterLineBreak(this.#text, at);
    if (this.#depth > 0) return next;
    this.#closeLine(at);
    return this.#indentation(next);
  }

  #closeLine(at: number): void {
    if (this.#lineHasTokens) this.#sink.token('newline', at, at);
    this.#lineHasTokens = false;
  }

  /** Measures the next line, unless it is blank, and reports the blocks it opens or closes. */
  #indentation(lineStart: number): number {
    const text = this.#text;
    let column = 0;
    let at = lineStart;
    for (; ; at++) {
      const unit = text.charCodeAt(at);
      if (unit === space) column++;
      else if (unit === tab) column = (column >> 3) * 8 + 8;
      else if (unit === ff) column = 0;
      else {
        const isBlank = at >= text.length || isLineBreak(unit) || unit === hash;
        if (!isBlank) this.#settle(column, at);
        return at;
      }
    }
  }

  #settle(column: number, at: number): void {
    const indents = this.#indents;
    if (column > (indents.at(-1) ?? 0)) {
      indents.push(column);
      this.#sink.token('indent', at, at);
      return;
    }
    while (column < (indents.at(-1) ?? 0)) {
      indents.pop();
      this.#sink.token('dedent', at, at);
    }
    if (column !== (indents.at(-1) ?? 0)) this.#sink.badDedent?.(at);
  }

  #skipComment(at: number): number {
    let next = at;
    while (next < this.#text.length && !isLineBreak(this.#text.charCodeAt(next))) next++;
    return next;
  }

  #token(at: number, unit: number): number {
    this.#lineHasTokens = true;
    if (isDigit(unit) || (unit === 46 && isDigit(this.#text.charCodeAt(at + 1)))) return this.#number(at);
    if (isWordUnit(unit)) return this.#word(at);
    if (isQuote(unit)) return this.#emit('string', at, skipString(this.#text, at, at));
    if (unit === 40 || unit === 91 || unit === openBrace) this.#depth++;
    else if ((unit === 41 || unit === 93 || unit === 125) && this.#depth > 0) this.#depth--;
    return this.#emit('operator', at, at + operatorLength(this.#text, at, unit));
  }

  #word(at: number): number {
    const text = this.#text;
    let next = at + 1;
    while (isWordUnit(text.charCodeAt(next))) next++;
    const isPrefix =
      next - at <= 2 && isQuote(text.charCodeAt(next)) && stringPrefix.test(text.slice(at, next));
    if (isPrefix) return this.#emit('string', at, skipString(text, at, next));
    return this.#emit('name', at, next);
  }

  #number(at: number): number {
    const text = this.#text;
    const isHex = /^0x/i.test(text.slice(at, at + 2));
    let next = at + 1;
    for (; ; next++) {
      const unit = text.charCodeAt(next);
      const isSign = (unit === 43 || unit === 45) && !isHex && /[eE]/.test(text[next - 1] ?? '');
      if (!isWordUnit(unit) && unit !== 46 && !isSign) break;
    }
    return this.#emit('number', at, next);
  }

  #emit(kind: TokenKind, start: number, end: number): number {
    this.#sink.token(kind, start, end);
    return end;
  }
}

function isLineBreak(unit: number): boolean {
  return unit === lf || unit === cr;
}

function isQuote(unit: number): boolean {
  return unit === doubleQuote || unit === singleQuote;
}

function afterLineBreak(text: string, at: number): number {
  return text.charCodeAt(at) === cr && text.charCodeAt(at + 1) === lf ? at + 2 : at + 1;
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}

function isWordUnit(unit: number): boolean {
  return (
    (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || unit === 95 || isDigit(unit) || unit >= 128
  );
}

const stringPrefix = /^(?:[rbuft]|br|rb|fr|rf|tr|rt)$/i;

/** Length of the operator: by its first character, which second characters extend it; three-character operators double the first. */
function operatorLength(text: string, at: number, unit: number): number {
  const next = text.charCodeAt(at + 1);
  const isDoubled = next === unit && (unit === 42 || unit === 47 || unit === 60 || unit === 62);
  if (isDoubled) return text.charCodeAt(at + 2) === 61 ? 3 : 2;
  if (unit === 46 && next === 46 && text.charCodeAt(at + 2) === 46) return 3;
  if (next === 61 && '+-*/%&|^@<>=!:'.includes(text[at] ?? ' ')) return 2;
  return unit === 45 && next === 62 ? 2 : 1;
}

/** The end of the string whose prefix starts at `start` and whose quote is at `quoteAt`. */
function skipString(text: string, start: number, quoteAt: number): number {
  const isFormatted = isFormattedString(text, start);
  const quote = text.charCodeAt(quoteAt);
  const isTriple = text.charCodeAt(quoteAt + 1) === quote && text.charCodeAt(quoteAt + 2) === quote;
  let at = quoteAt + (isTriple ? 3 : 1);
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    if (unit === backslash)
      at = text.charCodeAt(at + 1) === cr && text.charCodeAt(at + 2) === lf ? at + 3 : at + 2;
    else if (unit === quote && !isTriple) return at + 1;
    else if (unit === quote && text.charCodeAt(at + 1) === quote && text.charCodeAt(at + 2) === quote)
      return at + 3;
    else if (isLineBreak(unit) && !isTriple) return at;
    else if (isFormatted && unit === openBrace) {
      at = text.charCodeAt(at + 1) === openBrace ? at + 2 : skipField(text, at);
    } else at++;
  }
  return text.length;
}

/** Whether the prefix of a string makes it an f-string or a t-string. */
export function isFormattedString(text: string, start: number): boolean {
  for (let at = start; ; at++) {
    const letter = text.charCodeAt(at) | space;
    if (letter === 102 || letter === 116) return true;
    if (letter !== 114 && letter !== 98 && letter !== 117) return false;
  }
}

/**
 * The end of a replacement field `{…}`. Since Python 3.12 quotes inside may repeat the outer ones, and the text after the colon is not
 * code, so `f"{x:'>9}"` contains no string.
 */
function skipField(text: string, start: number): number {
  let depth = 0;
  let inFormat = false;
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char === '{' || (!inFormat && (char === '(' || char === '['))) depth++;
    else if (char === '}' && depth === 0) return at + 1;
    else if (char === '}' || (!inFormat && (char === ')' || char === ']'))) depth--;
    else if (inFormat) continue;
    else if (char === '"' || char === "'") at = skipPlainString(text, at) - 1;
    else if (char === ':' && depth === 0 && text[at + 1] !== '=') inFormat = true;
  }
  return text.length;
}

/** The end of a string inside a field; deeper fields in it are not parsed. */
function skipPlainString(text: string, quoteAt: number): number {
  const quote = text[quoteAt] ?? '"';
  const close = text.startsWith(quote.repeat(3), quoteAt) ? quote.repeat(3) : quote;
  for (let at = quoteAt + close.length; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text.startsWith(close, at)) return at + close.length;
    else if (close.length === 1 && isLineBreak(text.charCodeAt(at))) return at;
  }
  return text.length;
}
