import { copyFileSync, existsSync, rmSync, truncateSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { fileLength } from './file-length.ts';
import { isIntact, type JournalRow, journalColumns } from './journal-row.ts';

const columns = ['id', ...journalColumns, 'sum'] as const;

/**
 * Copies what a damaged log still holds, in order, up to the first row that cannot be read, and of that only whole
 * commits. What is missing is then found again by comparing with git, as after any crash.
 */
export function salvage(damaged: string, into: DatabaseSync): number {
  const rows = readPrefix(readableCopy(damaged));
  const whole = rows.slice(0, rows.findLastIndex((row) => row.last === 1) + 1);
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
  return whole.length;
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

function readPrefix(path: string): JournalRow[] {
  const rows: JournalRow[] = [];
  let db: DatabaseSync | null = null;
  try {
    db = new DatabaseSync(path);
    const one = db.prepare('SELECT * FROM journal WHERE id = ?');
    // One by one, by row id: a scan stops at the first damaged page and would lose what comes before it.
    for (let id = 1; ; id++) {
      const row = one.get(id) as unknown as JournalRow | undefined;
      if (row === undefined || !isIntact(row)) break;
      rows.push(row);
    }
  } catch {
    // The rest cannot be read: the prefix is what there is.
  } finally {
    db?.close();
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  }
  return rows;
}
