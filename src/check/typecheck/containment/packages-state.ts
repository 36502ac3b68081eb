import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Looked } from '#check/cache/looked.ts';

/** Files that package managers write when they change node_modules. */
const records = ['.package-lock.json', '.modules.yaml', '.yarn-state.yml', '.yarn-integrity'];

/** Changes whenever the installed packages below these folders change: cached answers of a checker depend on them. */
export function packagesState(
  root: string,
  folders: readonly string[],
  looked?: Pick<Looked, 'note'>,
): string {
  const hash = createHash('sha256');
  for (const folder of folders) {
    const modules = join(root, folder, 'node_modules');
    for (const path of [modules, ...records.map((name) => join(modules, name))]) looked?.note(path);
    try {
      hash.update(`${folder} ${statSync(modules).mtimeMs}\n`);
    } catch {
      continue;
    }
    for (const name of records) {
      try {
        hash.update(readFileSync(join(modules, name)));
      } catch {
        // Another package manager.
      }
    }
  }
  return hash.digest('hex').slice(0, 16);
}
