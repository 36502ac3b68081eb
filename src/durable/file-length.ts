import { closeSync, openSync, readSync, statSync } from 'node:fs';

/** Length of a database file, and the length its header states; null when it is not a database yet. */
export function fileLength(path: string): { readonly actual: number; readonly stated: number } | null {
  const actual = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (actual < 100) return null;
  const header = Buffer.alloc(100);
  const file = openSync(path, 'r');
  readSync(file, header, 0, 100, 0);
  closeSync(file);
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  return { actual, stated: pageSize * header.readUInt32BE(28) };
}
