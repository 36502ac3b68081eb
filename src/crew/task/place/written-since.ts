import { lstatSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

/** The time by the clock of the file system, which is coarser than ours. `file` is made, or written again. */
export function fileClock(file: string): bigint {
  writeFileSync(file, '');
  return lstatSync(file, { bigint: true }).ctimeNs;
}

/**
 * Was anything below a folder made, written, renamed or removed after that time, or the folder itself? Asked of the
 * time of change, which no program can set back. What a link leads to is not looked at. Where files are shared by hard
 * links, every link that is made or removed elsewhere changes that time: those are asked when they were last written.
 */
export async function isWrittenSince(folder: string, time: bigint, areShared = false): Promise<boolean> {
  const isNewer = (path: string) => {
    const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (!stat) return true;
    return (areShared && stat.isFile() && stat.nlink > 1n ? stat.mtimeNs : stat.ctimeNs) > time;
  };
  if (isNewer(folder)) return true;
  const open = lstatSync(folder).isDirectory() ? [folder] : [];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const entry of readdirSync(next, { withFileTypes: true })) {
      const path = join(next, entry.name);
      if (isNewer(path)) return true;
      if (entry.isDirectory()) open.push(path);
    }
    // Other tasks are at work meanwhile.
    await setImmediate();
  }
  return false;
}
