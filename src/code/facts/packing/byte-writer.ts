/** Appends numbers and strings to bytes. */
export class ByteWriter {
  #bytes = Buffer.allocUnsafeSlow(1 << 14);
  #view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset);
  #size = this.#bytes.length;
  #at: number;
  readonly #numberOf = new Map<string, number>();
  readonly #strings: string[] = [];
  #lastString = '';
  #lastNumber = 0;

  /** Reserves `length` bytes at the start, to be filled in later. */
  constructor(length: number) {
    this.#at = length;
  }

  position(): number {
    return this.#at;
  }

  /** Room for `count` more bytes. */
  #reserve(count: number): void {
    if (this.#at + count <= this.#size) return;
    this.#size = Math.max(this.#size * 2, this.#at + count);
    const wider = Buffer.allocUnsafeSlow(this.#size);
    wider.set(this.#bytes.subarray(0, this.#at));
    this.#bytes = wider;
    this.#view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset);
  }

  writeByte(value: number): void {
    if (this.#at === this.#size) this.#reserve(1);
    this.#bytes[this.#at++] = value;
  }

  /** A non-negative number, seven bits per byte. */
  writeNumber(value: number): void {
    if (this.#at + 5 > this.#size) this.#reserve(5);
    let rest = value;
    while (rest > 127) {
      this.#bytes[this.#at++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.#bytes[this.#at++] = rest;
  }

  /** A number of either sign; small ones are short. */
  writeSigned(value: number): void {
    this.writeNumber(((value << 1) ^ (value >> 31)) >>> 0);
  }

  /** Four bytes each, lowest first. */
  writeWords(values: readonly number[]): void {
    this.#reserve(values.length * 4);
    const target = this.#bytes;
    let to = this.#at;
    for (let i = 0; i < values.length; i++) {
      const value = values[i] as number;
      target[to] = value;
      target[to + 1] = value >>> 8;
      target[to + 2] = value >>> 16;
      target[to + 3] = value >>> 24;
      to += 4;
    }
    this.#at = to;
  }

  /** Always eight bytes. */
  writeHash(value: number): void {
    this.#reserve(8);
    this.#view.setFloat64(this.#at, value, true);
    this.#at += 8;
  }

  writeWordAt(position: number, value: number): void {
    this.#view.setUint32(position, value, true);
  }

  /** Equal strings are stored once: a string is written as its number, null as 0. */
  writeString(value: string | null): void {
    if (value === null) {
      this.writeByte(0);
      return;
    }
    this.writeNumber(this.#numberFor(value));
  }

  /** A string that is usually the same as last time, such as the definition around a use. */
  writeRepeated(value: string): void {
    if (this.#lastNumber === 0 || value !== this.#lastString) {
      this.#lastString = value;
      this.#lastNumber = this.#numberFor(value);
    }
    this.writeNumber(this.#lastNumber);
  }

  #numberFor(value: string): number {
    const known = this.#numberOf.get(value);
    if (known !== undefined) return known;
    const number = this.#strings.push(value);
    this.#numberOf.set(value, number);
    return number;
  }

  writeStrings(values: readonly string[]): void {
    this.writeNumber(values.length);
    for (let i = 0; i < values.length; i++) this.writeString(values[i] as string);
  }

  /** Text without a length, so it must come last. */
  writeText(text: string, encoding: 'utf8' | 'utf16le' = 'utf8'): void {
    this.#reserve(text.length * 3);
    this.#at += this.#bytes.write(text, this.#at, encoding);
  }

  /** All strings by number: their count, the length of each, and their joined text. */
  writeStringTable(): void {
    this.writeNumber(this.#strings.length);
    for (let i = 0; i < this.#strings.length; i++) this.writeNumber((this.#strings[i] as string).length);
    const all = this.#strings.join('');
    // A lone surrogate does not survive UTF-8.
    const isWhole = all.isWellFormed();
    this.writeByte(isWhole ? 1 : 0);
    this.writeText(all, isWhole ? 'utf8' : 'utf16le');
  }

  /** Returns a copy of the bytes. */
  finish(): Buffer {
    const copy = Buffer.allocUnsafeSlow(this.#at);
    copy.set(this.#bytes.subarray(0, this.#at));
    return copy;
  }
}
