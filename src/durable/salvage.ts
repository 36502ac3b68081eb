import { copyFileSync, existsSync, truncateSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { removeDatabase } from '#lib/database.ts';
import { fileLength } from './file-length.ts';
import { isIntact, type JournalRow, journalColumns } from './journal-row.ts';

const columns = ['id', ...journalColumns, 'sum'] as const;

export interface Salvaged {
  readonly rows: number;
  /** Runs that lost a part of their log, or all of it that could be read. */
  readonly cut: readonly string[];
}

/**
 * Copies what a damaged log still holds. Each run keeps its events up to the first that is missing, and of those only
 * whole commits; runs that lost nothing keep everything. What is missing is then found again by comparing with git, as
 * after any crash.
 */
export function salvage(damaged: string, into: DatabaseSync): Salvaged {
  const { whole, cut } = cutToWhole(readPieces(readableCopy(damaged)));
  const insert = into.prepare(
    `INSERT INTO journal (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
  const addRun = into.prepare('INSERT OR IGNORE INTO runs (run) VALUES (?)');
  const fence = into.prepare(
    `INSERT INTO leases VALUES (?, ?, '', '', 0, '', 0, 0) ON CONFLICT (name) DO UPDATE SET token = excluded.token`,
  );
  into.exec('BEGIN IMMEDIATE');
  for (const row of whole) {
    insert.run(...columns.map((column) => row[column] ?? null));
    addRun.run(row.run);
    // Tokens must go on growing: a holder from before the damage stays fenced off.
    if (row.type === 'run.opened') fence.run(row.run, (JSON.parse(row.data) as { token: number }).token);
  }
  into.exec('COMMIT');
  return { rows: whole.length, cut };
}

/**
 * SQLite refuses a file that is shorter than its header says. A copy filled up with zeros can be opened, and pages that
 * are missing then fail one by one.
 */
function readableCopy(damaged: string): string {
  const copy = `${damaged}.reading`;
  for (const suffix of ['', '-wal']) {
    if (existsSync(damaged + suffix)) copyFileSync(damaged + suffix, copy + suffix);
  }
  const length = fileLength(copy);
  if (length && length.actual < length.stated) truncateSync(copy, length.stated);
  return copy;
}

/** Rows that follow each other without a damaged one in between. */
type Piece = readonly JournalRow[];

/** Longer than any damaged page has rows. */
const longestSkip = 4096;
const mostFailures = 10_000;

/**
 * By row id: a scan stops at the first damaged page and would lose what comes behind it. Ids that are simply not there
 * were pruned.
 */
function readPieces(path: string): Piece[] {
  const pieces: JournalRow[][] = [[]];
  let db: DatabaseSync | null = null;
  try {
    // Otherwise one damaged definition, of an index perhaps, keeps SQLite from reading anything.
    db = new DatabaseSync(path, { defensive: false });
    db.exec('PRAGMA writable_schema = ON');
    const next = db.prepare('SELECT rowid, * FROM journal WHERE rowid >= ? ORDER BY rowid LIMIT 1');
    next.setReturnArrays(true);
    const highest = highestId(db);
    let skip = 1;
    for (let id = 1, failures = 0; failures < mostFailures; ) {
      const found = attempt(() => rowOf(next.get(id) as unknown as JournalValues | undefined));
      // A damaged page may lead back to rows that were read already, again and again.
      const row = typeof found === 'object' && !(found.id >= id) ? 'unreadable' : found;
      if (row === undefined) break;
      if (row === 'unreadable' || !isIntact(row)) {
        failures += 1;
        if (row === 'unreadable' && id > highest) break;
        if ((pieces.at(-1)?.length ?? 0) > 0) pieces.push([]);
        id = row === 'unreadable' ? id + skip : row.id + 1;
        skip = row === 'unreadable' ? Math.min(longestSkip, skip * 2) : 1;
        continue;
      }
      skip = 1;
      pieces.at(-1)?.push(row);
      id = row.id + 1;
    }
  } catch {
    // The rest cannot be read: what was read is what there is.
  } finally {
    db?.close();
    removeDatabase(path);
  }
  return pieces;
}

/** The highest id that was ever given: behind it nothing can be missing. */
function highestId(db: DatabaseSync): number {
  const stated = attempt(() => db.prepare(`SELECT seq FROM sqlite_sequence WHERE name = 'journal'`).get());
  const seq = stated === 'unreadable' ? undefined : stated?.seq;
  return typeof seq === 'number' ? seq : Number.POSITIVE_INFINITY;
}

type JournalValues = readonly JournalRow[keyof JournalRow][];

/** By place: where the definition of the table is damaged, a column has another name, and its id may be none (`rowid` always is). */
function rowOf(values: JournalValues | undefined): JournalRow | undefined {
  if (values === undefined) return undefined;
  const [id, , ...others] = values;
  const row = [id, ...others];
  return Object.fromEntries(columns.map((column, at) => [column, row[at]])) as unknown as JournalRow;
}

function attempt<T>(read: () => T): T | 'unreadable' {
  try {
    return read();
  } catch {
    return 'unreadable';
  }
}

/** Of each piece whole commits; of each run its events as far as their numbers follow each other. */
function cutToWhole(pieces: readonly Piece[]): { whole: JournalRow[]; cut: string[] } {
  const whole: JournalRow[] = [];
  const cut = new Set<string>();
  const last = new Map<string, number>();
  pieces.forEach((piece, index) => {
    // Behind a gap the rest of a commit may stand, whose beginning is lost.
    const start = index === 0 ? 0 : piece.findIndex((row) => row.last === 1) + 1;
    const end = piece.findLastIndex((row) => row.last === 1) + 1;
    for (const row of piece.slice(0, start)) cut.add(row.run);
    for (const commit of commitsIn(piece.slice(start, end))) {
      const { run } = commit[0] as JournalRow;
      const numbers = commit.flatMap(({ kind, seq }) => (kind === 'event' ? [seq ?? 0] : []));
      const before = last.get(run) ?? 0;
      const isNext = numbers.length > 0 ? numbers[0] === before + 1 : last.has(run);
      if (!isNext) cut.add(run);
      if (cut.has(run)) continue;
      last.set(run, before + numbers.length);
      whole.push(...commit);
    }
    for (const row of piece.slice(Math.max(start, end))) cut.add(row.run);
  });
  return { whole, cut: [...cut] };
}

function commitsIn(rows: readonly JournalRow[]): JournalRow[][] {
  const commits: JournalRow[][] = [];
  let open: JournalRow[] = [];
  for (const row of rows) {
    open.push(row);
    if (row.last !== 1) continue;
    commits.push(open);
    open = [];
  }
  return commits;
}
