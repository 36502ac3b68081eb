import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { isDamagedDatabase, openDatabase, removeDatabase, resultCode } from './database.ts';

/** SQLITE_ERROR: a statement names a table or column that the file does not have. */
const wrongStatement = 1;

export interface CacheLayout {
  /** Raise when the table changes; an older file is deleted and filled again. */
  readonly version: number;
  readonly table: string;
  /** Columns and keys of the table, as SQL. Must include `used`: the entries used longest ago are evicted first. */
  readonly columns: string;
}

/**
 * One table in one SQLite file, shared by all processes. It is only a cache: after any error its content is discarded and computed again.
 */
export class CacheDatabase {
  readonly #path: string;
  readonly #layout: CacheLayout;
  readonly #maxBytes: number;
  #database: DatabaseSync | null = null;
  readonly #statements = new Map<string, StatementSync>();
  /** Why nothing is cached; null while the cache works. */
  problem: string | null = null;

  constructor(path: string, layout: CacheLayout, maxBytes: number) {
    this.#path = path;
    this.#layout = layout;
    this.#maxBytes = maxBytes;
    this.#open();
  }

  /** null when there is no usable database. Each statement is prepared once and reused. */
  attempt<T>(work: (database: DatabaseSync, prepare: (sql: string) => StatementSync) => T): T | null {
    for (let round = 0; round < 2; round++) {
      if (!this.#database) return null;
      try {
        return work(this.#database, (sql) => this.#prepare(sql));
      } catch (error) {
        rollback(this.#database);
        this.#fail(error);
      }
    }
    return null;
  }

  close(): void {
    this.attempt((database) => {
      this.#shrink(database);
      return true;
    });
    this.#database?.close();
    this.#database = null;
  }

  #prepare(sql: string): StatementSync {
    const statement = this.#statements.get(sql) ?? this.#database?.prepare(sql);
    if (!statement) throw new Error('the database is closed');
    this.#statements.set(sql, statement);
    return statement;
  }

  #open(): void {
    const { version, table, columns } = this.#layout;
    try {
      // Rows of a few kilobytes fit on pages of this size; on smaller pages most rows would overflow.
      const database = openDatabase(this.#path, { synchronous: 'OFF', before: 'PRAGMA page_size = 16384' });
      this.#database = database;
      database.exec('PRAGMA temp_store = MEMORY');
      const found = Number(database.prepare('PRAGMA user_version').get()?.user_version);
      if (found !== version) {
        database.exec(`DROP TABLE IF EXISTS ${table}`);
        database.exec(`CREATE TABLE IF NOT EXISTS ${table} (${columns})`);
        database.exec(`PRAGMA user_version = ${version}`);
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  /**
   * A damaged file, or one with other tables, is deleted and created again, once; anything else (locked, no space, no
   * permission) means no cache.
   */
  #fail(error: unknown): void {
    const damaged = isDamagedDatabase(error) || resultCode(error) === wrongStatement;
    const first = this.problem === null;
    this.problem = (error as Error).message;
    try {
      this.#database?.close();
    } catch {
      // Even closing the handle of a damaged file may fail; the file is deleted next.
    }
    this.#database = null;
    this.#statements.clear();
    if (!damaged || !first) return;
    removeDatabase(this.#path);
    this.#open();
    if (this.#database) this.problem = null;
  }

  #shrink(database: DatabaseSync): void {
    const { table } = this.#layout;
    const size = (): number => {
      const pages = database.prepare('PRAGMA page_count').get()?.page_count;
      const free = database.prepare('PRAGMA freelist_count').get()?.freelist_count;
      const bytes = database.prepare('PRAGMA page_size').get()?.page_size;
      return (Number(pages) - Number(free)) * Number(bytes);
    };
    while (size() > this.#maxBytes) {
      const oldest = database.prepare(`SELECT min(used) AS first FROM ${table}`).get()?.first;
      if (oldest === null || oldest === undefined) return;
      database.prepare(`DELETE FROM ${table} WHERE used = ?`).run(Number(oldest));
    }
  }
}

function rollback(database: DatabaseSync): void {
  try {
    if (database.isTransaction) database.exec('ROLLBACK');
  } catch {
    // The transaction is gone with the handle.
  }
}
