import type { DocumentEntry, DocumentNode } from './document.ts';

/** Deeper documents are not descriptions of data. */
const deepest = 1000;

/** A JSON document with offsets; null when it is not strict JSON or is nested very deeply. */
export function readJson(text: string): DocumentNode | null {
  try {
    JSON.parse(text);
    return new JsonReader(text).value(0);
  } catch {
    return null;
  }
}

/** Reads a text that `JSON.parse` accepts, so that no character needs another check. */
class JsonReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(depth: number): DocumentNode {
    if (depth > deepest) throw new RangeError('nested too deeply');
    const at = this.#next();
    switch (this.#text[at]) {
      case '{':
        return { kind: 'map', at, entries: this.#list('}', () => this.#entry(depth + 1)) };
      case '[':
        return { kind: 'list', at, items: this.#list(']', () => this.value(depth + 1)) };
      default:
        return { kind: 'scalar', at, value: this.#scalar() };
    }
  }

  #entry(depth: number): DocumentEntry {
    const keyAt = this.#next();
    const key = this.#scalar() as string;
    this.#at = this.#next() + 1; // The colon.
    return { key, keyAt, value: this.value(depth) };
  }

  #list<Item>(end: string, item: () => Item): Item[] {
    const found: Item[] = [];
    this.#at++;
    while (this.#text[this.#next()] !== end) {
      found.push(item());
      if (this.#text[this.#next()] === ',') this.#at++;
    }
    this.#at++;
    return found;
  }

  #scalar(): unknown {
    const start = this.#at;
    const pattern = this.#text[start] === '"' ? string : word;
    pattern.lastIndex = start;
    pattern.test(this.#text);
    this.#at = pattern.lastIndex;
    return JSON.parse(this.#text.slice(start, this.#at));
  }

  #next(): number {
    let at = this.#at;
    for (let code = this.#text.charCodeAt(at); isSpace(code); code = this.#text.charCodeAt(at)) at++;
    this.#at = at;
    return at;
  }
}

const string = /"(?:[^"\\]|\\.)*"/y;
const word = /[^\s,\]}]+/y;

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
