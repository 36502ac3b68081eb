/** Reads what `byte-writer.ts` wrote, in the same order. */
export class ByteReader {
  readonly #bytes: Buffer;
  readonly #strings: readonly string[];
  #at: number;

  constructor(bytes: Buffer, at: number, strings: readonly string[]) {
    this.#bytes = bytes;
    this.#at = at;
    this.#strings = strings;
  }

  get allStrings(): readonly string[] {
    return this.#strings;
  }

  /** The strings of a table that ends at `end`. */
  stringTable(end: number): readonly string[] {
    const lengths = new Uint32Array(this.number());
    for (let i = 0; i < lengths.length; i++) lengths[i] = this.number();
    const encoding = this.byte() === 1 ? 'utf8' : 'utf16le';
    const all = this.#bytes.toString(encoding, this.#at, end);
    const strings = new Array<string>(lengths.length);
    for (let i = 0, at = 0; i < lengths.length; i++) {
      const start = at;
      at += lengths[i] as number;
      strings[i] = all.slice(start, at);
    }
    return strings;
  }

  byte(): number {
    return this.#bytes[this.#at++] as number;
  }

  number(): number {
    const bytes = this.#bytes;
    let byte = bytes[this.#at++] as number;
    if (byte < 128) return byte;
    let value = byte & 127;
    let shift = 7;
    for (;;) {
      byte = bytes[this.#at++] as number;
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
      shift += 7;
    }
  }

  signed(): number {
    const value = this.number();
    return (value >>> 1) ^ -(value & 1);
  }

  word(): number {
    const at = this.#at;
    this.#at = at + 4;
    return this.#bytes.readUInt32LE(at);
  }

  string(): string {
    return this.#strings[this.number() - 1] as string;
  }

  nullable(): string | null {
    const number = this.number();
    return number === 0 ? null : (this.#strings[number - 1] as string);
  }

  strings(): readonly string[] {
    const count = this.number();
    if (count === 0) return none;
    const values = new Array<string>(count);
    for (let i = 0; i < count; i++) values[i] = this.string();
    return values;
  }
}

const none: readonly string[] = [];
