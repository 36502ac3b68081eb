import type { Blob, ObjectReader } from '#git/objects/object-reader.ts';

/** Content of changed files, asked of git once: line by line it is looked at first, and parsed a little later. */
export class Contents {
  readonly #objects: ObjectReader;
  readonly #known = new Map<string, Promise<Blob | null>>();

  constructor(objects: ObjectReader) {
    this.#objects = objects;
  }

  /** Looks it up and keeps it for later callers. */
  look(id: string, maxBytes: number): Promise<Blob | null> {
    const blob = this.#known.get(id) ?? this.#objects.blob(id, maxBytes);
    this.#known.set(id, blob);
    return blob;
  }

  /** Takes it, once: what has been parsed need not stay in memory. */
  blob(id: string, maxBytes: number): Promise<Blob | null> {
    const known = this.#known.get(id);
    this.#known.delete(id);
    return known ?? this.#objects.blob(id, maxBytes);
  }
}
