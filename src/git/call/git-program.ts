import { accessSync, closeSync, constants, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

const found = new Map<string, string>();

/**
 * The git of this PATH. Searched once: otherwise each of many starts tries all folders again. Windows decides by itself which file a name
 * means.
 */
export function gitProgram(path: string = process.env.PATH ?? ''): string {
  if (process.platform === 'win32') return 'git';
  const known = found.get(path);
  if (known !== undefined) return known;
  const folders = path.split(delimiter);
  // A relative folder depends on where the program is started.
  const isFixed = folders.every((folder) => isAbsolute(folder));
  const program = (isFixed && folders.map((folder) => join(folder, 'git')).find(isProgram)) || 'git';
  found.set(path, program);
  return program;
}

/** Identifies this git without starting it; null where another file decides what is run, such as a script. */
export function gitIdentity(program: string = gitProgram()): string | null {
  try {
    const file = realpathSync(program);
    if (process.platform !== 'linux' || !isElf(file)) return null;
    const { mtimeMs, size, ino } = statSync(file);
    return `${file} ${mtimeMs} ${size} ${ino}`;
  } catch {
    return null;
  }
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function isElf(file: string): boolean {
  const start = Buffer.alloc(4);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, start, 0, 4, 0);
  } finally {
    closeSync(descriptor);
  }
  return start.equals(Buffer.from('\x7fELF', 'latin1'));
}
