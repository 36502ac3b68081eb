import { chmodSync, mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Writes a person's file completely or not at all. Follows a link and keeps the permissions. */
export function replaceFile(named: string, text: string, mode = 0o666): void {
  mkdirSync(dirname(named), { recursive: true });
  const there = statSync(named, { throwIfNoEntry: false });
  const file = there ? realpathSync(named) : named;
  const fresh = `${file}.${process.pid}`;
  try {
    writeFileSync(fresh, text, { flag: 'wx', flush: true, mode: there ? 0o600 : mode });
    if (there) chmodSync(fresh, there.mode & 0o777);
    renameSync(fresh, file);
  } finally {
    rmSync(fresh, { force: true });
  }
}
