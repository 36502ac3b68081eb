import { type BigIntStats, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Provisioning } from '#schema/provisioning.ts';

/** What tools write among the dependencies while a person works; gates have caches of their own. */
const caches: ReadonlySet<string> = new Set(['.cache', '.vite', '.vite-temp', '.vitest', '__pycache__']);

/**
 * A file of the main checkout's dependencies that was written since a time, as a path from the top; null if there is none. Every gate gets
 * a copy of them, so an agent that changes them changes what its own work is tested with. Uses the change time, which no program can set
 * back; for files shared by hard links, whose change time every new link updates, the modification time.
 */
export async function writtenDependency(
  { mode, install, folders }: Provisioning,
  /** The main checkout. */
  root: string | null,
  since: bigint,
): Promise<string | null> {
  // Installed for each gate, or shared on purpose.
  if (root === null || install || mode === 'none' || mode === 'symlink') return null;
  const isNewer = (stat: BigIntStats) =>
    (mode === 'hardlink' && stat.isFile() && stat.nlink > 1n ? stat.mtimeNs : stat.ctimeNs) >= since;
  const open = folders.filter((folder) =>
    lstatSync(join(root, folder), { throwIfNoEntry: false })?.isDirectory(),
  );
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const names = namesIn(join(root, next));
    // A new cache in a folder is also a change of the folder.
    const stat = lstatSync(join(root, next), { bigint: true, throwIfNoEntry: false });
    if (stat && isNewer(stat) && !names.some((name) => caches.has(name))) return next;
    for (const name of names.filter((each) => !caches.has(each))) {
      const path = `${next}/${name}`;
      const found = lstatSync(join(root, path), { bigint: true, throwIfNoEntry: false });
      if (found?.isDirectory()) open.push(path);
      else if (found && isNewer(found)) return path;
    }
    // Lets other tasks run in between.
    await setImmediate();
  }
  return null;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
