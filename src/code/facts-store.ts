import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';

export interface FactsKey {
  readonly blob: string;
  readonly language: string;
  readonly version: number;
}

/** Raise when the table changes, or the way facts are packed; an older file is thrown away and filled anew. */
const layout = 3;
const dayMs = 24 * 60 * 60 * 1000;

/**
 * Facts by blob, shared by all repositories and processes. It is only a cache: whatever is wrong with it, the
 * answer is to forget and extract again.
 */
export class FactsStore {
  readonly #path: string;
  readonly #format: string;
  readonly #maxBytes: number;
  #database: DatabaseSync | null = null;
  /** Why facts are not kept; null while all is well. */
  problem: string | null = null;

  constructor(path: string, options: { objectFormat: string; maxBytes: number }) {
    this.#path = path;
    this.#format = options.objectFormat;
    this.#maxBytes = options.maxBytes;
    this.#open();
  }

  /** Packed facts of each key, null where there are none. */
  read(keys: readonly FactsKey[]): (Buffer | null)[] {
    return (
      this.#attempt((database) => {
        const select = database.prepare(
          'SELECT payload, crc, used FROM facts WHERE format = ? AND blob = ? AND language = ? AND version = ?',
        );
        const touch = database.prepare(
          'UPDATE facts SET used = ? WHERE format = ? AND blob = ? AND language = ? AND version = ?',
        );
        const today = Math.floor(Date.now() / dayMs);
        return keys.map((key) => {
          const row = select.get(this.#format, key.blob, key.language, key.version);
          if (!row) return null;
          const payload = bufferOf(row.payload);
          if (payload === null || checksum(key, payload) !== row.crc) return null;
          if (Number(row.used) < today) touch.run(today, this.#format, key.blob, key.language, key.version);
          return payload;
        });
      }) ?? keys.map(() => null)
    );
  }

  write(entries: readonly { readonly key: FactsKey; readonly packed: Buffer }[]): void {
    if (entries.length === 0) return;
    this.#attempt((database) => {
      const insert = database.prepare(
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
    this.#attempt((database) => {
      this.#shrink(database);
      return true;
    });
    this.#database?.close();
    this.#database = null;
  }

  #open(): void {
    try {
      mkdirSync(dirname(this.#path), { recursive: true });
      const database = new DatabaseSync(this.#path, { timeout: 5000 });
      this.#database = database;
      // Facts of a file take some kilobytes: on large pages, appended in the order they come, with the key in an index.
      database.exec('PRAGMA page_size = 16384; PRAGMA journal_mode = WAL');
      database.exec('PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY');
      const version = Number(database.prepare('PRAGMA user_version').get()?.user_version);
      if (version !== layout) {
        database.exec('DROP TABLE IF EXISTS facts');
        database.exec(
          'CREATE TABLE IF NOT EXISTS facts (format TEXT, blob TEXT, language TEXT, version INTEGER, used INTEGER, crc INTEGER, payload BLOB, PRIMARY KEY (format, blob, language, version))',
        );
        database.exec(`PRAGMA user_version = ${layout}`);
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  #attempt<T>(work: (database: DatabaseSync) => T): T | null {
    for (let round = 0; round < 2; round++) {
      if (!this.#database) return null;
      try {
        return work(this.#database);
      } catch (error) {
        rollback(this.#database);
        this.#fail(error);
      }
    }
    return null;
  }

  /** A damaged file is deleted and begun anew, once; anything else (locked, no space, no permission) means no cache. */
  #fail(error: unknown): void {
    const message = (error as Error).message;
    const damaged = /malformed|not a database|corrupt|no such (table|column)|disk image/i.test(message);
    const first = this.problem === null;
    this.problem = message;
    try {
      this.#database?.close();
    } catch {
      // The handle of a damaged file may refuse even that; the file goes away next.
    }
    this.#database = null;
    if (!damaged || !first) return;
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${this.#path}${suffix}`, { force: true });
    this.#open();
    if (this.#database) this.problem = null;
  }

  /** Oldest use goes first. */
  #shrink(database: DatabaseSync): void {
    const size = (): number => {
      const pages = database.prepare('PRAGMA page_count').get()?.page_count;
      const free = database.prepare('PRAGMA freelist_count').get()?.freelist_count;
      const bytes = database.prepare('PRAGMA page_size').get()?.page_size;
      return (Number(pages) - Number(free)) * Number(bytes);
    };
    while (size() > this.#maxBytes) {
      const oldest = database.prepare('SELECT min(used) AS day, max(used) AS last FROM facts').get();
      if (oldest?.day === null || oldest === undefined) return;
      const all = oldest.day === oldest.last;
      database
        .prepare(all ? 'DELETE FROM facts WHERE used <= ?' : 'DELETE FROM facts WHERE used = ?')
        .run(Number(oldest.day));
    }
  }
}

/** Covers the key as well: in a damaged index SQLite can hand out a neighbour's row. */
function checksum({ blob, language, version }: FactsKey, payload: Buffer): number {
  return crc32(payload, crc32(`${blob} ${language} ${version}`));
}

/** The bytes of a column; null when a damaged row holds something else. */
function bufferOf(value: unknown): Buffer | null {
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : null;
}

function rollback(database: DatabaseSync): void {
  try {
    if (database.isTransaction) database.exec('ROLLBACK');
  } catch {
    // The transaction is gone with the handle.
  }
}
