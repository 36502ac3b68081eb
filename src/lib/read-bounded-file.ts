import { readFileSync, statSync } from 'node:fs';

/** More than any plan, report or settings hold. */
const mostBytes = 64 * 1024 * 1024;

/** A device or a pipe may never end. */
export function readBoundedFile(file: string): string {
  const stats = statSync(file);
  if (!stats.isFile()) throw new Error('it is not a regular file');
  if (stats.size > mostBytes) throw new Error(`it is larger than ${mostBytes / 1024 ** 2} MB`);
  return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
}
