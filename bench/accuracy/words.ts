/** Index of words: which files contain them, and how often. */
export class Words {
  readonly #places = new Map<string, Map<string, number>>();

  constructor(files: Iterable<readonly [path: string, text: string]>) {
    for (const [path, text] of files)
      for (const [word] of text.matchAll(/[\w$]+/g)) {
        const places = this.#places.get(word) ?? new Map<string, number>();
        this.#places.set(word, places.set(path, (places.get(path) ?? 0) + 1));
      }
  }

  occurrences(word: string): ReadonlyMap<string, number> {
    return this.#places.get(word) ?? new Map();
  }

  countOf(word: string): number {
    return [...this.occurrences(word).values()].reduce((sum, count) => sum + count, 0);
  }
}
