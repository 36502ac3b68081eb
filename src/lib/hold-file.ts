import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { resultCode } from './database.ts';

/** SQLITE_BUSY. */
const busy = 5;

/**
 * Locks a file for one caller: returns the function that releases it, or null while another process, or another part of this one, holds it.
 * It is a lock of the operating system: it ends with its process, however that ends.
 */
export function holdFile(path: string): (() => void) | null {
  mkdirSync(dirname(path), { recursive: true });
  for (;;) {
    // Opened only when it is new: closing a second handle would release a lock that this process holds.
    if (!statSync(path, { throwIfNoEntry: false })) createIfMissing(path);
    const before = statSync(path, { throwIfNoEntry: false })?.ino;
    if (before === undefined) continue;
    const release = lock(path);
    if (release === null) return null;
    // The previous holder may have removed the file: then this lock is on a file that no other process can find.
    if (statSync(path, { throwIfNoEntry: false })?.ino === before) {
      return () => {
        rmSync(path, { force: true });
        release();
      };
    }
    release();
  }
}

function createIfMissing(path: string): void {
  try {
    writeFileSync(path, '', { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function lock(path: string): (() => void) | null {
  const database = new DatabaseSync(path);
  try {
    database.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (resultCode(error) === busy) return null;
    throw error;
  }
  return () => database.close();
}
