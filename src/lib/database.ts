import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const busy = 5;
const corrupt = 11;
const notADatabase = 26;
const patienceMs = 10_000;
const pauseMs = 20;

export interface DatabaseOptions {
  /** FULL: a commit survives a power failure. OFF: for data that may be lost, such as a cache. */
  readonly synchronous: 'FULL' | 'OFF';
  /** Pragmas that SQLite reads before it writes the first page, such as `page_size`. */
  readonly before?: string;
}

/** Opens a database that several processes share: creates its folder, uses a write-ahead log and waits for locks. */
export function openDatabase(path: string, { synchronous, before }: DatabaseOptions): DatabaseSync {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const database = new DatabaseSync(path, { timeout: patienceMs });
  try {
    if (before) database.exec(before);
    useWriteAheadLog(database);
    database.exec(`PRAGMA synchronous = ${synchronous}`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** When two processes switch a new database to a write-ahead log at once, SQLite refuses one, whatever its timeout. */
function useWriteAheadLog(database: DatabaseSync): void {
  const until = Date.now() + patienceMs;
  for (;;) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (resultCode(error) !== busy || Date.now() > until) throw error;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
  }
}

/** SQLite's primary result code; null for any other error. `SQLITE_CORRUPT_INDEX` (779) → 11. */
export function resultCode(error: unknown): number | null {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  return typeof code === 'number' ? code & 0xff : null;
}

/** Whether the file itself is damaged or not a database. */
export function isDamagedDatabase(error: unknown): boolean {
  const code = resultCode(error);
  return code === corrupt || code === notADatabase;
}

/** Removes a database together with its write-ahead log. */
export function removeDatabase(path: string): void {
  for (const suffix of databaseSuffixes) rmSync(path + suffix, { force: true });
}

/** A database consists of three files. */
export const databaseSuffixes = ['', '-wal', '-shm'] as const;
