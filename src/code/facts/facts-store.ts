import { crc32 } from 'node:zlib';
import { CacheDatabase, type CacheLayout } from '#lib/cache-database.ts';

/** The version is raised when the table changes, or the way facts are packed. */
const layout: CacheLayout = {
  version: 8,
  table: 'facts',
  columns: 'key TEXT PRIMARY KEY, used INTEGER, crc INTEGER, payload BLOB',
};
const dayMs = 24 * 60 * 60 * 1000;

/** Packed facts, shared by all repositories and processes. A key names all that they depend on. */
export class FactsStore {
  readonly #database: CacheDatabase;

  constructor(path: string, maxBytes: number) {
    this.#database = new CacheDatabase(path, layout, maxBytes);
  }

  /** Why facts are not kept; null while all is well. */
  get problem(): string | null {
    return this.#database.problem;
  }

  /** Packed facts of each key, null where there are none. */
  read(keys: readonly string[]): (Buffer | null)[] {
    if (keys.length === 0) return [];
    const stale: string[] = [];
    const today = Math.floor(Date.now() / dayMs);
    const found = this.#database.attempt((database, prepare) => {
      const select = prepare('SELECT payload, crc, used FROM facts WHERE key = ?');
      // In one transaction: each one of its own would lock the file and look for changes again.
      database.exec('BEGIN');
      const payloads = keys.map((key) => {
        const row = select.get(key);
        if (!row) return null;
        const payload = bufferOf(row.payload);
        if (payload === null || checksum(key, payload) !== row.crc) return null;
        if (Number(row.used) < today) stale.push(key);
        return payload;
      });
      database.exec('COMMIT');
      return payloads;
    });
    this.#touch(stale, today);
    return found ?? keys.map(() => null);
  }

  #touch(keys: readonly string[], today: number): void {
    if (keys.length === 0) return;
    this.#database.attempt((database, prepare) => {
      const touch = prepare('UPDATE facts SET used = ? WHERE key = ?');
      database.exec('BEGIN IMMEDIATE');
      for (const key of keys) touch.run(today, key);
      database.exec('COMMIT');
      return true;
    });
  }

  write(entries: readonly { readonly key: string; readonly packed: Buffer }[]): void {
    if (entries.length === 0) return;
    this.#database.attempt((database, prepare) => {
      const insert = prepare('INSERT OR REPLACE INTO facts (key, used, crc, payload) VALUES (?, ?, ?, ?)');
      const today = Math.floor(Date.now() / dayMs);
      database.exec('BEGIN IMMEDIATE');
      for (const { key, packed } of entries) insert.run(key, today, checksum(key, packed), packed);
      database.exec('COMMIT');
      return true;
    });
  }

  close(): void {
    this.#database.close();
  }
}

/**
 * Covers the key as well: in a damaged index SQLite can hand out a neighbour's row. And the layout: a process of an earlier
 * build may still be writing.
 */
function checksum(key: string, payload: Buffer): number {
  return crc32(payload, crc32(`${layout.version} ${key}`));
}

/** The bytes of a column; null when a damaged row holds something else. */
function bufferOf(value: unknown): Buffer | null {
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : null;
}
