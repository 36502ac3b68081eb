import type { FlatTree } from './tree/flat-tree.ts';

const BACKSLASH = 92;

/** Reused from file to file. */
let allSlots = new Int32Array(1 << 12);
/** For each node that somebody asked for, the number of its name plus one. */
let nodeColumn = new Int32Array(0);

/** The identifiers of one file as small numbers: equal names, equal numbers. Valid until the next ones are made. */
export class Names {
  readonly #text: string;
  readonly #codes: Uint16Array;
  readonly #tree: FlatTree;
  readonly #byNode: Int32Array;
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #strings: (string | undefined)[] = [];
  #slots: Int32Array;

  /** `codes` are those of `text`. */
  constructor(text: string, codes: Uint16Array, tree: FlatTree) {
    this.#text = text;
    this.#codes = codes;
    this.#tree = tree;
    if (nodeColumn.length < tree.count) nodeColumn = new Int32Array(tree.kind.length);
    else nodeColumn.fill(0, 0, tree.count);
    this.#byNode = nodeColumn;
    // Sources have about one distinct name per forty characters: large enough to hardly ever grow.
    const size = 1 << Math.max(8, 28 - Math.clz32(text.length));
    if (size > allSlots.length) allSlots = new Int32Array(size);
    this.#slots = allSlots.subarray(0, size).fill(0);
  }

  get count(): number {
    return this.#starts.length;
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

  /** The number of the identifier that stands at `[start, end)`. */
  #at(start: number, end: number): number {
    const codes = this.#codes;
    let hash = 0;
    for (let i = start; i < end; i++) {
      const code = codes[i] as number;
      if (code === BACKSLASH) return this.of(unescapeIdentifier(this.#text.slice(start, end)));
      hash = Math.imul(hash, 31) + code;
    }
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = spread(hash) & mask;
    for (;;) {
      const name = (slots[slot] as number) - 1;
      if (name < 0) return this.#add(slot, start, end, undefined);
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

  /** Whether the name has a number already. */
  has(string: string): boolean {
    return this.#slots[this.#slotOf(string)] !== 0;
  }

  /** The slot of a name, or the empty one where it would be. */
  #slotOf(string: string): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = spread(hashOf(string)) & mask;
    while (slots[slot] !== 0 && this.text((slots[slot] as number) - 1) !== string) slot = (slot + 1) & mask;
    return slot;
  }

  text(name: number): string {
    const known = this.#strings[name];
    if (known !== undefined) return known;
    const string = this.#text.slice(this.#starts[name], this.#ends[name]);
    this.#strings[name] = string;
    return string;
  }

  /** The name of an identifier node as a string. */
  ofNode(node: number): string {
    return this.text(this.numberOf(node));
  }

  #isAt(name: number, start: number, end: number): boolean {
    const codes = this.#codes;
    const from = this.#starts[name] as number;
    if (from < 0) return this.#strings[name] === this.#text.slice(start, end);
    if ((this.#ends[name] as number) - from !== end - start) return false;
    for (let i = end - start - 1; i >= 0; i--) if (codes[from + i] !== codes[start + i]) return false;
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
      let slot = spread(hashOf(this.text(name))) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = name + 1;
    }
    this.#slots = slots;
  }
}

function hashOf(string: string): number {
  let hash = 0;
  for (let i = 0; i < string.length; i++) hash = Math.imul(hash, 31) + string.charCodeAt(i);
  return hash;
}

function spread(hash: number): number {
  return hash ^ (hash >>> 15);
}

function unescapeIdentifier(raw: string): string {
  return raw.replace(/\\u(?:\{([\da-fA-F]+)\}|([\da-fA-F]{4}))/g, (whole, braced, plain) => {
    const code = Number.parseInt(braced ?? plain, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
