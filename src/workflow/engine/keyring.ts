import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { type Keyring, newKey } from './tokens.ts';
import { WorkflowError } from './workflow-error.ts';

const Key = z.string().regex(/^[0-9a-f]{64}$/);
const KeyFile = z.object({ v: z.literal(1), current: Key, previous: Key.nullable() });

/** The token keys of a repository, created on first use. Only the owner can read the file. */
export function openKeyring(path: string): Keyring {
  const known = read(path);
  if (known) return known;
  // Two processes may get here at once: one of them creates the link, and both read that file.
  writeFresh(path, { current: newKey(), previous: null }, (temporary) => {
    try {
      linkSync(temporary, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  });
  return read(path) ?? openKeyring(path);
}

/** Creates a new key; tokens of the current one stay valid until the next rotation. */
export function rotateKeys(path: string): Keyring {
  const { current } = openKeyring(path);
  writeFresh(path, { current: newKey(), previous: current }, (temporary) => renameSync(temporary, path));
  return openKeyring(path);
}

function writeFresh(path: string, keys: Keyring, place: (temporary: string) => void): void {
  const temporary = `${path}.${process.pid}.${Buffer.from(newKey().subarray(0, 6)).toString('hex')}`;
  const hex = (key: Uint8Array) => Buffer.from(key).toString('hex');
  const content = { v: 1, current: hex(keys.current), previous: keys.previous && hex(keys.previous) };
  writeFileSync(temporary, `${JSON.stringify(content)}\n`, { mode: 0o600, flush: true });
  try {
    place(temporary);
  } finally {
    rmSync(temporary, { force: true });
  }
}

function read(path: string): Keyring | null {
  const bytes = (key: string) => new Uint8Array(Buffer.from(key, 'hex'));
  try {
    const { current, previous } = KeyFile.parse(JSON.parse(readFileSync(path, 'utf8')));
    return { current: bytes(current), previous: previous === null ? null : bytes(previous) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new WorkflowError(
      'SESSION_NOT_HEALTHY',
      `the keys in ${path} are damaged or cannot be read`,
      'remove that file: tokens made so far are lost, runs are found again with joinery workflow resume',
    );
  }
}
