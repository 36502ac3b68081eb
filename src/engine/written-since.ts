import { lstatSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

/** The time by the clock of the file system, which is coarser than ours. `file` is made, or written again. */
export function fileClock(file: string): bigint {
  writeFileSync(file, '');
  return lstatSync(file, { bigint: true }).ctimeNs;
}

/**
 * Was anything below a folder made, written, renamed or removed after that time? Asked of the time of change, which no
 * program can set back. What a link leads to is not looked at.
 */
export async function isWrittenSince(folder: string, time: bigint): Promise<boolean> {
  const stat = lstatSync(folder, { bigint: true, throwIfNoEntry: false });
  if (!stat?.isDirectory()) return stat === undefined ? false : stat.ctimeNs > time;
  const open = [folder];
  if (stat.ctimeNs > time) return true;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const entry of readdirSync(next, { withFileTypes: true })) {
      const path = join(next, entry.name);
      if ((lstatSync(path, { bigint: true, throwIfNoEntry: false })?.ctimeNs ?? time + 1n) > time)
        return true;
      if (entry.isDirectory()) open.push(path);
    }
    // Other tasks are at work meanwhile.
    await setImmediate();
  }
  return false;
}
