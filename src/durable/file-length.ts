import { closeSync, openSync, readSync, statSync } from 'node:fs';

/** How long a database file is, and how long its own header says it is; null for what is no database yet. */
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
