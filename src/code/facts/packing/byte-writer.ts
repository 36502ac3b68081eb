/**
 * Appends numbers and strings to bytes. One at a time, in variables of the module: this runs for every fact of every
 * file, and they are the fastest in code that has just been started.
 */
let bytes = Buffer.allocUnsafeSlow(1 << 16);
let view = new DataView(bytes.buffer, bytes.byteOffset);
/** How many bytes there are: asking an array each time is slow in code that has just been started. */
let size = bytes.length;
let at = 0;
/** A new one for each file: a cleared map stays linked to what it held, and once that is old, nothing of it is let go. */
let numberOf = new Map<string, number>();
const strings: string[] = [];

/** Starts with `length` bytes that are filled in later. */
export function begin(length: number): void {
  at = length;
  numberOf = new Map();
  strings.length = 0;
  lastNumber = 0;
}

export function position(): number {
  return at;
}

/** Room for `count` more bytes. */
function reserve(count: number): void {
  if (at + count <= size) return;
  size = Math.max(size * 2, at + count);
  const wider = Buffer.allocUnsafeSlow(size);
  wider.set(bytes.subarray(0, at));
  bytes = wider;
  view = new DataView(bytes.buffer, bytes.byteOffset);
}

export function writeByte(value: number): void {
  if (at === size) reserve(1);
  bytes[at++] = value;
}

/** A number that is not negative, seven bits a byte. */
export function writeNumber(value: number): void {
  if (at + 5 > size) reserve(5);
  let rest = value;
  while (rest > 127) {
    bytes[at++] = (rest & 127) | 128;
    rest >>>= 7;
  }
  bytes[at++] = rest;
}

/** A number of either sign, small ones short. */
export function writeSigned(value: number): void {
  writeNumber(((value << 1) ^ (value >> 31)) >>> 0);
}

/** Four bytes each, the lowest first. */
export function writeWords(values: readonly number[]): void {
  reserve(values.length * 4);
  const target = bytes;
  let to = at;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    target[to] = value;
    target[to + 1] = value >>> 8;
    target[to + 2] = value >>> 16;
    target[to + 3] = value >>> 24;
    to += 4;
  }
  at = to;
}

/** Eight bytes, whatever the number. */
export function writeHash(value: number): void {
  reserve(8);
  view.setFloat64(at, value, true);
  at += 8;
}

export function writeWordAt(position: number, value: number): void {
  view.setUint32(position, value, true);
}

/** Equal strings are kept once: a string is written as its number, null as 0. */
export function writeString(value: string | null): void {
  if (value === null) {
    writeByte(0);
    return;
  }
  writeNumber(numberFor(value));
}

let lastString = '';
let lastNumber = 0;

/** A string that mostly is the same as last time, such as the definition around a use. */
export function writeRepeated(value: string): void {
  if (lastNumber === 0 || value !== lastString) {
    lastString = value;
    lastNumber = numberFor(value);
  }
  writeNumber(lastNumber);
}

function numberFor(value: string): number {
  const known = numberOf.get(value);
  if (known !== undefined) return known;
  const number = strings.push(value);
  numberOf.set(value, number);
  return number;
}

export function writeStrings(values: readonly string[]): void {
  writeNumber(values.length);
  for (let i = 0; i < values.length; i++) writeString(values[i] as string);
}

/** Up to the end. */
export function writeText(text: string, encoding: 'utf8' | 'utf16le' = 'utf8'): void {
  reserve(text.length * 3);
  at += bytes.write(text, at, encoding);
}

/** The strings so far, as they are numbered: how many, how long each is, and all of them in one piece. */
export function writeStringTable(): void {
  writeNumber(strings.length);
  for (let i = 0; i < strings.length; i++) writeNumber((strings[i] as string).length);
  const all = strings.join('');
  // Half of a surrogate pair does not survive UTF-8.
  const isWhole = all.isWellFormed();
  writeByte(isWhole ? 1 : 0);
  writeText(all, isWhole ? 'utf8' : 'utf16le');
}

/** A copy of what was written; the next one may begin. */
export function finish(): Buffer {
  const copy = Buffer.allocUnsafeSlow(at);
  copy.set(bytes.subarray(0, at));
  return copy;
}
