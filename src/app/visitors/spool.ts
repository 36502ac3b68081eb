import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Visit } from '#schema/hooks-report.ts';

/** Two files of this size are kept at most. */
const maxBytes = 1024 * 1024;

const fileIn = (state: string) => join(state, 'visits.jsonl');

/** One line per visit: lines this short are appended whole, also by several agents at once. */
export function appendVisit(state: string, visit: Visit): void {
  const file = fileIn(state);
  mkdirSync(state, { recursive: true });
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > maxBytes) renameSync(file, `${file}.old`);
  appendFileSync(file, `${JSON.stringify(visit)}\n`);
}

/** In the order they were written. A line that was cut off is left out. */
export function readVisits(state: string): Visit[] {
  const file = fileIn(state);
  return [`${file}.old`, file]
    .filter((each) => existsSync(each))
    .flatMap((each) => readFileSync(each, 'utf8').split('\n'))
    .flatMap((line) => visitIn(line) ?? []);
}

/** When the last visit was written; null when there was none. */
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
