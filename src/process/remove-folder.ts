import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Removes a folder and everything in it, whatever programs left there: folders that may not be written, and paths longer than the system
 * accepts. Links are removed, not followed.
 */
export async function removeFolder(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    if (process.platform === 'win32' || !isStubborn(error)) throw error;
    // These programs walk from folder to folder; Node only takes whole paths.
    await run('chmod', ['-R', 'u+rwX', '--', path]).catch(() => {});
    await run('rm', ['-rf', '--', path]).catch(() => {
      throw error;
    });
  }
}

function isStubborn(error: unknown): boolean {
  return ['ENAMETOOLONG', 'EACCES', 'EPERM', 'ENOTEMPTY'].includes(
    (error as NodeJS.ErrnoException).code ?? '',
  );
}
