import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shellWord } from '#lib/shell-word.ts';

const executable = fileURLToPath(new URL('../../bin/joinery.js', import.meta.url));

/** Variables with which `joinery` starts this Joinery: agents are told to type it, and it may not be installed. */
export function withOwnCommand(env: NodeJS.ProcessEnv, stateRoot: string): NodeJS.ProcessEnv {
  const folder = join(stateRoot, 'bin');
  const isWindows = process.platform === 'win32';
  const file = join(folder, isWindows ? 'joinery.cmd' : 'joinery');
  const text = isWindows
    ? `@"${process.execPath}" "${executable}" %*\r\n`
    : `#!/bin/sh\nexec ${shellWord(process.execPath)} ${shellWord(executable)} "$@"\n`;
  mkdirSync(folder, { recursive: true });
  if (readIfThere(file) !== text) {
    // Renamed into place: another process may be starting it now.
    const fresh = `${file}.${process.pid}`;
    writeFileSync(fresh, text);
    chmodSync(fresh, 0o755);
    renameSync(fresh, file);
  }
  return { ...env, PATH: [folder, env.PATH ?? ''].join(delimiter) };
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
