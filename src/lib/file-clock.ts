import { lstatSync, writeFileSync } from 'node:fs';

/** The time by the clock of the file system, which is coarser than ours. Creates or rewrites `file`. */
export function fileClock(file: string): bigint {
  writeFileSync(file, '');
  return lstatSync(file, { bigint: true }).ctimeNs;
}
