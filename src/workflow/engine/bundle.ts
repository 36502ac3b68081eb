import { createHash } from 'node:crypto';
import { z } from 'zod';
import { Journal } from '#durable/journal.ts';
import type { JournalRow } from '#durable/journal-row.ts';
import { isIntact } from '#durable/journal-row.ts';
import { canonicalJson } from '#lib/canonical-json.ts';
import { type EventDraft, type EventType, eventData } from '#schema/event.ts';
import type { WorkflowAnswer, WorkflowStarted } from '#schema/workflow-run.ts';
import { listRun, prepareTable } from './catalogue-table.ts';
import { hashText, type WorkflowLog } from './log.ts';
import { type Keyring, mintToken } from './tokens.ts';
import { readTree } from './tree.ts';
import { statusOf } from './workflow-engine.ts';
import { WorkflowError } from './workflow-error.ts';

const Entry = z.object({
  kind: z.enum(['event', 'result', 'artifact']),
  type: z.string().nullable(),
  key: z.string().nullable(),
  data: z.string(),
  at: z.iso.datetime().optional().describe('Of an event: when it happened.'),
  sha256: z.string(),
});
type Entry = z.infer<typeof Entry>;

/** A run in one file: its events, texts and answers, each with its hash. */
export const WorkflowBundle = z.object({
  schema: z.literal('joinery/workflow-bundle@1'),
  run: z.string(),
  entries: z.array(Entry).min(1),
  sha256: z.string().describe('Of the hashes of all entries.'),
});
export type WorkflowBundle = z.infer<typeof WorkflowBundle>;

export function exportRun(log: WorkflowLog, run: string): WorkflowBundle {
  log.started(run);
  const rows = log.store.db
    .prepare('SELECT * FROM journal WHERE run = ? ORDER BY id')
    .all(run) as unknown as JournalRow[];
  const damaged = rows.find((row) => !isIntact(row));
  if (damaged)
    throw new WorkflowError('SESSION_NOT_HEALTHY', `run ${run} is damaged`, 'restore runs.db from a backup');
  const entries = rows.flatMap(({ kind, type, key, data, at }) => {
    if (kind === 'begun') return [];
    const entry = { kind, type, key, data, ...(at === null ? {} : { at }) };
    return [{ ...entry, sha256: hashEntry(entry) }];
  });
  return { schema: 'joinery/workflow-bundle@1', run, entries, sha256: hashAll(entries) };
}

/** Keeps the run's id if it is free here. Creates new tokens: tokens from elsewhere are not valid here. */
export function importRun(
  log: WorkflowLog,
  keys: Keyring,
  bundle: WorkflowBundle,
  freshId: () => string,
): string {
  assertWhole(bundle);
  prepareTable(log.store);
  const run = log.store.db.prepare('SELECT 1 FROM runs WHERE run = ?').get(bundle.run)
    ? freshId()
    : bundle.run;
  log.store.transaction(() => {
    log.store.db.prepare('INSERT INTO runs (run) VALUES (?)').run(run);
    let then = log.now();
    const journal = new Journal(log.store, run, () => then);
    const of = (kind: string) => bundle.entries.filter((entry) => entry.kind === kind);
    journal.insert({ artifacts: new Map(of('artifact').map(({ key, data }) => [key ?? '', data])) });
    for (const [index, entry] of of('event').entries()) {
      if (entry.at !== undefined) then = Date.parse(entry.at);
      journal.insert({ events: [readDraft(entry, index === 0 ? bundle.run : null)] });
      journal.settle();
    }
    for (const { key, data } of of('result')) {
      journal.insert({ step: { key: key ?? '', kind: 'result', value: readdress(data, run, keys) } });
    }
  });
  const { started, startedAt, nodes } = readTree(log, run);
  const last = nodes.at(-1);
  if (last) {
    const words = [
      started.workflow,
      started.name,
      started.goal,
      ...nodes.flatMap(({ output }) => (output?.notes ? [log.text(run, output.notes)] : [])),
    ];
    log.store.transaction(() =>
      listRun(
        log.store,
        {
          run,
          workflow: started.workflow,
          name: started.name,
          goal: started.goal,
          status: statusOf(last),
          step: last.step,
          branch: started.branch,
          head: started.head,
          parent: started.parent?.run ?? null,
          createdAt: startedAt,
          updatedAt: last.at,
          node: last.node,
        },
        words.join(' '),
      ),
    );
  }
  return run;
}

function readDraft({ type, data }: Entry, importedFrom: string | null): EventDraft {
  if (type === null || !Object.hasOwn(eventData, type)) throw badBundle(`it has an event ${type}`);
  const value = JSON.parse(data) as object;
  const full = importedFrom === null ? value : ({ ...value, importedFrom } as WorkflowStarted);
  return { type: type as EventType, data: full } as EventDraft;
}

/** An answer with tokens of this repository. */
function readdress(data: string, run: string, keys: Keyring): string {
  const answer = JSON.parse(JSON.parse(data) as string) as WorkflowAnswer;
  const place = { run, node: Number(answer.nodeId.slice(1)), attempt: 0 };
  const continueToken = answer.continueToken && mintToken(keys, 'continue', place);
  return JSON.stringify({
    ...answer,
    sessionId: run,
    continueToken,
    checkpointToken: answer.checkpointToken && mintToken(keys, 'checkpoint', place),
    resumeToken: mintToken(keys, 'resume', place),
    nextCall: answer.nextCall && { ...answer.nextCall, params: { continueToken } },
  });
}

function assertWhole({ entries, sha256 }: WorkflowBundle): void {
  const changed = entries.findIndex(({ sha256: own, ...entry }) => hashEntry(entry) !== own);
  if (changed >= 0) throw badBundle(`entry ${changed + 1} was changed`);
  if (hashAll(entries) !== sha256) throw badBundle('an entry was added, removed or moved');
  const text = entries.find(({ kind, key, data }) => kind === 'artifact' && hashText(data) !== key);
  if (text) throw badBundle(`text ${text.key} is not what its name says`);
}

function badBundle(what: string): WorkflowError {
  return new WorkflowError(
    'SESSION_NOT_HEALTHY',
    `the bundle cannot be used: ${what}`,
    'export the run again',
  );
}

/** Bundles of older versions have no times. */
function hashEntry({ kind, type, key, data, at }: Omit<Entry, 'sha256'>): string {
  return hashText(canonicalJson([kind, type, key, data, ...(at === undefined ? [] : [at])]));
}

function hashAll(entries: readonly { readonly sha256: string }[]): string {
  const hash = createHash('sha256');
  for (const { sha256 } of entries) hash.update(sha256);
  return hash.digest('hex');
}
