import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { CacheDatabase } from '#lib/cache-database.ts';

const hourMs = 60 * 60 * 1000;
const touching = 'UPDATE outcomes SET used = ? WHERE question = ?';

/** A question whose answer depends only on the question: ids of commits and trees, names, settings. */
export type Question = readonly unknown[];

/** A recorded answer: as a value, or as text. */
type News =
  | { readonly question: Question; readonly answer: unknown; readonly text?: undefined }
  | { readonly question: Question; readonly text: string };

/**
 * Results of earlier checks, by question: reports, how branches meet, how files link. Answers that are missing, damaged or from another
 * build of Joinery count as absent.
 */
export class OutcomeStore {
  readonly #database: CacheDatabase;
  readonly #surroundings: string;
  /** By question, as text: what this check has recorded and `keep` has not written yet. */
  readonly #news = new Map<string, News>();
  /** By question, as text: answers that are being worked out. */
  readonly #open = new Map<string, Promise<unknown>>();
  #lacking = '';
  #isBlind = false;

  /** `surroundings`: what every answer depends on besides its question, such as the build of Joinery. */
  constructor(path: string, options: { readonly surroundings: string; readonly maxBytes: number }) {
    const columns = 'question TEXT PRIMARY KEY, used INTEGER, crc INTEGER, answer TEXT';
    this.#database = new CacheDatabase(path, { version: 3, table: 'outcomes', columns }, options.maxBytes);
    this.#surroundings = options.surroundings;
  }

  /** Undefined for a question that was not asked before. */
  read(questions: readonly Question[]): unknown[] {
    const news = questions.map((question) => this.#news.get(JSON.stringify(question)));
    const texts = this.#readTexts(questions.filter((_, at) => news[at] === undefined)).values();
    return news.map((each) => {
      const text = each ? each.text : texts.next().value;
      return each && 'answer' in each ? each.answer : text === undefined ? undefined : JSON.parse(text);
    });
  }

  /** The answer to a question; worked out at most once, however many ask at the same time. */
  async answer<Answer>(question: Question, workOut: () => Promise<Answer>): Promise<Answer> {
    const id = JSON.stringify(question);
    const open = this.#open.get(id) as Promise<Answer> | undefined;
    if (open) return open;
    const [known] = this.read([question]) as [Answer | undefined];
    if (known !== undefined) return known;
    const found = workOut();
    this.#open.set(id, found);
    try {
      const answer = await found;
      this.remember(question, answer);
      return answer;
    } finally {
      this.#open.delete(id);
    }
  }

  /** Whether there is an answer, without reading it. */
  has(question: Question): boolean {
    if (this.#isBlind) return false;
    const id = this.#idOf(question);
    const now = Math.floor(Date.now() / hourMs);
    const found = this.#database.attempt((_, prepare) => {
      const row = prepare('SELECT used FROM outcomes WHERE question = ?').get(id);
      if (row && Number(row.used) < now) prepare(touching).run(now, id);
      return row !== undefined;
    });
    return found ?? false;
  }

  /** An answer that `has` reported as present. */
  readText(question: Question): string {
    const [text] = this.#readTexts([question]);
    if (text === undefined) throw new LostAnswer('an answer in the cache is damaged');
    return text;
  }

  /** Objects that the last check did not find in this clone. */
  readLacking(clone: string): string[] {
    return (this.read([lackingIn(clone)])[0] ?? []) as string[];
  }

  /**
   * From now on answers are read and kept for a clone that lacks exactly these objects: once one of them has arrived, the
   * answers given without it do not count.
   */
  dependOn(clone: string, lacking: readonly string[]): void {
    this.#lacking = lacking.length === 0 ? '' : hash('sha256', lacking.join(' '));
    this.remember(lackingIn(clone), lacking);
  }

  /** From now on no question counts as answered. */
  forget(): void {
    this.#isBlind = true;
    this.#news.clear();
  }

  #readTexts(questions: readonly Question[]): (string | undefined)[] {
    if (questions.length === 0 || this.#isBlind) return questions.map(() => undefined);
    const now = Math.floor(Date.now() / hourMs);
    const answers = this.#database.attempt((_, prepare) => {
      const select = prepare('SELECT answer, crc, used FROM outcomes WHERE question = ?');
      return questions.map((question) => {
        const id = this.#idOf(question);
        const row = select.get(id);
        if (!row) return undefined;
        const answer = String(row.answer);
        if (checksum(id, answer) !== row.crc) return undefined;
        if (Number(row.used) < now) prepare(touching).run(now, id);
        return answer;
      });
    });
    return answers ?? questions.map(() => undefined);
  }

  /** Records an answer; `keep` writes it. */
  remember(question: Question, answer: unknown): void {
    this.#news.set(JSON.stringify(question), { question, answer });
  }

  rememberText(question: Question, text: string): void {
    this.#news.set(JSON.stringify(question), { question, text });
  }

  /** Writes the recorded answers. Call it only when all of them are final. */
  keep(): void {
    const news = [...this.#news.values()];
    this.#news.clear();
    if (news.length === 0) return;
    const now = Math.floor(Date.now() / hourMs);
    this.#database.attempt((database, prepare) => {
      const insert = prepare(
        'INSERT OR REPLACE INTO outcomes (question, used, crc, answer) VALUES (?, ?, ?, ?)',
      );
      database.exec('BEGIN IMMEDIATE');
      for (const each of news) {
        const id = this.#idOf(each.question);
        const answer = 'answer' in each ? JSON.stringify(each.answer) : each.text;
        insert.run(id, now, checksum(id, answer), answer);
      }
      database.exec('COMMIT');
      return true;
    });
  }

  close(): void {
    this.#database.close();
  }

  #idOf(question: Question): string {
    const clone = question[0] === aboutLacking ? '' : this.#lacking;
    return hash('sha256', JSON.stringify([this.#surroundings, clone, ...question]));
  }
}

const aboutLacking = 'lacking';

function lackingIn(clone: string): Question {
  return [aboutLacking, clone];
}

/** An answer that `has` found can no longer be read: the check has to start again. */
export class LostAnswer extends Error {}

/** Includes the question: with a damaged index SQLite can return the wrong row. */
function checksum(id: string, answer: string): number {
  return crc32(answer, crc32(id));
}
