import { mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { UsageError } from '#schema/errors.ts';

/** Writes a file that a person named, whole or not at all. A link is followed, a device is written to. */
export function writeOutput(cwd: string, path: string, text: string, mode = 0o666): void {
  const named = resolve(cwd, path);
  try {
    mkdirSync(dirname(named), { recursive: true });
    const there = statSync(named, { throwIfNoEntry: false });
    if (there && !there.isFile()) writeFileSync(named, text);
    else replace(there ? realpathSync(named) : named, text, mode);
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

function replace(file: string, text: string, mode: number): void {
  const fresh = `${file}.${process.pid}`;
  try {
    writeFileSync(fresh, text, { flag: 'wx', mode });
    renameSync(fresh, file);
  } finally {
    rmSync(fresh, { force: true });
  }
}
