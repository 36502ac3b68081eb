import { readFileSync, statSync } from 'node:fs';

/** Larger than any plan, report or settings file. */
const mostBytes = 64 * 1024 * 1024;

/** Refuses devices and pipes, which may never end. */
export function readBoundedFile(file: string): string {
  const stats = statSync(file);
  if (!stats.isFile()) throw new Error('it is not a regular file');
  if (stats.size > mostBytes) throw new Error(`it is larger than ${mostBytes / 1024 ** 2} MB`);
  return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
}
