import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

/**
 * Whether anything below a folder, or the folder itself, was created, written, renamed or removed after that time. Uses the
 * change time, which no program can set back. Targets of links are not examined. For files shared by hard links, whose
 * change time every new or removed link updates, it uses the modification time.
 */
export async function isWrittenSince(
  folder: string,
  time: bigint,
  areShared = false,
  /** Folders that do not count. */
  except: readonly string[] = [],
): Promise<boolean> {
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
      if (except.includes(path)) continue;
      if (isNewer(path)) return true;
      if (entry.isDirectory()) open.push(path);
    }
    // Lets other tasks run in between.
    await setImmediate();
  }
  return false;
}
