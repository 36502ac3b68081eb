import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { CacheDatabase } from '#lib/cache-database.ts';
import { countAnswer } from '#lib/counted.ts';

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
  /** Objects that this clone lacks now, as far as known. */
  #lacking: ReadonlySet<string> = new Set();
  /** By id of a list of objects: the objects if all of them are still lacking, else null. */
  readonly #lists = new Map<string, readonly string[] | null>();
  /** What the answers that were read here were given without. */
  readonly #without = new Set<string>();
  #isBlind = false;

  /** `surroundings`: what every answer depends on besides its question, such as the build of Joinery. */
  constructor(path: string, options: { readonly surroundings: string; readonly maxBytes: number }) {
    const columns = 'question TEXT PRIMARY KEY, used INTEGER, crc INTEGER, lacking TEXT, answer TEXT';
    this.#database = new CacheDatabase(path, { version: 4, table: 'outcomes', columns }, options.maxBytes);
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
      const row = prepare('SELECT used, lacking FROM outcomes WHERE question = ?').get(id);
      if (!row || !this.#holds(String(row.lacking))) return false;
      if (Number(row.used) < now) prepare(touching).run(now, id);
      return true;
    });
    return found ?? false;
  }

  /** An answer that `has` reported as present. */
  readText(question: Question): string {
    const [text] = this.#readTexts([question]);
    if (text === undefined) throw new LostAnswer('an answer in the cache is damaged');
    return text;
  }

  /**
   * An answer that was given without some objects counts while this clone lacks all of them: once one has arrived, the answer could be
   * another one. `lacking`: those of which that is known.
   */
  knowLacking(lacking: readonly string[]): void {
    this.#lacking = new Set(lacking);
    this.#lists.clear();
  }

  /** What the answers that were read here were given without. */
  get without(): ReadonlySet<string> {
    return this.#without;
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
      const select = prepare('SELECT answer, crc, used, lacking FROM outcomes WHERE question = ?');
      return questions.map((question) => {
        const id = this.#idOf(question);
        const row = select.get(id);
        if (!row) return undefined;
        const answer = String(row.answer);
        if (checksum(id, answer) !== row.crc || !this.#holds(String(row.lacking))) return undefined;
        if (Number(row.used) < now) prepare(touching).run(now, id);
        return answer;
      });
    });
    return answers ?? questions.map(() => undefined);
  }

  /** Records an answer; `keep` writes it. */
  remember(question: Question, answer: unknown): void {
    countAnswer(question);
    this.#news.set(JSON.stringify(question), { question, answer });
  }

  rememberText(question: Question, text: string): void {
    this.#news.set(JSON.stringify(question), { question, text });
  }

  /** Writes the recorded answers, which were given without these objects. Call it only when all of them are final. */
  keep(lacking: readonly string[] = []): void {
    if (this.#news.size === 0) return;
    const list = lacking.length === 0 ? '' : hash('sha256', lacking.join(' '));
    if (list !== '') this.remember(listOf(list), lacking);
    const news = [...this.#news.values()];
    this.#news.clear();
    const now = Math.floor(Date.now() / hourMs);
    this.#database.attempt((database, prepare) => {
      const insert = prepare(
        'INSERT OR REPLACE INTO outcomes (question, used, crc, lacking, answer) VALUES (?, ?, ?, ?, ?)',
      );
      database.exec('BEGIN IMMEDIATE');
      for (const each of news) {
        const id = this.#idOf(each.question);
        const answer = 'answer' in each ? JSON.stringify(each.answer) : each.text;
        const isAlways = alwaysHolds.has(String(each.question[0]));
        insert.run(id, now, checksum(id, answer), isAlways ? '' : list, answer);
      }
      database.exec('COMMIT');
      return true;
    });
  }

  close(): void {
    this.#database.close();
  }

  /** Whether this clone still lacks all objects of a list. */
  #holds(list: string): boolean {
    if (list === '') return true;
    const known = this.#lists.get(list);
    if (known !== undefined) return known !== null;
    const [lacked] = this.read([listOf(list)]) as [readonly string[] | undefined];
    const holds = lacked?.every((id) => this.#lacking.has(id)) ?? false;
    this.#lists.set(list, holds && lacked ? lacked : null);
    if (holds) for (const id of lacked ?? []) this.#without.add(id);
    return holds;
  }

  #idOf(question: Question): string {
    return hash('sha256', JSON.stringify([this.#surroundings, ...question]));
  }
}

/** What a clone lacks is not itself an answer that was given without something. */
const alwaysHolds: ReadonlySet<string> = new Set(['lacking', 'lacking list']);

function listOf(id: string): Question {
  return ['lacking list', id];
}

/** An answer that `has` found can no longer be read: the check has to start again. */
export class LostAnswer extends Error {}

/** Includes the question: with a damaged index SQLite can return the wrong row. */
function checksum(id: string, answer: string): number {
  return crc32(answer, crc32(id));
}
