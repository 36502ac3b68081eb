import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { openDatabase } from '#lib/database.ts';
import { Memory } from '#schema/memory.ts';

/** A reviewer gets at most this many memories. */
export const mostRecalled = 5;

/** At most this many words of a query are used. */
const mostWords = 200;

/** The memories of one repository: a table and a full-text index over it. */
export class MemoryStore {
  readonly #database: DatabaseSync;

  constructor(path: string) {
    this.#database = openDatabase(path, { synchronous: 'FULL' });
    this.#database.exec(`
      CREATE TABLE IF NOT EXISTS memory (id TEXT PRIMARY KEY, kind TEXT NOT NULL, text TEXT NOT NULL, file TEXT, blob TEXT, at TEXT NOT NULL);
      CREATE VIRTUAL TABLE IF NOT EXISTS memory_text USING fts5(id UNINDEXED, text, file);
    `);
  }

  /** Adding the same thing again updates the memory to the current code. */
  add(memories: readonly Omit<Memory, 'id'>[]): Memory[] {
    const put = this.#database.prepare(
      'INSERT INTO memory (id, kind, text, file, blob, at) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET blob = excluded.blob, at = excluded.at',
    );
    const index = this.#database.prepare('INSERT INTO memory_text (id, text, file) VALUES (?, ?, ?)');
    const known = this.#database.prepare('SELECT 1 FROM memory WHERE id = ?');
    return this.#atOnce(() =>
      memories.map((memory) => {
        const id = idOf(memory);
        if (!known.get(id)) index.run(id, memory.text, memory.file ?? '');
        put.run(id, memory.kind, memory.text, memory.file, memory.blob, memory.at);
        return { ...memory, id };
      }),
    );
  }

  /** The memories that best match some words, the best first. */
  search(words: string, most: number): Memory[] {
    const terms = [...new Set(words.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? [])].slice(0, mostWords);
    if (terms.length === 0) return [];
    const rows = this.#database
      .prepare(
        'SELECT memory.* FROM memory_text JOIN memory ON memory.id = memory_text.id WHERE memory_text MATCH ? ORDER BY bm25(memory_text), memory.id LIMIT ?',
      )
      .all(terms.map((term) => `"${term}"`).join(' OR '), most);
    return rows.map((row) => Memory.parse({ ...row }));
  }

  /** Null if there is none with that id. */
  forget(id: string): Memory | null {
    const row = this.#database.prepare('SELECT * FROM memory WHERE id = ?').get(id);
    if (!row) return null;
    this.#atOnce(() => {
      this.#database.prepare('DELETE FROM memory WHERE id = ?').run(id);
      this.#database.prepare('DELETE FROM memory_text WHERE id = ?').run(id);
    });
    return Memory.parse({ ...row });
  }

  close(): void {
    this.#database.close();
  }

  #atOnce<T>(work: () => T): T {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const done = work();
      this.#database.exec('COMMIT');
      return done;
    } catch (error) {
      this.#database.exec('ROLLBACK');
      throw error;
    }
  }
}

function idOf({ kind, text, file }: Omit<Memory, 'id'>): string {
  const plain = text.toLowerCase().replaceAll(/\s+/g, ' ').trim();
  return createHash('sha256')
    .update(JSON.stringify(['mem1', kind, plain, file]))
    .digest('hex')
    .slice(0, 12);
}
