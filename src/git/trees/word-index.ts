/**
 * Which files contain a word, for words as `git grep -w` understands them: runs of letters, digits and underscores. Numbers are left out.
 * Built once per tree and stored as text, so that later searches do not read the files again. Files are numbered in the order in which they
 * were added.
 */
export class WordIndex {
  /** Sorted by hash, so that loading an index needs no table of its hundred thousand words. */
  readonly #words: readonly string[];
  /** By number of the word: where its files start in `#files`; one more entry at the end. */
  readonly #starts: Uint32Array;
  readonly #files: Uint32Array;

  constructor(words: readonly string[], starts: Uint32Array, files: Uint32Array) {
    this.#words = words;
    this.#starts = starts;
    this.#files = files;
  }

  /** Ascending numbers of the files that contain a word. */
  filesWith(word: string): Uint32Array {
    const hash = hashOf(word);
    let [low, high] = [0, this.#words.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (hashOf(this.#words[middle] as string) < hash) low = middle + 1;
      else high = middle;
    }
    // Few words share a hash.
    for (; low < this.#words.length && hashOf(this.#words[low] as string) === hash; low++)
      if (this.#words[low] === word) return this.#files.subarray(this.#starts[low], this.#starts[low + 1]);
    return this.#files.subarray(0, 0);
  }

  /** The words, an empty line, then the files of each word: their count, then the distance from each to the next. */
  toText(): string {
    const written = new NumberWriter();
    for (let word = 0; word + 1 < this.#starts.length; word++) {
      const files = this.#files.subarray(this.#starts[word], this.#starts[word + 1]);
      written.push(files.length);
      let before = 0;
      for (const file of files) {
        written.push(file - before);
        before = file;
      }
    }
    return `${this.#words.join('\n')}\n\n${written.bytes().toString('base64')}`;
  }

  static fromText(text: string): WordIndex {
    const end = text.indexOf('\n\n');
    const words = end <= 0 ? [] : text.slice(0, end).split('\n');
    const bytes = Buffer.from(text.slice(end + 2), 'base64');
    const starts = new Uint32Array(words.length + 1);
    const files = new Uint32Array(bytes.length);
    const numbers = readNumbers(bytes);
    let at = 0;
    for (let word = 0; word < words.length; word++) {
      let file = 0;
      for (let left = numbers(); left > 0; left--) {
        file += numbers();
        files[at++] = file;
      }
      starts[word + 1] = at;
    }
    return new WordIndex(words, starts, files.subarray(0, at));
  }
}

/** Collects the words of files, one file after the other. */
export class WordIndexBuilder {
  /** Every word once, one after the other, and where each starts. */
  #letters = new Uint8Array(1 << 20);
  #begins = new Uint32Array(1 << 16);
  #hashes = new Uint32Array(1 << 16);
  /** The file that a word was last seen in, plus one. */
  #lastSeen = new Uint32Array(1 << 16);
  #words = 0;
  /** By hash: number of the word plus one; 0 is free. */
  #table = new Uint32Array(1 << 17);
  /** Each occurrence: number of the word, number of the file. */
  #pairs = new Uint32Array(1 << 18);
  #pairCount = 0;
  #fileCount = 0;

  get wordCount(): number {
    return this.#words;
  }

  /** Adds the file that gets the next number. */
  add(content: Uint8Array): void {
    const file = this.#fileCount++;
    const { length } = content;
    for (let at = 0; at < length; at++) {
      let byte = content[at] as number;
      if (isWordByte[byte] !== 1) continue;
      const start = at;
      let hash = hashStart;
      do {
        hash = Math.imul(hash ^ byte, hashPrime);
        byte = ++at < length ? (content[at] as number) : 0;
      } while (isWordByte[byte] === 1);
      if (!isDigit(content[start] as number))
        this.#note(this.#numberOf(content, start, at, finished(hash)), file);
    }
  }

  build(): WordIndex {
    const latin1 = Buffer.from(this.#letters.buffer).toString('latin1', 0, this.#begins[this.#words]);
    const inOrder = new Float64Array(this.#words);
    for (let word = 0; word < this.#words; word++)
      inOrder[word] = (this.#hashes[word] as number) * mostNumbers + word;
    inOrder.sort();
    const words: string[] = [];
    const ranks = new Uint32Array(this.#words);
    for (const [rank, place] of inOrder.entries()) {
      const word = place % mostNumbers;
      ranks[word] = rank;
      words.push(latin1.slice(this.#begins[word], this.#begins[word + 1]));
    }
    const starts = new Uint32Array(words.length + 1);
    for (let at = 0; at < this.#pairCount; at += 2) {
      const next = (ranks[this.#pairs[at] as number] as number) + 1;
      starts[next] = (starts[next] as number) + 1;
    }
    for (let rank = 0; rank < words.length; rank++)
      starts[rank + 1] = (starts[rank + 1] as number) + (starts[rank] as number);
    const files = new Uint32Array(this.#pairCount / 2);
    const next = starts.slice();
    for (let at = 0; at < this.#pairCount; at += 2) {
      const rank = ranks[this.#pairs[at] as number] as number;
      const place = next[rank] as number;
      files[place] = this.#pairs[at + 1] as number;
      next[rank] = place + 1;
    }
    return new WordIndex(words, starts, files);
  }

  #note(word: number, file: number): void {
    if (this.#lastSeen[word] === file + 1) return;
    this.#lastSeen[word] = file + 1;
    this.#pairs = withRoom(this.#pairs, this.#pairCount + 2);
    this.#pairs[this.#pairCount++] = word;
    this.#pairs[this.#pairCount++] = file;
  }

  /** The number of the word from `start` to `end`; a new word gets the next number. */
  #numberOf(content: Uint8Array, start: number, end: number, hash: number): number {
    const mask = this.#table.length - 1;
    let slot = hash & mask;
    for (let known = this.#table[slot]; known; known = this.#table[slot]) {
      if (this.#isWord(known - 1, content, start, end)) return known - 1;
      slot = (slot + 1) & mask;
    }
    const number = this.#words++;
    this.#table[slot] = number + 1;
    this.#begins = withRoom(this.#begins, number + 2);
    this.#hashes = withRoom(this.#hashes, number + 1);
    this.#hashes[number] = hash;
    this.#lastSeen = withRoom(this.#lastSeen, number + 1);
    const from = this.#begins[number] as number;
    const to = from + end - start;
    this.#letters = withRoom(this.#letters, to);
    this.#letters.set(content.subarray(start, end), from);
    this.#begins[number + 1] = to;
    if (this.#words * 2 > this.#table.length) this.#enlargeTable();
    return number;
  }

  #isWord(word: number, content: Uint8Array, start: number, end: number): boolean {
    const from = this.#begins[word] as number;
    if ((this.#begins[word + 1] as number) - from !== end - start) return false;
    for (let at = start; at < end; at++) if (content[at] !== this.#letters[from + at - start]) return false;
    return true;
  }

  #enlargeTable(): void {
    const table = new Uint32Array(this.#table.length * 4);
    const mask = table.length - 1;
    for (let word = 0; word < this.#words; word++) {
      let slot = (this.#hashes[word] as number) & mask;
      while (table[slot] !== 0) slot = (slot + 1) & mask;
      table[slot] = word + 1;
    }
    this.#table = table;
  }
}

/** Whether the index contains this text if a file does. */
export function isIndexed(text: string): boolean {
  return /^[A-Za-z_]\w*$/.test(text);
}

/** FNV-1a. */
export const hashStart = 0x811c9dc5 | 0;
export const hashPrime = 0x01000193;

export function hashOf(word: string): number {
  let hash = hashStart;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), hashPrime);
  return finished(hash);
}

/** Never 0, which marks a free slot. */
export function finished(hash: number): number {
  return (hash ^ (hash >>> 15)) >>> 0 || 1;
}

/** A hash and the number of a word fit into one number that is exact. */
const mostNumbers = 2 ** 21;

export const isWordByte = Uint8Array.from({ length: 256 }, (_, byte) =>
  /\w/.test(String.fromCharCode(byte)) ? 1 : 0,
);

function isDigit(byte: number): boolean {
  return byte >= 48 && byte <= 57;
}

function withRoom<Numbers extends Uint8Array | Uint32Array>(numbers: Numbers, length: number): Numbers {
  if (length <= numbers.length) return numbers;
  const larger = new (numbers.constructor as new (size: number) => Numbers)(
    Math.max(length, numbers.length * 2),
  );
  larger.set(numbers);
  return larger;
}

/** Variable-length numbers: seven bits per byte; the last byte of a number has its highest bit cleared. */
class NumberWriter {
  #bytes: Uint8Array = new Uint8Array(1 << 20);
  #length = 0;

  push(number: number): void {
    this.#bytes = withRoom(this.#bytes, this.#length + 5);
    let rest = number;
    for (; rest > 127; rest >>>= 7) this.#bytes[this.#length++] = (rest & 127) | 128;
    this.#bytes[this.#length++] = rest;
  }

  bytes(): Buffer {
    return Buffer.from(this.#bytes.buffer, 0, this.#length);
  }
}

function readNumbers(bytes: Uint8Array): () => number {
  let at = 0;
  return () => {
    let number = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] as number;
      number |= (byte & 127) << shift;
      if (byte < 128) return number;
    }
  };
}
