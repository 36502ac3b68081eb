import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { openEvidenceStore } from '#gates/runner/store.ts';
import { UsageError } from '#schema/errors.ts';

/** A page shows at most this much; the end of a log says why it failed. */
const mostBytes = 512 * 1024;

/** The output of a gate, by the id of its evidence. `root`: the state folder of the repository. */
export function gateLogOf(root: string, id: string): string {
  const found = openEvidenceStore(root)
    .all()
    .find((evidence) => evidence.id === id);
  if (!found) throw gone(`there is no evidence ${id}`);
  try {
    return endOf(found.log.file);
  } catch {
    throw gone(`the log of ${id} is no longer stored`);
  }
}

function endOf(file: string): string {
  const handle = openSync(file, 'r');
  try {
    const { size } = fstatSync(handle);
    const bytes = Buffer.alloc(Math.min(size, mostBytes));
    readSync(handle, bytes, 0, bytes.length, size - bytes.length);
    const text = bytes.toString('utf8');
    return size > bytes.length ? `[the first ${size - bytes.length} bytes are left out]\n${text}` : text;
  } finally {
    closeSync(handle);
  }
}

function gone(message: string): UsageError {
  return new UsageError({ code: 'not-found', message, hint: 'joinery evidence' });
}
