import type { EventDraft } from '#schema/event.ts';
import { Journal } from './journal.ts';
import { checksum, type JournalContent, type JournalRow, journalColumns } from './journal-row.ts';
import type { Store } from './store.ts';

/** All that is recorded of a run, in the order in which it was. */
export function readRows({ db }: Store, run: string): JournalRow[] {
  return db.prepare('SELECT * FROM journal WHERE run = ? ORDER BY id').all(run) as unknown as JournalRow[];
}

interface CopiedRun {
  readonly run: string;
  /** Rows of another run, in whole commits. Their events are numbered again. */
  readonly rows: readonly JournalRow[];
  /** The text of a row, as it is for the new run. */
  rewrite(data: string): string;
  /** What the new run begins with beyond that. */
  readonly events: readonly EventDraft[];
}

/** Starts a run with a part of the log of another. All or nothing. */
export function copyRun(store: Store, { run, rows, rewrite, events }: CopiedRun, now: () => number): void {
  const sql = `INSERT INTO journal (${journalColumns.join(', ')}, sum) VALUES (${journalColumns.map(() => '?').join(', ')}, ?)`;
  store.transaction(() => {
    store.db.prepare('INSERT INTO runs (run) VALUES (?)').run(run);
    const insert = store.db.prepare(sql);
    let seq = 0;
    for (const { id: _id, sum: _sum, ...row } of rows) {
      const isEvent = row.kind === 'event';
      if (isEvent) seq += 1;
      // Texts are kept by their hash: they stay as they are.
      const data = row.kind === 'artifact' ? row.data : rewrite(row.data);
      const content: JournalContent = { ...row, run, seq: isEvent ? seq : null, data };
      insert.run(...journalColumns.map((column) => content[column]), checksum(content));
    }
    new Journal(store, run, now).insert({ events });
  });
}
