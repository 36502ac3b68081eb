import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/** Larger than any file of git that is read here. */
const mostBytes = 16 * 1024 * 1024;

/**
 * The text of a file that another program may have put there; null unless it is a regular file of bounded size. Opening does not wait: a
 * pipe that has no writer would block this process forever.
 */
export function readFoundFile(path: string, limit = mostBytes): string | null {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    const stat = fstatSync(file);
    return stat.isFile() && stat.size <= limit ? readFileSync(file, 'utf8') : null;
  } catch {
    return null;
  } finally {
    closeSync(file);
  }
}
