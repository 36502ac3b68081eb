import type { EventDraft } from '#schema/event.ts';
import { Journal } from './journal.ts';
import { checksum, type JournalContent, type JournalRow, journalColumns } from './journal-row.ts';
import type { Store } from './store.ts';

/** All records of a run, in the order in which they were written. */
export function readRows({ db }: Store, run: string): JournalRow[] {
  return db.prepare('SELECT * FROM journal WHERE run = ? ORDER BY id').all(run) as unknown as JournalRow[];
}

interface CopiedRun {
  readonly run: string;
  /** Rows of another run, in whole commits. Their events get new numbers. */
  readonly rows: readonly JournalRow[];
  /** Adapts the text of a row to the new run. */
  rewrite(data: string): string;
  /** Further events that the new run begins with. */
  readonly events: readonly EventDraft[];
}

/** Starts a run with a part of the log of another one, in one transaction. */
export function copyRun(store: Store, { run, rows, rewrite, events }: CopiedRun, now: () => number): void {
  const sql = `INSERT INTO journal (${journalColumns.join(', ')}, sum) VALUES (${journalColumns.map(() => '?').join(', ')}, ?)`;
  store.transaction(() => {
    store.db.prepare('INSERT INTO runs (run) VALUES (?)').run(run);
    const insert = store.db.prepare(sql);
    let seq = 0;
    for (const { id: _id, sum: _sum, ...row } of rows) {
      const isEvent = row.kind === 'event';
      if (isEvent) seq += 1;
      // Artifacts are stored by their hash, so they are copied unchanged.
      const data = row.kind === 'artifact' ? row.data : rewrite(row.data);
      const content: JournalContent = { ...row, run, seq: isEvent ? seq : null, data };
      insert.run(...journalColumns.map((column) => content[column]), checksum(content));
    }
    new Journal(store, run, now).insert({ events });
  });
}
