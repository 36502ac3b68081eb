import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { StateFolder } from '#durable/state-folder.ts';
import type { EventType, RunEvent } from '#schema/event.ts';
import { type Piece, projectionsOf, type RunRecord, renderCheckpoint } from './projections.ts';
import type { RunState } from './state.ts';

/** Rewrites the projections of a run; the old ones stay until the new ones are complete. Returns the number of files. */
export function writeProjections(folders: StateFolder, record: RunRecord): number {
  // Named by process: `rebuild` may write the same run at the same time.
  const fresh = join(folders.scratch(record.run), `projections-${process.pid}`);
  rmSync(fresh, { recursive: true, force: true });
  for (const part of ['reports', 'logs']) mkdirSync(join(fresh, part), { recursive: true });
  const files = writePieces(fresh, projectionsOf(record));
  for (const [part, target] of [
    ['reports', folders.reports(record.run)],
    ['logs', folders.logs(record.run)],
  ] as const) {
    mkdirSync(dirname(target), { recursive: true });
    rmSync(target, { recursive: true, force: true });
    renameSync(join(fresh, part), target);
  }
  rmSync(fresh, { recursive: true, force: true });
  removeIfEmpty(dirname(fresh));
  return files;
}

/** Events that end a piece of work. */
const borders: ReadonlySet<EventType> = new Set<EventType>([
  'run.planned',
  'run.phase',
  'run.paused',
  'run.halted',
  'run.integrated',
  'run.landed',
  'run.ended',
  'attempt.ended',
  'step.accepted',
  'step.revising',
  'step.escalated',
  'step.failed',
  'step.skipped',
]);

/** After a crash it shows where the run was; the log remains the truth. */
export function writeCheckpoint(
  folders: StateFolder,
  run: string,
  state: RunState,
  events: readonly RunEvent[],
  artifact: RunRecord['artifact'],
): void {
  if (!events.some(({ type }) => borders.has(type))) return;
  const file = join(folders.reports(run), 'checkpoint.md');
  mkdirSync(dirname(file), { recursive: true });
  const fresh = `${file}-${process.pid}`;
  writeFileSync(fresh, renderCheckpoint(run, state, artifact));
  renameSync(fresh, file);
}

/** While the run is active, the scratch folder belongs to its tasks. */
function removeIfEmpty(folder: string): void {
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}

export function removeProjections(folders: StateFolder, run: string): void {
  for (const folder of [folders.reports(run), folders.logs(run)]) {
    if (existsSync(folder)) rmSync(folder, { recursive: true, force: true });
  }
}

const bufferedLength = 1_000_000;

/** Joins the hundred thousand small pieces of a big run into large writes. */
function writePieces(root: string, pieces: Iterable<Piece>): number {
  const waiting = new Map<string, string[]>();
  const paths = new Set<string>();
  let length = 0;
  const flush = () => {
    for (const [path, texts] of waiting) {
      if (!paths.has(path)) mkdirSync(dirname(join(root, path)), { recursive: true });
      paths.add(path);
      appendFileSync(join(root, path), texts.join(''));
    }
    waiting.clear();
    length = 0;
  };
  for (const { path, text } of pieces) {
    const texts = waiting.get(path);
    if (texts) texts.push(text);
    else waiting.set(path, [text]);
    length += text.length;
    if (length > bufferedLength) flush();
  }
  flush();
  return paths.size;
}
