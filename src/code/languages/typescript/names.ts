import type { FlatTree } from './tree/flat-tree.ts';

const backslash = 92;

/** Reused from file to file. */
let allSlots = new Int32Array(1 << 12);
/** Where each name first occurs; -1 for one that was passed as a string. */
let starts = new Int32Array(1 << 11);
let ends = new Int32Array(1 << 11);
/** By node: the number of its name plus one, once it was looked up. */
let nodeColumn = new Int32Array(0);

/** The identifiers of one file as small numbers: equal names have equal numbers. Valid until the next instance is created. */
export class Names {
  readonly #text: string;
  readonly #codes: Uint16Array;
  readonly #tree: FlatTree;
  readonly #byNode: Int32Array;
  readonly #strings: (string | undefined)[] = [];
  #slots: Int32Array;
  #count = 0;
  /** Hash all characters: generated names often differ only in those that are skipped otherwise. */
  #isThorough = false;

  /** `codes`: the UTF-16 units of `text`. */
  constructor(text: string, codes: Uint16Array, tree: FlatTree) {
    this.#text = text;
    this.#codes = codes;
    this.#tree = tree;
    if (nodeColumn.length < tree.count) nodeColumn = new Int32Array(tree.kind.length);
    else nodeColumn.fill(0, 0, tree.count);
    this.#byNode = nodeColumn;
    // Sources have about one distinct name per forty characters: large enough that it rarely has to grow.
    const size = 1 << Math.max(8, 28 - Math.clz32(text.length));
    if (size > allSlots.length) allSlots = new Int32Array(size);
    this.#slots = allSlots.subarray(0, size).fill(0);
  }

  get count(): number {
    return this.#count;
  }

  /** The number of the name of an identifier node. */
  numberOf(node: number): number {
    const known = (this.#byNode[node] as number) - 1;
    if (known >= 0) return known;
    const { start, end } = this.#tree;
    const number = this.#at(start[node] as number, end[node] as number);
    this.#byNode[node] = number + 1;
    return number;
  }

  /** The number of the identifier at `[start, end)`. */
  #at(start: number, end: number): number {
    const codes = this.#codes;
    const length = end - start;
    let hash = 0;
    if (this.#isThorough) for (let i = start; i < end; i++) hash = step(hash, codes[i] as number);
    else if (length > 0)
      hash = hashOfSome(
        length,
        codes[start] as number,
        codes[start + (length >> 2)] as number,
        codes[start + (length >> 1)] as number,
        codes[end - 1] as number,
      );
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (;;) {
      const name = (slots[slot] as number) - 1;
      if (name < 0) return this.#new(slot, start, end);
      if (this.#isAt(name, start, end)) return name;
      slot = (slot + 1) & mask;
    }
  }

  /** The number of a name given as a string. */
  of(string: string): number {
    const slot = this.#slotOf(string);
    const name = (this.#slots[slot] as number) - 1;
    return name < 0 ? this.#add(slot, -1, -1, string) : name;
  }

  /** Whether the name already has a number. */
  has(string: string): boolean {
    return this.#slots[this.#slotOf(string)] !== 0;
  }

  /** The slot of a name, or the empty slot where it belongs. */
  #slotOf(string: string): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = this.#hashOf(string) & mask;
    while (slots[slot] !== 0 && this.text((slots[slot] as number) - 1) !== string) slot = (slot + 1) & mask;
    return slot;
  }

  text(name: number): string {
    const known = this.#strings[name];
    if (known !== undefined) return known;
    const string = this.#text.slice(starts[name], ends[name]);
    this.#strings[name] = string;
    return string;
  }

  /** The name of an identifier node as a string. */
  ofNode(node: number): string {
    return this.text(this.numberOf(node));
  }

  #isAt(name: number, start: number, end: number): boolean {
    const from = starts[name] as number;
    if (from < 0) return this.#strings[name] === this.#text.slice(start, end);
    if ((ends[name] as number) - from !== end - start) return false;
    const codes = this.#codes;
    for (let i = end - start - 1; i >= 0; i--) if (codes[from + i] !== codes[start + i]) return false;
    return true;
  }

  /** Adds an identifier that occurs for the first time in this spelling. */
  #new(slot: number, start: number, end: number): number {
    for (let i = start; i < end; i++)
      if (this.#codes[i] === backslash) return this.of(unescapeIdentifier(this.#text.slice(start, end)));
    return this.#add(slot, start, end, undefined);
  }

  #add(slot: number, start: number, end: number, string: string | undefined): number {
    const name = this.#count++;
    if (name === starts.length) growColumns();
    starts[name] = start;
    ends[name] = end;
    this.#strings.push(string);
    this.#slots[slot] = name + 1;
    if (name === many) {
      this.#isThorough = true;
      this.#rehash(this.#slots.length);
    }
    if (name * 2 > this.#slots.length) this.#rehash(this.#slots.length * 4);
    return name;
  }

  #rehash(size: number): void {
    const slots = new Int32Array(size);
    const mask = slots.length - 1;
    for (let name = 0; name < this.#count; name++) {
      let slot = this.#hashOf(this.text(name)) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = name + 1;
    }
    this.#slots = slots;
  }

  #hashOf(string: string): number {
    if (!this.#isThorough) return hashOf(string);
    let hash = 0;
    for (let i = 0; i < string.length; i++) hash = step(hash, string.charCodeAt(i));
    return hash;
  }
}

/** From this number of names on, hashing all characters pays off. */
const many = 2048;

function step(hash: number, code: number): number {
  const mixed = Math.imul(hash ^ code, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}

function hashOf(string: string): number {
  const { length } = string;
  if (length === 0) return 0;
  return hashOfSome(
    length,
    string.charCodeAt(0),
    string.charCodeAt(length >> 2),
    string.charCodeAt(length >> 1),
    string.charCodeAt(length - 1),
  );
}

/** Hashes the length and some characters: that separates most names, and callers compare the names anyway. */
function hashOfSome(length: number, first: number, early: number, middle: number, last: number): number {
  const hash = Math.imul(
    Math.imul(first ^ (length << 8), 0x01000193) ^ early ^ (middle << 7) ^ (last << 14),
    0x9e3779b1,
  );
  return hash ^ (hash >>> 15);
}

function growColumns(): void {
  const wider = (from: Int32Array<ArrayBuffer>) => {
    const to = new Int32Array(from.length * 2);
    to.set(from);
    return to;
  };
  starts = wider(starts);
  ends = wider(ends);
}

function unescapeIdentifier(raw: string): string {
  return raw.replace(/\\u(?:\{([\da-fA-F]+)\}|([\da-fA-F]{4}))/g, (whole, braced, plain) => {
    const code = Number.parseInt(braced ?? plain, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
