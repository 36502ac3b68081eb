import type { Blob, ObjectReader } from '#git/objects/object-reader.ts';

/** Content of changed files, read from git once: first used line by line, later parsed. */
export class Contents {
  readonly #objects: ObjectReader;
  readonly #known = new Map<string, Promise<Blob | null>>();

  constructor(objects: ObjectReader) {
    this.#objects = objects;
  }

  /** Reads it and keeps it for later callers. */
  look(id: string, maxBytes: number): Promise<Blob | null> {
    const blob = this.#known.get(id) ?? this.#objects.blob(id, maxBytes);
    this.#known.set(id, blob);
    return blob;
  }

  /** Takes it out: after parsing it need not stay in memory. */
  blob(id: string, maxBytes: number): Promise<Blob | null> {
    const known = this.#known.get(id);
    this.#known.delete(id);
    return known ?? this.#objects.blob(id, maxBytes);
  }
}
