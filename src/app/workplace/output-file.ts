import { statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { replaceFile } from '#lib/replace-file.ts';
import { UsageError } from '#schema/errors.ts';

/** Writes a file that a person named, whole or not at all. A device is written to. */
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

/** A folder where the file is to go, or a file where a folder has to be. */
const inTheWay: ReadonlySet<string> = new Set(['EISDIR', 'ENOTDIR', 'EEXIST']);
