import { isUsable } from './grep.ts';
import { hashPrime, hashStart, isWordByte } from './word-index.ts';

/** Whether `git grep -w -F` finds a word in a file: with no letter, digit or underscore before or after it. */
export function holdsWord(word: string): (file: FileText) => boolean {
  if (!isUsable(word)) return () => false;
  const bytes = Buffer.from(word).toString('latin1');
  // A file that holds `user-id` holds `user` and `id`.
  const hashes = (word.match(/\w+/g) ?? []).map(hashOf);
  return (file) => hashes.every((hash) => file.mayHold(hash)) && stands(file.text, bytes);
}

/** A text with one character for each byte, as git compares them. */
export class FileText {
  readonly text: string;
  /** Hashes of its words: a slot for each, found from the hash on; 0 is free. */
  #hashes: Uint32Array | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** False when no word of the file has this hash. */
  mayHold(hash: number): boolean {
    this.#hashes ??= hashesOf(this.text);
    const mask = this.#hashes.length - 1;
    for (let slot = hash & mask; this.#hashes[slot] !== 0; slot = (slot + 1) & mask)
      if (this.#hashes[slot] === hash) return true;
    return false;
  }
}

function hashesOf(text: string): Uint32Array {
  let table = new Uint32Array(256);
  let count = 0;
  const add = (hash: number) => {
    const mask = table.length - 1;
    let slot = hash & mask;
    while (table[slot] !== 0) {
      if (table[slot] === hash) return;
      slot = (slot + 1) & mask;
    }
    table[slot] = hash;
    count++;
  };
  let hash = hashStart;
  let isInWord = false;
  for (let at = 0; at <= text.length; at++) {
    const byte = at < text.length ? text.charCodeAt(at) : 0;
    if (isWordByte[byte] === 1) {
      hash = Math.imul(hash ^ byte, hashPrime);
      isInWord = true;
    } else if (isInWord) {
      add(finished(hash));
      if (count * 2 > table.length) {
        const known = table;
        table = new Uint32Array(known.length * 4);
        count = 0;
        for (const each of known) if (each !== 0) add(each);
      }
      hash = hashStart;
      isInWord = false;
    }
  }
  return table;
}

function hashOf(word: string): number {
  let hash = hashStart;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), hashPrime);
  return finished(hash);
}

/** Never 0, which marks a free slot. */
function finished(hash: number): number {
  return (hash ^ (hash >>> 15)) >>> 0 || 1;
}

function stands(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!isWordCharacter(text[at - 1]) && !isWordCharacter(text[at + word.length])) return true;
  return false;
}

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && /\w/.test(character);
}
