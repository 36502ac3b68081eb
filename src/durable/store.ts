import { existsSync, renameSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { databaseSuffixes, isDamagedDatabase, openDatabase, resultCode } from '#lib/database.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import { EngineError } from './engine-error.ts';
import { fileLength } from './file-length.ts';
import { isIntact, type JournalRow } from './journal-row.ts';
import { salvage } from './salvage.ts';

/**
 * One physical log for all runs of a repository. A row is an event, the begin or the result of a step, or an artifact; the last row of a
 * commit is marked `last`, so a log that was cut off anywhere can be cut back to a whole commit.
 */
const schema = `
  CREATE TABLE IF NOT EXISTS journal (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    run TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('event', 'begun', 'result', 'artifact')),
    seq INTEGER, at TEXT, type TEXT, v INTEGER, step TEXT, attempt INTEGER,
    key TEXT, data TEXT NOT NULL,
    last INTEGER NOT NULL,
    sum INTEGER NOT NULL
  );
  CREATE UNIQUE INDEX IF NOT EXISTS journal_seq ON journal (run, seq) WHERE kind = 'event';
  CREATE UNIQUE INDEX IF NOT EXISTS journal_key ON journal (run, kind, key) WHERE kind <> 'event';
  CREATE INDEX IF NOT EXISTS journal_life ON journal (run, id) WHERE type GLOB 'run.*';
  CREATE TABLE IF NOT EXISTS runs (ord INTEGER PRIMARY KEY AUTOINCREMENT, run TEXT NOT NULL UNIQUE, pruned INTEGER NOT NULL DEFAULT 0);
  CREATE TABLE IF NOT EXISTS leases (
    name TEXT PRIMARY KEY, token INTEGER NOT NULL, holder TEXT NOT NULL,
    host TEXT NOT NULL, pid INTEGER NOT NULL, started TEXT NOT NULL, expires INTEGER NOT NULL, ttl INTEGER NOT NULL
  );
  CREATE TABLE IF NOT EXISTS signals (ord INTEGER PRIMARY KEY, run TEXT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, payload TEXT NOT NULL, UNIQUE (run, id));
  CREATE TABLE IF NOT EXISTS signal_senders (run TEXT NOT NULL, id TEXT NOT NULL, sender TEXT NOT NULL, PRIMARY KEY (run, id)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS ports (block INTEGER PRIMARY KEY, run TEXT NOT NULL, task TEXT NOT NULL, UNIQUE (run, task));
  CREATE TRIGGER IF NOT EXISTS journal_is_append_only BEFORE UPDATE ON journal
    BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
  CREATE TRIGGER IF NOT EXISTS journal_is_kept BEFORE DELETE ON journal
    WHEN NOT EXISTS (SELECT 1 FROM runs WHERE run = OLD.run AND pruned = 1)
    BEGIN SELECT RAISE(ABORT, 'the journal of a run goes only with the run'); END;
`;

export interface StoreOptions {
  /** Upper bound of the file; tests simulate a full disk with it. */
  readonly maxPages?: number;
}

export interface Store {
  readonly db: DatabaseSync;
  readonly path: string;
  /** What was lost when a damaged file was repaired on opening; null for a healthy one. */
  readonly repaired: string | null;
  /** Atomic, one writer at a time. */
  transaction<T>(body: () => T): T;
  close(): void;
}

export function openStore(path: string, options: StoreOptions = {}): Store {
  let repaired: string | null = null;
  let db: DatabaseSync;
  try {
    assertLength(path);
    db = openChecked(path);
  } catch (cause) {
    if (!isDamage(cause) || !existsSync(path)) throw storeError(path, cause);
    repaired = repair(path);
    db = openChecked(path);
  }
  if (options.maxPages !== undefined) db.exec(`PRAGMA max_page_count = ${Math.trunc(options.maxPages)}`);
  return {
    db,
    path,
    repaired,
    transaction: (body) => transaction(db, path, body),
    close: () => db.close(),
  };
}

function openChecked(path: string): DatabaseSync {
  const db = openDatabase(path, { synchronous: 'FULL' });
  try {
    db.exec(schema);
    assertColumns(db);
    assertSound(db, path);
    assertWhole(db);
    return db;
  } catch (cause) {
    db.close();
    throw cause;
  }
}

/** A damaged table definition gives a column another name: statements would fail one by one, later. */
function assertColumns(db: DatabaseSync): void {
  const expected = new DatabaseSync(':memory:');
  try {
    expected.exec(schema);
    for (const table of ['journal', 'runs', 'leases', 'signals', 'signal_senders', 'ports']) {
      const names = new Set(columnsOf(db, table));
      if (columnsOf(expected, table).some((name) => !names.has(name))) throw new DamageError();
    }
  } finally {
    expected.close();
  }
}

function columnsOf(db: DatabaseSync, table: string): string[] {
  const columns = db.prepare(`PRAGMA table_info(${table})`).all() as { name: string }[];
  return columns.map(({ name }) => name);
}

/** Checking a larger file takes longer than people wait for a command. */
const mostChecked = 32 * 1024 * 1024;

/**
 * Finds pages that were overwritten, before a command fails at one. Compares indexes with their tables: a row missing from its index would
 * look like a step that was never done.
 */
function assertSound(db: DatabaseSync, path: string): void {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > mostChecked) return;
  const found = db.prepare('PRAGMA integrity_check(1)').get() as { integrity_check?: string } | undefined;
  if (found?.integrity_check !== 'ok') throw new DamageError();
}

/** Cheap enough for every start; every row is checked again when it is read. */
function assertWhole(db: DatabaseSync): void {
  const newest = db
    .prepare('SELECT * FROM journal ORDER BY id DESC LIMIT 20')
    .all() as unknown as JournalRow[];
  if (newest.some((row) => !isIntact(row))) throw new DamageError();
}

/** A file that lost its tail is shorter than its header says; SQLite would read zeros as data. */
function assertLength(path: string): void {
  const wal = statSync(`${path}-wal`, { throwIfNoEntry: false });
  const length = fileLength(path);
  if (length === null || (wal !== undefined && wal.size > 0)) return;
  if (length.actual < length.stated) throw new DamageError();
}

class DamageError extends Error {}

function transaction<T>(db: DatabaseSync, path: string, body: () => T): T {
  try {
    db.exec('BEGIN IMMEDIATE');
  } catch (cause) {
    throw storeError(path, cause);
  }
  try {
    const value = body();
    db.exec('COMMIT');
    return value;
  } catch (cause) {
    // After some errors (a full disk) SQLite has already rolled back; a second rollback would fail.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw storeError(path, cause);
  }
}

/** SQLITE_ERROR: all statements that open a log are correct, so a definition in the file is damaged. */
function isDamage(cause: unknown): boolean {
  return cause instanceof DamageError || isDamagedDatabase(cause) || resultCode(cause) === 1;
}

function storeError(path: string, cause: unknown): unknown {
  const code = resultCode(cause);
  if (code === 13 || code === 10) {
    return new EngineError('disk-full', `the run log cannot be written: ${(cause as Error).message}`, {
      exitCode: exitCodes.environment,
      hint: `free some space for ${path}, then: joinery resume`,
      retry: true,
      cause,
    });
  }
  if (code === 5 || code === 6) {
    return new EngineError('log-busy', 'the run log is locked by another process', {
      exitCode: exitCodes.environment,
      hint: 'try again in a moment',
      retry: true,
      cause,
    });
  }
  if (code === 8 || code === 14) {
    return new EngineError('log-unwritable', `the run log cannot be opened for writing: ${path}`, {
      exitCode: exitCodes.environment,
      hint: 'choose another place with JOINERY_STATE_DIR',
      cause,
    });
  }
  return cause;
}

/** Renames the damaged file and starts a new one with every whole commit that can still be read. */
function repair(path: string): string {
  let aside = `${path}.damaged`;
  for (let n = 2; existsSync(aside); n++) aside = `${path}.damaged-${n}`;
  for (const suffix of databaseSuffixes) {
    if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
  }
  const db = openDatabase(path, { synchronous: 'FULL' });
  try {
    db.exec(schema);
    const { rows, cut } = salvage(aside, db);
    const lost = cut.length === 0 ? '' : ` Runs that lost a part: ${cut.join(', ')}.`;
    return `the run log was damaged; ${rows} rows were recovered, the damaged file is ${aside}.${lost}`;
  } finally {
    db.close();
  }
}
