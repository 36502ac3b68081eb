import { copyFileSync, existsSync, truncateSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { removeDatabase } from '#lib/database.ts';
import { fileLength } from './file-length.ts';
import { isIntact, type JournalRow, journalColumns } from './journal-row.ts';

const columns = ['id', ...journalColumns, 'sum'] as const;

export interface Salvaged {
  readonly rows: number;
  /** Runs that lost a part of their log, or everything that could be read. */
  readonly cut: readonly string[];
}

/**
 * Copies what is readable of a damaged log. Each run keeps its events up to the first missing one, and only whole commits; undamaged runs
 * keep everything. Comparing with git then recovers the rest, as after any crash.
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
    // Tokens must keep growing: a holder from before the damage stays fenced off.
    if (row.type === 'run.opened') fence.run(row.run, (JSON.parse(row.data) as { token: number }).token);
  }
  into.exec('COMMIT');
  return { rows: whole.length, cut };
}

/**
 * SQLite refuses a file that is shorter than its header says. A copy padded with zeros can be opened; missing pages then fail one by one.
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

/** Consecutive rows without a damaged one in between. */
type Piece = readonly JournalRow[];

/** More rows than any damaged page has. */
const longestSkip = 4096;
const mostFailures = 10_000;

/** Reads by row id: a scan stops at the first damaged page and would lose everything after it. Missing ids were pruned. */
function readPieces(path: string): Piece[] {
  const pieces: JournalRow[][] = [[]];
  let db: DatabaseSync | null = null;
  try {
    // Otherwise one damaged definition, even of an index, keeps SQLite from reading anything.
    db = new DatabaseSync(path, { defensive: false });
    db.exec('PRAGMA writable_schema = ON');
    const next = db.prepare('SELECT rowid, * FROM journal WHERE rowid >= ? ORDER BY rowid LIMIT 1');
    next.setReturnArrays(true);
    const highest = highestId(db);
    let skip = 1;
    for (let id = 1, failures = 0; failures < mostFailures; ) {
      const found = attempt(() => rowOf(next.get(id) as unknown as JournalValues | undefined));
      // A damaged page may lead back to rows that were already read, endlessly.
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
    // The rest cannot be read: keep what was read.
  } finally {
    db?.close();
    removeDatabase(path);
  }
  return pieces;
}

/** The highest id that was ever assigned: no row can be missing after it. */
function highestId(db: DatabaseSync): number {
  const stated = attempt(() => db.prepare(`SELECT seq FROM sqlite_sequence WHERE name = 'journal'`).get());
  const seq = stated === 'unreadable' ? undefined : stated?.seq;
  return typeof seq === 'number' ? seq : Number.POSITIVE_INFINITY;
}

type JournalValues = readonly JournalRow[keyof JournalRow][];

/** Reads columns by position: in a damaged table definition a column has another name, and its id may be missing (`rowid` never is). */
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

/** Keeps whole commits of each piece, and of each run the events up to the first gap in their numbers. */
function cutToWhole(pieces: readonly Piece[]): { whole: JournalRow[]; cut: string[] } {
  const whole: JournalRow[] = [];
  const cut = new Set<string>();
  const last = new Map<string, number>();
  pieces.forEach((piece, index) => {
    // After a gap, a piece may start in the middle of a commit whose beginning is lost.
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
