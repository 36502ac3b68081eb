import { lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A folder below one that is ours, made of real folders all the way: where another program put a link or a file, that is
 * removed, and what the link leads to stays as it is.
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

/** A file that is written anew: a link of that name is not followed. */
export function writeOwnFile(path: string, text: string): void {
  rmSync(path, { recursive: true, force: true });
  writeFileSync(path, text, { flag: 'wx' });
}
