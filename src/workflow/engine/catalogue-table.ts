import type { Store } from '#durable/store.ts';

/** A run for lists and searches: derived from the log, and rebuilt if it is missing. */
export interface ListedRun {
  readonly run: string;
  readonly workflow: string;
  readonly name: string;
  readonly goal: string;
  readonly status: 'running' | 'blocked' | 'awaiting_human' | 'done' | 'failed';
  readonly step: string | null;
  readonly branch: string | null;
  readonly head: string | null;
  readonly parent: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The newest node. */
  readonly node: number;
}

/** How many characters of a run's notes are searchable, the newest. */
const searchedCharacters = 8192;

const columns = [
  'run',
  'workflow',
  'name',
  'goal',
  'status',
  'step',
  'branch',
  'head',
  'parent',
  'createdAt',
  'updatedAt',
  'node',
] as const satisfies readonly (keyof ListedRun)[];

export function prepareTable(store: Store): void {
  store.db.exec(
    `CREATE TABLE IF NOT EXISTS workflow_runs (run TEXT PRIMARY KEY, workflow TEXT, name TEXT, goal TEXT, status TEXT,
     step TEXT, branch TEXT, head TEXT, parent TEXT, createdAt TEXT, updatedAt TEXT, node INTEGER, words TEXT) WITHOUT ROWID`,
  );
}

/** Call it in the transaction that changes the run. */
export function listRun(store: Store, listed: ListedRun, words: string): void {
  store.db
    .prepare(
      `INSERT INTO workflow_runs (${columns.join(', ')}, words) VALUES (${columns.map(() => '?').join(', ')}, ?)
       ON CONFLICT (run) DO UPDATE SET status = excluded.status, step = excluded.step, updatedAt = excluded.updatedAt,
       node = excluded.node, words = substr(workflow_runs.words || ' ' || excluded.words, -${searchedCharacters})`,
    )
    .run(...columns.map((column) => listed[column]), words.toLowerCase().slice(-searchedCharacters));
}

export function unlistRun(store: Store, run: string): void {
  store.db.prepare('DELETE FROM workflow_runs WHERE run = ?').run(run);
}

/** Newest first. */
export function listedRuns(store: Store, limit = 1_000_000): ListedRun[] {
  return store.db
    .prepare(`SELECT ${columns.join(', ')} FROM workflow_runs ORDER BY updatedAt DESC, run DESC LIMIT ?`)
    .all(limit) as unknown as ListedRun[];
}

/** Runs with their searchable text. */
export function searchableRuns(store: Store): (ListedRun & { readonly words: string })[] {
  return store.db
    .prepare(`SELECT ${columns.join(', ')}, words FROM workflow_runs ORDER BY updatedAt DESC, run DESC`)
    .all() as unknown as (ListedRun & { words: string })[];
}
