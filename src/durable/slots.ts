import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { isDamagedDatabase, openDatabase, removeDatabase } from '#lib/database.ts';
import { isRunning, thisProcess } from './process-identity.ts';

const schema = `
  CREATE TABLE IF NOT EXISTS slots (
    id INTEGER PRIMARY KEY, host TEXT NOT NULL, pid INTEGER NOT NULL, started TEXT NOT NULL, what TEXT NOT NULL
  );
`;

interface SlotRow {
  readonly id: number;
  readonly host: string;
  readonly pid: number;
  readonly started: string;
}

const pollMs = 250;

/**
 * Limits how many agents work at a time, over all runs and repositories that share a state folder. A slot belongs to a process and is free
 * when the process is gone. There is no queue: any process may take a free slot.
 */
export class AgentSlots {
  readonly #db: DatabaseSync;
  readonly #most: number;

  constructor(path: string, most: number) {
    this.#db = openOrReplace(path);
    this.#most = most;
  }

  /** Waits for a slot; `onWait` is called once when none is free at first. Rejects when the signal is aborted. */
  async take(what: string, signal: AbortSignal, onWait: () => void): Promise<() => void> {
    for (let isFirst = true; ; isFirst = false) {
      signal.throwIfAborted();
      const id = this.#claim(what);
      if (id !== null) return () => this.#release(id);
      if (isFirst) onWait();
      await wait(pollMs, undefined, { signal });
    }
  }

  #claim(what: string): number | bigint | null {
    const self = thisProcess();
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      const rows = this.#db.prepare('SELECT id, host, pid, started FROM slots').all() as unknown as SlotRow[];
      // Rows of another machine on a shared disk, or from before the last boot, do not count here.
      const ours = rows.filter(({ host }) => host === self.host);
      const gone = ours.filter(({ pid, started }) => !isRunning(pid, started));
      for (const { id } of gone) this.#release(id);
      const isFree = ours.length - gone.length < this.#most;
      const added = isFree
        ? this.#db
            .prepare('INSERT INTO slots (host, pid, started, what) VALUES (?, ?, ?, ?)')
            .run(self.host, self.pid, self.started, what)
        : null;
      this.#db.exec('COMMIT');
      return added?.lastInsertRowid ?? null;
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  #release(id: number | bigint): void {
    this.#db.prepare('DELETE FROM slots WHERE id = ?').run(id);
  }
}

/** Nothing in it outlives a process, so an unreadable file is replaced without loss. */
function openOrReplace(path: string): DatabaseSync {
  try {
    return open(path);
  } catch (error) {
    if (!isDamagedDatabase(error)) throw error;
    removeDatabase(path);
    return open(path);
  }
}

function open(path: string): DatabaseSync {
  const db = openDatabase(path, { synchronous: 'OFF' });
  try {
    db.exec(schema);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
