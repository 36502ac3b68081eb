import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';

/** One line of a reflog. */
export interface RefMove {
  readonly from: string;
  readonly to: string;
  /** E-mail address of the person or program that moved it. */
  readonly who: string;
  /** `commit: …`, `checkout: moving from … to …`. */
  readonly what: string;
}

const tailBytes = 64 * 1024;

/** The latest moves of a ref, oldest first, from the end of its reflog. `name` may be HEAD. Empty when there is no reflog. */
export async function recentMoves(gitDir: string, name: string): Promise<RefMove[]> {
  // Opening does not wait: an agent may have put a pipe there.
  const flags = constants.O_RDONLY | constants.O_NONBLOCK;
  const file = await open(join(gitDir, 'logs', name), flags).catch(() => null);
  if (file === null) return [];
  try {
    return parseMoves(await tailOf(file));
  } finally {
    await file.close();
  }
}

async function tailOf(file: FileHandle): Promise<string> {
  const stat = await file.stat();
  if (!stat.isFile()) return '';
  const { size } = stat;
  const start = Math.max(0, size - tailBytes);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, tailBytes)), 0, null, start);
  const text = buffer.subarray(0, bytesRead).toString('utf8');
  // The first line may be cut off at the start.
  return start === 0 ? text : text.slice(text.indexOf('\n') + 1);
}

/** `<from> <to> Name <address> 1700000000 +0000<tab>commit: x`. */
export function parseMoves(log: string): RefMove[] {
  return log.split('\n').flatMap((line) => {
    const found = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) [^<\t]*<([^>\t]*)>[^\t]*(?:\t(.*))?$/.exec(line);
    return found
      ? [{ from: found[1] ?? '', to: found[2] ?? '', who: found[3] ?? '', what: found[4] ?? '' }]
      : [];
  });
}
