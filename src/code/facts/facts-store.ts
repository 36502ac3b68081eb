import { crc32 } from 'node:zlib';
import { CacheDatabase, type CacheLayout } from '#lib/cache-database.ts';

/** Raise the version when the table or the packing of facts changes. */
const layout: CacheLayout = {
  version: 9,
  table: 'facts',
  columns: 'key TEXT PRIMARY KEY, used INTEGER, crc INTEGER, payload BLOB',
};
const dayMs = 24 * 60 * 60 * 1000;

/** Packed facts, shared by all repositories and processes. A key contains everything the facts depend on. */
export class FactsStore {
  readonly #database: CacheDatabase;

  constructor(path: string, maxBytes: number) {
    this.#database = new CacheDatabase(path, layout, maxBytes);
  }

  /** Why facts are not cached; null while the cache works. */
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
      // In one transaction: otherwise each read would lock the file and check it for changes again.
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
 * Includes the key: in a damaged index SQLite can return another row. And the layout: a process of an earlier build may still be writing.
 */
function checksum(key: string, payload: Buffer): number {
  return crc32(payload, crc32(`${layout.version} ${key}`));
}

/** The bytes of a column; null when a damaged row contains something else. */
function bufferOf(value: unknown): Buffer | null {
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : null;
}
