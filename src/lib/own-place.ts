import { chmodSync, lstatSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
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

/** Takes a folder of this user away from all others, whatever the umask was when it was made. Missing and foreign folders stay as they are. */
export function closeToOthers(folder: string): void {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (!found?.isDirectory() || (found.mode & 0o077) === 0 || found.uid !== process.getuid?.()) return;
  chmodSync(folder, found.mode & 0o700);
}
