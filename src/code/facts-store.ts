import { crc32 } from 'node:zlib';
import { CacheDatabase, type CacheLayout } from './cache-database.ts';

export interface FactsKey {
  readonly blob: string;
  readonly language: string;
  readonly version: number;
}

/** The version is raised when the table changes, or the way facts are packed. */
const layout: CacheLayout = {
  version: 4,
  table: 'facts',
  columns:
    'format TEXT, blob TEXT, language TEXT, version INTEGER, used INTEGER, crc INTEGER, payload BLOB, PRIMARY KEY (format, blob, language, version)',
};
const dayMs = 24 * 60 * 60 * 1000;

/** Facts by blob, shared by all repositories and processes. */
export class FactsStore {
  readonly #format: string;
  readonly #database: CacheDatabase;

  constructor(path: string, options: { objectFormat: string; maxBytes: number }) {
    this.#format = options.objectFormat;
    this.#database = new CacheDatabase(path, layout, options.maxBytes);
  }

  /** Why facts are not kept; null while all is well. */
  get problem(): string | null {
    return this.#database.problem;
  }

  /** Packed facts of each key, null where there are none. */
  read(keys: readonly FactsKey[]): (Buffer | null)[] {
    if (keys.length === 0) return [];
    const stale: FactsKey[] = [];
    const today = Math.floor(Date.now() / dayMs);
    const found = this.#database.attempt((database, prepare) => {
      const select = prepare(
        'SELECT payload, crc, used FROM facts WHERE format = ? AND blob = ? AND language = ? AND version = ?',
      );
      // In one transaction: each one of its own would lock the file and look for changes again.
      database.exec('BEGIN');
      const payloads = keys.map((key) => {
        const row = select.get(this.#format, key.blob, key.language, key.version);
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

  #touch(keys: readonly FactsKey[], today: number): void {
    if (keys.length === 0) return;
    this.#database.attempt((database) => {
      const touch = database.prepare(
        'UPDATE facts SET used = ? WHERE format = ? AND blob = ? AND language = ? AND version = ?',
      );
      database.exec('BEGIN IMMEDIATE');
      for (const { blob, language, version } of keys) touch.run(today, this.#format, blob, language, version);
      database.exec('COMMIT');
      return true;
    });
  }

  write(entries: readonly { readonly key: FactsKey; readonly packed: Buffer }[]): void {
    if (entries.length === 0) return;
    this.#database.attempt((database, prepare) => {
      const insert = prepare(
        'INSERT OR REPLACE INTO facts (format, blob, language, version, used, crc, payload) VALUES (?, ?, ?, ?, ?, ?, ?)',
      );
      const today = Math.floor(Date.now() / dayMs);
      database.exec('BEGIN IMMEDIATE');
      for (const { key, packed } of entries) {
        const { blob, language, version } = key;
        insert.run(this.#format, blob, language, version, today, checksum(key, packed), packed);
      }
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
function checksum({ blob, language, version }: FactsKey, payload: Buffer): number {
  return crc32(payload, crc32(`${layout.version} ${blob} ${language} ${version}`));
}

/** The bytes of a column; null when a damaged row holds something else. */
function bufferOf(value: unknown): Buffer | null {
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : null;
}
