import type { DatabaseSync } from 'node:sqlite';

const sqliteBusy = 5;
const patienceMs = 10_000;
const pauseMs = 20;

/** Of two processes that switch a new database to a log at once, SQLite turns one away, however long it would wait. */
export function useWriteAheadLog(database: DatabaseSync): void {
  const until = Date.now() + patienceMs;
  for (;;) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (cause) {
      const { errcode = 0 } = cause as { errcode?: number };
      if ((errcode & 0xff) !== sqliteBusy || Date.now() > until) throw cause;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
  }
}
