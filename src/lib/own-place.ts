import { lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A folder below one of Joinery's, with real folders all the way down: a link or file that another program put there is removed; the target
 * of the link stays.
 */
export function ownFolder(ours: string, ...below: readonly string[]): string {
  mkdirSync(ours, { recursive: true });
  return below.reduce((above, name) => {
    const folder = join(above, name);
    if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
      rmSync(folder, { force: true });
      mkdirSync(folder);
    }
    return folder;
  }, ours);
}

/** Writes a new file: a link of that name is not followed. */
export function writeOwnFile(path: string, text: string): void {
  rmSync(path, { recursive: true, force: true });
  writeFileSync(path, text, { flag: 'wx' });
}
