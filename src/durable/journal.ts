import { createHash } from 'node:crypto';
import type { StatementSync } from 'node:sqlite';
import type { Json } from '#schema/durable-port.ts';
import { type EventDraft, eventData, type RunEvent } from '#schema/event.ts';
import { logDamaged } from './engine-error.ts';
import { checksum, isIntact, type JournalContent, type JournalRow, journalColumns } from './journal-row.ts';
import type { Store } from './store.ts';

export interface Batch {
  readonly events?: readonly EventDraft[];
  readonly artifacts?: ReadonlyMap<string, string>;
  readonly step?: { readonly key: string; readonly kind: 'begun' | 'result'; readonly value: Json };
}

const insertSql = `INSERT INTO journal (${journalColumns.join(', ')}, sum) VALUES (${journalColumns.map(() => '?').join(', ')}, ?)`;

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The rows of one run. `insert` runs inside a transaction of the caller, who also checks the lease. */
export class Journal {
  readonly #store: Store;
  readonly #run: string;
  readonly #now: () => number;
  readonly #insert: StatementSync;
  #seq: number;
  #at: number;
  #pending: { seq: number; at: number } | null = null;

  constructor(store: Store, run: string, now: () => number) {
    this.#store = store;
    this.#run = run;
    this.#now = now;
    this.#insert = store.db.prepare(insertSql);
    const last = store.db
      .prepare("SELECT seq, at FROM journal WHERE run = ? AND kind = 'event' ORDER BY seq DESC LIMIT 1")
      .get(run) as { seq: number; at: string } | undefined;
    this.#seq = last?.seq ?? 0;
    this.#at = last ? Date.parse(last.at) : 0;
  }

  /** Returns the events with their numbers. The numbers are consumed only when the transaction commits: see `settle`. */
  insert(batch: Batch): RunEvent[] {
    const at = Math.max(this.#at, Math.trunc(this.#now()));
    const stamp = new Date(at).toISOString();
    const events = (batch.events ?? []).map((draft, index) => number(draft, this.#seq + 1 + index, stamp));
    const rows = [
      ...[...(batch.artifacts ?? [])].map(([key, data]) => ({
        ...blank,
        kind: 'artifact' as const,
        key,
        data,
      })),
      ...events.map(eventRow),
      ...(batch.step ? [{ ...blank, ...batch.step, data: JSON.stringify(batch.step.value) }] : []),
    ];
    rows.forEach((row, index) => {
      const content = { ...row, run: this.#run, last: index === rows.length - 1 ? 1 : 0 };
      this.#insert.run(...journalColumns.map((column) => content[column]), checksum(content));
    });
    this.#pending = { seq: this.#seq + events.length, at };
    return events;
  }

  /** The number of the next event. */
  get nextSeq(): number {
    return this.#seq + 1;
  }

  settle(): void {
    if (this.#pending) ({ seq: this.#seq, at: this.#at } = this.#pending);
    this.#pending = null;
  }

  // The condition on `kind` appears twice: SQLite uses the partial index only when the query repeats its exact words.
  result(key: string): { value: Json } | null {
    const row = this.#store.db
      .prepare("SELECT * FROM journal WHERE run = ? AND kind = 'result' AND kind <> 'event' AND key = ?")
      .get(this.#run, key) as unknown as JournalRow | undefined;
    return row ? { value: JSON.parse(intact(row, `the result of ${key}`).data) as Json } : null;
  }

  hasBegun(key: string): boolean {
    const sql = "SELECT 1 FROM journal WHERE run = ? AND kind = 'begun' AND kind <> 'event' AND key = ?";
    return this.#store.db.prepare(sql).get(this.#run, key) !== undefined;
  }

  hasArtifact(key: string): boolean {
    const sql = "SELECT 1 FROM journal WHERE run = ? AND kind = 'artifact' AND kind <> 'event' AND key = ?";
    return this.#store.db.prepare(sql).get(this.#run, key) !== undefined;
  }
}

function number(draft: EventDraft, seq: number, at: string): RunEvent {
  const data = eventData[draft.type].parse(draft.data);
  return { ...draft, data, seq, at, v: 1 } as RunEvent;
}

const blank = { seq: null, at: null, type: null, v: null, step: null, attempt: null, key: null };

function eventRow(event: RunEvent): Omit<JournalContent, 'run' | 'last'> {
  const { seq, at, type, v, step = null, attempt = null, data } = event;
  return { kind: 'event', seq, at, type, v, step, attempt, key: null, data: JSON.stringify(data) };
}

const pageSize = 2000;

/** Reads by pages: faster than row by row, and a log of any length takes the same memory. */
export function* readEvents(store: Store, run: string, after: number): IterableIterator<RunEvent> {
  const page = store.db.prepare(
    `SELECT * FROM journal WHERE run = ? AND kind = 'event' AND seq > ? ORDER BY seq LIMIT ${pageSize}`,
  );
  for (let seen = after; ; ) {
    const rows = page.all(run, seen) as unknown as JournalRow[];
    for (const row of rows) yield toEvent(row);
    if (rows.length < pageSize) return;
    seen = rows.at(-1)?.seq ?? seen;
  }
}

/** One event by its number. */
export function readEvent(store: Store, run: string, seq: number): RunEvent | null {
  const sql = "SELECT * FROM journal WHERE run = ? AND kind = 'event' AND seq = ?";
  const row = store.db.prepare(sql).get(run, seq) as unknown as JournalRow | undefined;
  return row ? toEvent(row) : null;
}

function intact(row: JournalRow, what: string): JournalRow {
  if (isIntact(row)) return row;
  throw logDamaged(row.run, `${what} of run ${row.run} is damaged`);
}

export interface PlacedEvent {
  /** Position in the journal of the repository: grows with every row, over all runs. */
  readonly place: number;
  readonly run: string;
  readonly event: RunEvent;
}

/** Events of all runs in the order they were written, after a position in the journal. */
export function readPlaced(store: Store, after: number, most: number): PlacedEvent[] {
  const rows = store.db
    .prepare("SELECT * FROM journal WHERE id > ? AND kind = 'event' ORDER BY id LIMIT ?")
    .all(after, most) as unknown as (JournalRow & { id: number; run: string })[];
  // A damaged row concerns only its run: the other runs are still read.
  return rows.filter(isIntact).map((row) => ({ place: row.id, run: row.run, event: toEvent(row) }));
}

export function lastPlace(store: Store): number {
  const row = store.db.prepare('SELECT max(id) AS place FROM journal').get() as { place: number | null };
  return row.place ?? 0;
}

/** The envelope in the order of the published format, so that every writer produces the same lines. */
function toEvent(row: JournalRow): RunEvent {
  intact(row, `event ${row.seq}`);
  return {
    seq: row.seq,
    at: row.at,
    type: row.type,
    v: 1,
    ...(row.step === null ? {} : { step: row.step }),
    ...(row.attempt === null ? {} : { attempt: row.attempt }),
    data: JSON.parse(row.data),
  } as RunEvent;
}

export function readArtifact(store: Store, run: string, key: string): string | null {
  const sql = "SELECT * FROM journal WHERE run = ? AND kind = 'artifact' AND kind <> 'event' AND key = ?";
  const row = store.db.prepare(sql).get(run, key) as unknown as JournalRow | undefined;
  return row ? intact(row, `text ${key.slice(0, 12)}`).data : null;
}
