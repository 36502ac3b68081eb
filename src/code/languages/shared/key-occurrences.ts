import type { DuplicateKey } from '#code/facts/facts.ts';

/** Counts the keys of one object; a key that occurs twice is a duplicate. */
export class KeyOccurrences {
  readonly #lines = new Map<string, number[]>();

  add(key: string, line: number): void {
    const lines = this.#lines.get(key);
    if (lines === undefined) this.#lines.set(key, [line]);
    else lines.push(line);
  }

  /** Adds the duplicate keys to a list, with the path of their object. */
  addDuplicates(found: DuplicateKey[], path: readonly string[]): void {
    for (const [key, lines] of this.#lines) {
      if (lines.length > 1) found.push({ key: [...path, key].join('.'), lines: lines.sort((a, b) => a - b) });
    }
  }
}

/** Sorted by line. */
export function inReadingOrder(duplicates: readonly DuplicateKey[]): DuplicateKey[] {
  return duplicates.toSorted((a, b) => (a.lines[0] ?? 0) - (b.lines[0] ?? 0) || (a.key < b.key ? -1 : 1));
}
