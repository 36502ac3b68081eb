import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type Piece, projectionsOf, type RunRecord } from './projections.ts';
import type { StateFolder } from './state-folder.ts';

/** Writes the projections of a run anew; until the last moment the old ones stay. Returns the number of files. */
export function writeProjections(folders: StateFolder, record: RunRecord): number {
  const fresh = join(folders.root, `.projections-${record.run}`);
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
  return files;
}

export function removeProjections(folders: StateFolder, run: string): void {
  for (const folder of [folders.reports(run), folders.logs(run)]) {
    if (existsSync(folder)) rmSync(folder, { recursive: true, force: true });
  }
}

function writePieces(root: string, pieces: Iterable<Piece>): number {
  const paths = new Set<string>();
  // The event file gets a piece per event: it alone is worth keeping open.
  const open = new Map<string, number>();
  try {
    for (const { path, text } of pieces) {
      const file = join(root, path);
      if (!paths.has(path)) mkdirSync(dirname(file), { recursive: true });
      paths.add(path);
      if (path !== 'reports/events.jsonl') {
        appendFileSync(file, text);
        continue;
      }
      const descriptor = open.get(path) ?? openSync(file, 'a');
      open.set(path, descriptor);
      writeSync(descriptor, text);
    }
  } finally {
    for (const descriptor of open.values()) closeSync(descriptor);
  }
  return paths.size;
}
