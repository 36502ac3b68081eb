import { isUsable } from './grep.ts';
import { finished, hashOf, hashPrime, hashStart, isWordByte } from './word-index.ts';

/** Whether `git grep -w -F` would find a word in a file: with no letter, digit or underscore before or after it. */
export function holdsWord(word: string): (file: FileText) => boolean {
  if (!isUsable(word)) return () => false;
  const standsIn = wordStands(word);
  // A file with `user-id` contains `user` and `id`.
  const pieces = (word.match(/\w+/g) ?? []).map((piece) => ({ piece, hash: hashOf(piece) }));
  const isPlain = pieces.length === 1 && pieces[0]?.piece === word;
  return (file) =>
    pieces.every(({ piece, hash }) => file.hasWord(piece, hash)) && (isPlain || standsIn(file));
}

/** The same without a table of words, for a file that is known to contain each piece. */
export function wordStands(word: string): (file: FileText) => boolean {
  const bytes = Buffer.from(word).toString('latin1');
  return ({ text }) => stands(text, bytes);
}

/** A text with one character per byte, as git compares it. */
export class FileText {
  readonly text: string;
  /** Hash table. Each slot has two numbers, hash and start of the word; hash 0: the slot is free. */
  #table: Uint32Array | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** Whether the text contains this run of letters, digits and underscores. */
  hasWord(word: string, hash: number): boolean {
    this.#table ??= wordsOf(this.text);
    const table = this.#table;
    const mask = table.length / 2 - 1;
    for (let slot = hash & mask; table[2 * slot] !== 0; slot = (slot + 1) & mask)
      if (table[2 * slot] === hash && isAt(this.text, word, table[2 * slot + 1] as number)) return true;
    return false;
  }
}

/** Adds every word once. */
function wordsOf(text: string): Uint32Array {
  let table = new Uint32Array(512);
  let count = 0;
  const add = (hash: number, start: number, length: number) => {
    const mask = table.length / 2 - 1;
    let slot = hash & mask;
    while (table[2 * slot] !== 0) {
      if (table[2 * slot] === hash && isSame(text, table[2 * slot + 1] as number, start, length)) return;
      slot = (slot + 1) & mask;
    }
    table[2 * slot] = hash;
    table[2 * slot + 1] = start;
    count++;
  };
  const enlarge = () => {
    const small = table;
    table = new Uint32Array(small.length * 4);
    const mask = table.length / 2 - 1;
    for (let at = 0; at < small.length; at += 2) {
      if (small[at] === 0) continue;
      let slot = (small[at] as number) & mask;
      while (table[2 * slot] !== 0) slot = (slot + 1) & mask;
      table[2 * slot] = small[at] as number;
      table[2 * slot + 1] = small[at + 1] as number;
    }
  };
  let start = -1;
  let hash = hashStart;
  for (let at = 0; at <= text.length; at++) {
    const byte = at < text.length ? text.charCodeAt(at) : 0;
    if (isWordByte[byte] === 1) {
      if (start < 0) start = at;
      hash = Math.imul(hash ^ byte, hashPrime);
    } else if (start >= 0) {
      add(finished(hash), start, at - start);
      if (count * 4 > table.length) enlarge();
      start = -1;
      hash = hashStart;
    }
  }
  return table;
}

/** Whether exactly this whole word starts at `start`. */
function isAt(text: string, word: string, start: number): boolean {
  return text.startsWith(word, start) && !isWordCharacter(text, start + word.length);
}

function isSame(text: string, a: number, b: number, length: number): boolean {
  for (let at = 0; at < length; at++) if (text.charCodeAt(a + at) !== text.charCodeAt(b + at)) return false;
  return !isWordCharacter(text, a + length);
}

function stands(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!isWordCharacter(text, at - 1) && !isWordCharacter(text, at + word.length)) return true;
  return false;
}

function isWordCharacter(text: string, at: number): boolean {
  return at >= 0 && at < text.length && isWordByte[text.charCodeAt(at)] === 1;
}
