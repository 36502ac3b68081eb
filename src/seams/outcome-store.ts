import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { CacheDatabase } from '../code/cache-database.ts';

const hourMs = 60 * 60 * 1000;

/** A question whose answer depends on nothing but itself: ids of commits and trees, names, settings. */
export type Question = readonly unknown[];

/**
 * What earlier checks found out, by question: reports, how branches meet, how files link. Answers that are missing,
 * damaged or of another build of Joinery count as never given.
 */
export class OutcomeStore {
  readonly #database: CacheDatabase;
  readonly #surroundings: string;
  readonly #news: { readonly question: Question; readonly answer: unknown }[] = [];

  /** `surroundings`: what every answer depends on besides its question, such as the build of Joinery. */
  constructor(path: string, options: { readonly surroundings: string; readonly maxBytes: number }) {
    const columns = 'question TEXT PRIMARY KEY, used INTEGER, crc INTEGER, answer TEXT';
    this.#database = new CacheDatabase(path, { version: 3, table: 'outcomes', columns }, options.maxBytes);
    this.#surroundings = options.surroundings;
  }

  /** Undefined for a question that was not asked before. */
  read(questions: readonly Question[]): unknown[] {
    return this.readTexts(questions).map((text) => (text === undefined ? undefined : JSON.parse(text)));
  }

  /** Answers as JSON, for those that may not be needed after all. */
  readTexts(questions: readonly Question[]): (string | undefined)[] {
    if (questions.length === 0) return [];
    const now = Math.floor(Date.now() / hourMs);
    const answers = this.#database.attempt((database) => {
      const select = database.prepare('SELECT answer, crc, used FROM outcomes WHERE question = ?');
      const touch = database.prepare('UPDATE outcomes SET used = ? WHERE question = ?');
      return questions.map((question) => {
        const id = this.#idOf(question);
        const row = select.get(id);
        if (!row) return undefined;
        const answer = String(row.answer);
        if (checksum(id, answer) !== row.crc) return undefined;
        if (Number(row.used) < now) touch.run(now, id);
        return answer;
      });
    });
    return answers ?? questions.map(() => undefined);
  }

  /** Takes note of an answer; it is written by `keep`. */
  remember(question: Question, answer: unknown): void {
    this.#news.push({ question, answer });
  }

  /** Writes what was remembered since: once all of it is known to be true for good. */
  keep(): void {
    const news = this.#news.splice(0);
    if (news.length === 0) return;
    const now = Math.floor(Date.now() / hourMs);
    this.#database.attempt((database) => {
      const insert = database.prepare(
        'INSERT OR REPLACE INTO outcomes (question, used, crc, answer) VALUES (?, ?, ?, ?)',
      );
      database.exec('BEGIN IMMEDIATE');
      for (const { question, answer } of news) {
        const id = this.#idOf(question);
        const text = JSON.stringify(answer);
        insert.run(id, now, checksum(id, text), text);
      }
      database.exec('COMMIT');
      return true;
    });
  }

  close(): void {
    this.#database.close();
  }

  #idOf(question: Question): string {
    return createHash('sha256')
      .update(JSON.stringify([this.#surroundings, ...question]))
      .digest('hex');
  }
}

/** Covers the question as well: in a damaged index SQLite can hand out a neighbour's row. */
function checksum(id: string, answer: string): number {
  return crc32(answer, crc32(id));
}
