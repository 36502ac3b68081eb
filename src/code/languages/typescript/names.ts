import type { FlatTree } from './tree/flat-tree.ts';

const BACKSLASH = 92;

/** The identifiers of one file as small numbers: equal names, equal numbers. */
export class Names {
  readonly #text: string;
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #strings: (string | undefined)[] = [];
  #slots: Int32Array;

  constructor(text: string) {
    this.#text = text;
    // Sources have about one distinct name per forty characters: large enough to hardly ever grow.
    this.#slots = new Int32Array(1 << Math.max(8, 28 - Math.clz32(text.length)));
  }

  get count(): number {
    return this.#starts.length;
  }

  /** The number of the identifier that stands at `[start, end)`. */
  at(start: number, end: number): number {
    const text = this.#text;
    let hash = 0;
    for (let i = start; i < end; i++) {
      const code = text.charCodeAt(i);
      if (code === BACKSLASH) return this.of(unescapeIdentifier(text.slice(start, end)));
      hash = Math.imul(hash, 31) + code;
    }
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (;;) {
      const name = (slots[slot] as number) - 1;
      if (name < 0) return this.#add(slot, start, end, undefined);
      if (this.#isAt(name, start, end)) return name;
      slot = (slot + 1) & mask;
    }
  }

  /** The number of a name given as a string. */
  of(string: string): number {
    let hash = 0;
    for (let i = 0; i < string.length; i++) hash = Math.imul(hash, 31) + string.charCodeAt(i);
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (;;) {
      const name = (slots[slot] as number) - 1;
      if (name < 0) return this.#add(slot, 0, 0, string);
      if (this.text(name) === string) return name;
      slot = (slot + 1) & mask;
    }
  }

  text(name: number): string {
    const known = this.#strings[name];
    if (known !== undefined) return known;
    const string = this.#text.slice(this.#starts[name], this.#ends[name]);
    this.#strings[name] = string;
    return string;
  }

  /** The name of an identifier node as a string. */
  ofNode(tree: FlatTree, node: number): string {
    return this.text(this.at(tree.start[node] as number, tree.end[node] as number));
  }

  #isAt(name: number, start: number, end: number): boolean {
    const known = this.#strings[name];
    const text = this.#text;
    if (known !== undefined) {
      if (known.length !== end - start) return false;
      for (let i = 0; i < known.length; i++)
        if (known.charCodeAt(i) !== text.charCodeAt(start + i)) return false;
      return true;
    }
    const from = this.#starts[name] as number;
    if ((this.#ends[name] as number) - from !== end - start) return false;
    for (let i = end - start - 1; i >= 0; i--)
      if (text.charCodeAt(from + i) !== text.charCodeAt(start + i)) return false;
    return true;
  }

  #add(slot: number, start: number, end: number, string: string | undefined): number {
    const name = this.#starts.length;
    this.#starts.push(start);
    this.#ends.push(end);
    this.#strings.push(string);
    this.#slots[slot] = name + 1;
    if (name * 2 > this.#slots.length) this.#rehash();
    return name;
  }

  #rehash(): void {
    const slots = new Int32Array(this.#slots.length * 4);
    const mask = slots.length - 1;
    for (let name = 0; name < this.#starts.length; name++) {
      const string = this.text(name);
      let hash = 0;
      for (let i = 0; i < string.length; i++) hash = Math.imul(hash, 31) + string.charCodeAt(i);
      let slot = (hash ^ (hash >>> 15)) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = name + 1;
    }
    this.#slots = slots;
  }
}

function unescapeIdentifier(raw: string): string {
  return raw.replace(/\\u(?:\{([\da-fA-F]+)\}|([\da-fA-F]{4}))/g, (whole, braced, plain) => {
    const code = Number.parseInt(braced ?? plain, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
