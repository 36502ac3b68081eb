/**
 * A small lexer for ranges of Python text: enough to compare code without white space, comments and docstrings, and to
 * follow indentation. It never fails; text that is no Python gives some tokens or other.
 */
export type TokenKind = 'name' | 'number' | 'string' | 'operator' | 'newline' | 'indent' | 'dedent';

export interface TokenSink {
  token(kind: TokenKind, start: number, end: number): void;
  /** A line that steps back to a depth no outer line has. */
  badDedent?(offset: number): void;
}

const CR = 13;
const LF = 10;

export function tokenize(text: string, start: number, end: number, sink: TokenSink): void {
  new Lexer(text, end, sink).run(start);
}

class Lexer {
  private readonly text: string;
  private readonly end: number;
  private readonly sink: TokenSink;
  private depth = 0;
  private lineHasTokens = false;
  /** Columns of the open blocks below the first line of the range. */
  private readonly indents: number[] = [];

  constructor(text: string, end: number, sink: TokenSink) {
    this.text = text;
    this.end = end;
    this.sink = sink;
  }

  run(start: number): void {
    let at = start;
    while (at < this.end) {
      const unit = this.text.charCodeAt(at);
      if (unit === LF || unit === CR) {
        at = this.lineBreak(at);
      } else if (unit === 32 || unit === 9 || unit === 12 || unit === 0xfeff) {
        at++;
      } else if (unit === 35) {
        at = this.skipComment(at);
      } else if (unit === 92 && isLineBreak(this.text.charCodeAt(at + 1))) {
        at = afterLineBreak(this.text, at + 1);
      } else {
        at = this.token(at, unit);
      }
    }
    this.closeLine(this.end);
    while (this.indents.length > 0) {
      this.indents.pop();
      this.sink.token('dedent', this.end, this.end);
    }
  }

  private lineBreak(at: number): number {
    const next = afterLineBreak(this.text, at);
    if (this.depth > 0) return next;
    this.closeLine(at);
    return this.indentation(next);
  }

  private closeLine(at: number): void {
    if (this.lineHasTokens) this.sink.token('newline', at, at);
    this.lineHasTokens = false;
  }

  /** Measures the next line that is not blank and reports the blocks it opens or closes. */
  private indentation(lineStart: number): number {
    let column = 0;
    let at = lineStart;
    for (; at < this.end; at++) {
      const unit = this.text.charCodeAt(at);
      if (unit === 32) column++;
      else if (unit === 9) column = (column >> 3) * 8 + 8;
      else if (unit === 12) column = 0;
      else break;
    }
    const unit = this.text.charCodeAt(at);
    if (at >= this.end || unit === LF || unit === CR || unit === 35) return at;
    this.settle(column, at);
    return at;
  }

  private settle(column: number, at: number): void {
    const { indents } = this;
    const current = indents.at(-1);
    if (current === undefined || column > current) {
      if (current === undefined && column === 0) return;
      indents.push(column);
      this.sink.token('indent', at, at);
      return;
    }
    while (column < (indents.at(-1) ?? 0)) {
      indents.pop();
      this.sink.token('dedent', at, at);
    }
    if (column !== (indents.at(-1) ?? 0)) this.sink.badDedent?.(at);
  }

  private skipComment(at: number): number {
    let next = at;
    while (next < this.end && !isLineBreak(this.text.charCodeAt(next))) next++;
    return next;
  }

  private token(at: number, unit: number): number {
    this.lineHasTokens = true;
    if (isWordUnit(unit) && !isDigit(unit)) return this.word(at);
    if (unit === 34 || unit === 39) return this.emit('string', at, skipString(this.text, at, at, this.end));
    if (isDigit(unit) || (unit === 46 && isDigit(this.text.charCodeAt(at + 1)))) return this.number(at);
    if (unit === 40 || unit === 91 || unit === 123) this.depth++;
    else if ((unit === 41 || unit === 93 || unit === 125) && this.depth > 0) this.depth--;
    return this.emit('operator', at, at + operatorLength(this.text, at));
  }

  private word(at: number): number {
    let next = at + 1;
    while (next < this.end && isWordUnit(this.text.charCodeAt(next))) next++;
    const quote = this.text.charCodeAt(next);
    if (next - at <= 2 && (quote === 34 || quote === 39) && isStringPrefix(this.text, at, next)) {
      return this.emit('string', at, skipString(this.text, at, next, this.end));
    }
    return this.emit('name', at, next);
  }

  private number(at: number): number {
    let next = at + 1;
    while (next < this.end) {
      const unit = this.text.charCodeAt(next);
      const isExponentSign =
        (unit === 43 || unit === 45) &&
        /[eE]/.test(this.text[next - 1] ?? '') &&
        !/^0x/i.test(this.text.slice(at, at + 2));
      if (!isWordUnit(unit) && unit !== 46 && !isExponentSign) break;
      next++;
    }
    return this.emit('number', at, next);
  }

  private emit(kind: TokenKind, start: number, end: number): number {
    const stop = Math.min(end, this.end);
    this.sink.token(kind, start, stop);
    return stop;
  }
}

function isLineBreak(unit: number): boolean {
  return unit === LF || unit === CR;
}

function afterLineBreak(text: string, at: number): number {
  return text.charCodeAt(at) === CR && text.charCodeAt(at + 1) === LF ? at + 2 : at + 1;
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}

function isWordUnit(unit: number): boolean {
  return (
    (unit >= 97 && unit <= 122) ||
    (unit >= 65 && unit <= 90) ||
    unit === 95 ||
    isDigit(unit) ||
    (unit >= 128 && unit !== 0xfeff)
  );
}

const STRING_PREFIX = /^(?:[rbuft]|br|rb|fr|rf|tr|rt)$/i;

function isStringPrefix(text: string, start: number, end: number): boolean {
  return STRING_PREFIX.test(text.slice(start, end));
}

const OPERATORS = new Set([
  '**=',
  '//=',
  '>>=',
  '<<=',
  '...',
  '**',
  '//',
  '>>',
  '<<',
  '<=',
  '>=',
  '==',
  '!=',
  '->',
  '+=',
  '-=',
  '*=',
  '/=',
  '%=',
  '&=',
  '|=',
  '^=',
  '@=',
  ':=',
  '<>',
]);

function operatorLength(text: string, at: number): number {
  if (OPERATORS.has(text.slice(at, at + 3))) return 3;
  return OPERATORS.has(text.slice(at, at + 2)) ? 2 : 1;
}

/** The end of the string whose prefix starts at `start` and whose quote stands at `quoteAt`. */
function skipString(text: string, start: number, quoteAt: number, end: number): number {
  const isFormatted = /[ft]/i.test(text.slice(start, quoteAt));
  const quote = text[quoteAt] ?? '"';
  const isTriple = text.startsWith(quote.repeat(3), quoteAt);
  const close = isTriple ? quote.repeat(3) : quote;
  let at = quoteAt + close.length;
  while (at < end) {
    const unit = text.charCodeAt(at);
    if (unit === 92) at += 2;
    else if (text.startsWith(close, at)) return at + close.length;
    else if (!isTriple && isLineBreak(unit)) return at;
    else if (isFormatted && unit === 123)
      at = text.charCodeAt(at + 1) === 123 ? at + 2 : skipField(text, at, end);
    else at++;
  }
  return end;
}

/**
 * The end of a replacement field `{…}` of an f-string. Quotes inside may repeat the outer ones since Python 3.12, and
 * the text after the colon is no code, so `f"{x:'>9}"` holds no string. Deep nests are left to the caller's limit.
 */
function skipField(text: string, start: number, end: number): number {
  const closers: string[] = [];
  let inFormat = false;
  let at = start + 1;
  while (at < end) {
    const char = text[at] ?? '';
    if (inFormat) {
      if (char === '}') return at + 1;
      at = char === '{' ? Math.max(at + 1, plainField(text, at, end)) : at + 1;
      if (isLineBreak(char.charCodeAt(0))) return at;
      continue;
    }
    if (char === '"' || char === "'") {
      at = plainString(text, at, end);
      continue;
    }
    if (char === '(' || char === '[' || char === '{') closers.push(char);
    else if (char === '}' && closers.length === 0) return at + 1;
    else if (char === ')' || char === ']' || char === '}') closers.pop();
    else if (char === ':' && closers.length === 0 && text[at + 1] !== '=') inFormat = true;
    at++;
  }
  return end;
}

function plainField(text: string, at: number, end: number): number {
  const close = text.indexOf('}', at);
  return close === -1 || close >= end ? end : close + 1;
}

function plainString(text: string, at: number, end: number): number {
  const quote = text[at] ?? '"';
  const close = text.startsWith(quote.repeat(3), at) ? quote.repeat(3) : quote;
  let next = at + close.length;
  while (next < end) {
    if (text[next] === '\\') next += 2;
    else if (text.startsWith(close, next)) return next + close.length;
    else if (close.length === 1 && isLineBreak(text.charCodeAt(next))) return next;
    else next++;
  }
  return end;
}
