import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Visit } from '#schema/hooks-report.ts';

/** At most two files of this size are kept. */
const maxBytes = 1024 * 1024;

const fileIn = (state: string) => join(state, 'visits.jsonl');

/** Appends one line per visit: lines this short are appended atomically, also by several agents at once. */
export function appendVisit(state: string, visit: Visit): void {
  const file = fileIn(state);
  mkdirSync(state, { recursive: true });
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > maxBytes) renameSync(file, `${file}.old`);
  appendFileSync(file, `${JSON.stringify(visit)}\n`);
}

/** Visits in the order they were written. Truncated lines are skipped. */
export function readVisits(state: string): Visit[] {
  const file = fileIn(state);
  return [`${file}.old`, file]
    .filter((each) => existsSync(each))
    .flatMap((each) => readFileSync(each, 'utf8').split('\n'))
    .flatMap((line) => visitIn(line) ?? []);
}

/** When the last visit was written; null if there was none. */
export function visitedAt(state: string): number | null {
  return statSync(fileIn(state), { throwIfNoEntry: false })?.mtimeMs ?? null;
}

function visitIn(line: string): Visit | null {
  try {
    return Visit.parse(JSON.parse(line));
  } catch {
    return null;
  }
}
