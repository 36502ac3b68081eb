import { statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { replaceFile } from '#lib/replace-file.ts';
import { UsageError } from '#schema/errors.ts';

/** Writes a file that a person named, atomically. A device is written to directly. */
export function writeOutput(cwd: string, path: string, text: string, mode = 0o666): void {
  const named = resolve(cwd, path);
  try {
    if (statSync(named, { throwIfNoEntry: false })?.isFile() !== false) replaceFile(named, text, mode);
    else writeFileSync(named, text);
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    if (!inTheWay.has(code)) throw cause;
    throw new UsageError({
      code: 'bad-output',
      message: `${path} cannot be written: ${(cause as Error).message}`,
      hint: 'name another file',
      cause,
    });
  }
}

/** A folder is where the file should go, or a file is where a folder must be. */
const inTheWay: ReadonlySet<string> = new Set(['EISDIR', 'ENOTDIR', 'EEXIST']);
