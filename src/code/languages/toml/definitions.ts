/** A key or table header of a TOML file, found without validating the values. */
export interface Definition {
  readonly form: 'key' | 'table' | 'array-table';
  /** Relative to the enclosing table: `a.b = 1` is `['a', 'b']`, `b` in `a = [{ b = 1 }]` is `['a', '0', 'b']`. */
  readonly path: readonly string[];
  /** How many of the last parts of the path are written in the dotted key. */
  readonly width: number;
  readonly line: number;
  /** Range of the dotted key. */
  readonly start: number;
  readonly end: number;
}

/** Every key and header in order; stops where the text is not TOML, which the parser then reports. */
export function findDefinitions(text: string): Definition[] {
  return new Scanner(text).run();
}

/** An open array or inline table. */
interface OpenValue {
  readonly closer: ']' | '}';
  readonly path: readonly string[];
  /** For an array: how many elements were read. */
  elements: number;
  /** For an inline table: path of the key whose value comes next. */
  key: readonly string[];
}

/** The parser gives up at the same depth. */
const maxDepth = 1_000;

const bareKey = /[A-Za-z0-9_-]+/y;
/** Anything in a value that is neither string, bracket, comma, comment nor line end. */
const plainValue = /[^"'[\]{},#\r\n]+/y;

class Scanner {
  readonly #text: string;
  #at = 0;
  #line = 1;
  readonly #found: Definition[] = [];

  constructor(text: string) {
    this.#text = text;
    if (text.startsWith('\ufeff')) this.#at = 1;
  }

  run(): Definition[] {
    while (this.#at < this.#text.length) {
      this.#skipBlank();
      if (this.#at >= this.#text.length) break;
      const isRead = this.#peek() === '[' ? this.#header() : this.#keyValue();
      if (!isRead) break;
    }
    return this.#found;
  }

  #header(): boolean {
    const form = this.#text.startsWith('[[', this.#at) ? 'array-table' : 'table';
    this.#at += form === 'table' ? 1 : 2;
    if (this.#key(form, []) === null) return false;
    this.#skipLine();
    return true;
  }

  #keyValue(): boolean {
    const path = this.#key('key', []);
    return path !== null && this.#equals() && this.#value(path);
  }

  #equals(): boolean {
    this.#skipSpaces();
    if (this.#peek() !== '=') return false;
    this.#at++;
    return true;
  }

  /** Reads a dotted key and lists it; returns its path, or null when there is none. */
  #key(form: Definition['form'], around: readonly string[]): readonly string[] | null {
    this.#skipSpaces();
    const start = this.#at;
    const parts: string[] = [];
    for (;;) {
      const part = this.#take(bareKey) ?? this.#quotedKey();
      if (part === null) return null;
      parts.push(part);
      const end = this.#at;
      this.#skipSpaces();
      if (this.#peek() !== '.') {
        const path = [...around, ...parts];
        this.#found.push({ form, path, width: parts.length, line: this.#line, start, end });
        return path;
      }
      this.#at++;
      this.#skipSpaces();
    }
  }

  /** Skips a value to the end of its line; keys of inline tables in it are listed. */
  #value(path: readonly string[]): boolean {
    const open: OpenValue[] = [];
    for (;;) {
      const innermost = open.at(-1);
      if (innermost === undefined) this.#skipSpaces();
      else this.#skipBlank();
      const char = this.#peek();
      if (char === '' || (innermost === undefined && /[\r\n#]/.test(char))) break;
      if (!this.#step(char, open, innermost === undefined ? path : pathInside(innermost))) return false;
    }
    this.#skipLine();
    return open.length === 0;
  }

  #step(char: string, open: OpenValue[], path: readonly string[]): boolean {
    if (open.length > maxDepth) return false;
    switch (char) {
      case '[':
        this.#at++;
        open.push({ closer: ']', path, elements: 0, key: [] });
        return true;
      case '{':
        this.#at++;
        open.push({ closer: '}', path, elements: 0, key: [] });
        return this.#inlineKey(open);
      case ']':
      case '}':
        this.#at++;
        return open.pop()?.closer === char;
      case ',':
        this.#at++;
        return this.#nextElement(open);
      default:
        return this.#scalar();
    }
  }

  #nextElement(open: readonly OpenValue[]): boolean {
    const innermost = open.at(-1);
    if (innermost === undefined) return false;
    innermost.elements++;
    return innermost.closer === ']' || this.#inlineKey(open);
  }

  /** Reads the next key of the innermost inline table, unless the table ends here. */
  #inlineKey(open: readonly OpenValue[]): boolean {
    this.#skipBlank();
    const table = open.at(-1);
    if (this.#peek() === '}' || table === undefined) return true;
    const key = this.#key('key', table.path);
    if (key !== null) table.key = key;
    return key !== null && this.#equals();
  }

  #scalar(): boolean {
    const quote = this.#peek();
    if (quote !== '"' && quote !== "'") return this.#take(plainValue) !== null;
    const isMultiline = this.#text.startsWith(quote.repeat(3), this.#at);
    return isMultiline ? this.#multilineString(quote) : this.#oneLineString(quote) !== null;
  }

  #quotedKey(): string | null {
    const quote = this.#peek();
    return quote === '"' || quote === "'" ? this.#oneLineString(quote) : null;
  }

  /** The content of a string, or null when it does not end on its line. */
  #oneLineString(quote: string): string | null {
    const start = this.#at + 1;
    for (let at = start; at < this.#text.length; at++) {
      const char = this.#text[at];
      if (char === '\\' && quote === '"') at++;
      else if (char === quote) {
        this.#at = at + 1;
        return this.#text.slice(start, at);
      } else if (char === '\n') return null;
    }
    return null;
  }

  #multilineString(quote: string): boolean {
    for (let at = this.#at + 3; at < this.#text.length; at++) {
      const char = this.#text[at];
      if (char === '\n') this.#line++;
      if (char === '\\' && quote === '"' && this.#text[at + 1] !== '\n') at++;
      else if (char === quote && this.#text.startsWith(quote.repeat(3), at)) {
        // Up to two more quotes belong to the content.
        this.#at = at + 3;
        while (this.#peek() === quote && this.#at < at + 5) this.#at++;
        return true;
      }
    }
    return false;
  }

  #take(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match === null) return null;
    this.#at += match[0].length;
    return match[0];
  }

  #peek(): string {
    return this.#text[this.#at] ?? '';
  }

  #skipSpaces(): void {
    while (this.#peek() === ' ' || this.#peek() === '\t') this.#at++;
  }

  /** White space, line ends and comments. */
  #skipBlank(): void {
    for (;;) {
      const char = this.#peek();
      if (char === '#') this.#skipLine();
      else if (char === '\n') {
        this.#line++;
        this.#at++;
      } else if (char === ' ' || char === '\t' || char === '\r') this.#at++;
      else return;
    }
  }

  #skipLine(): void {
    const end = this.#text.indexOf('\n', this.#at);
    this.#at = end === -1 ? this.#text.length : end;
  }
}

function pathInside({ closer, path, elements, key }: OpenValue): readonly string[] {
  return closer === '}' ? key : [...path, String(elements)];
}
