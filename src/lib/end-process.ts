import { accessSync, constants } from 'node:fs';
import { compileNoMore } from './compiler.ts';

const shell = '/bin/sh';

/**
 * Ends this process at once with this exit code, and never hangs. process.exit() waits for V8's compiling threads without serving them,
 * while such a thread may wait for this one to collect garbage (nodejs/node#54918). So where the system allows it, the process is replaced
 * by a shell that exits: the kernel ends all threads, and the exit code is the wanted one.
 */
export function endProcess(code: number): never {
  process.exitCode = code;
  if (canBecomeShell()) {
    process.emit('exit', code);
    process.execve?.(shell, ['sh', '-c', `exit ${code}`], {});
  }
  compileNoMore();
  process.exit(code);
}

/** Node aborts when the program that replaces it cannot be started. */
function canBecomeShell(): boolean {
  if (process.execve === undefined || process.platform === 'win32') return false;
  try {
    accessSync(shell, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Waits until stdout and stderr are flushed, but not for a reader that is stuck. */
export async function outputWritten(limitMs: number): Promise<void> {
  const written = [process.stdout, process.stderr].map(
    (stream) => new Promise<void>((resolve) => stream.write('', () => resolve())),
  );
  const limit = new Promise<void>((resolve) => setTimeout(resolve, limitMs));
  await Promise.race([Promise.all(written), limit]);
}
