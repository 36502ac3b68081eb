import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { UsageError } from '#schema/errors.ts';

interface Entry {
  readonly name: string;
  readonly bytes: number;
}

/** Entries that Joinery creates in its cache. Anything else in that folder belongs to others. */
const ownEntries = /^(node|objects|compiled|confirm|plans|(facts|outcomes)\.db.*)$/;

/** Symbolic links count as themselves: their targets belong to others. */
export function measureCache(folder: string): Entry[] {
  return namesIn(folder).map((name) => ({ name, bytes: sizeOf(join(folder, name)) }));
}

/** Deletes Joinery's entries; links are removed, never followed. Returns what was deleted. */
export function clearCache(folder: string): Entry[] {
  const foreign = namesIn(folder).filter((name) => !ownEntries.test(name));
  // A folder named `joinery` is ours, whatever an older or newer version left in it.
  if (foreign.length > 0 && basename(folder) !== 'joinery') {
    throw new UsageError({
      code: 'not-a-cache',
      message: `${folder} holds more than Joinery's cache (${foreign.slice(0, 3).join(', ')}), so nothing was deleted`,
      hint: 'set JOINERY_CACHE_DIR to a folder of its own',
    });
  }
  return measureCache(folder).filter(({ name }) => remove(join(folder, name)));
}

/** False if the system refuses: Windows does not delete the running Node. */
function remove(path: string): boolean {
  try {
    rmSync(path, { recursive: true, force: true });
    return true;
  } catch (error) {
    if (['EBUSY', 'EPERM', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function sizeOf(path: string): number {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat) return 0;
  if (!stat.isDirectory()) return stat.size;
  return namesIn(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}
