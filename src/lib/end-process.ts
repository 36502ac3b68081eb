import { accessSync, constants } from 'node:fs';
import { compileNoMore } from './compiler.ts';

const shell = '/bin/sh';

/**
 * Ends this process at once with this exit code, and never hangs. process.exit() waits for V8's compiling threads without
 * serving them, and one of them that needs a collection first waits for us (nodejs/node#54918). So where the system can
 * do it the process becomes a shell that exits: the kernel ends all threads, and the exit code is the one we want.
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

/** Node aborts when the program that it should become cannot be started. */
function canBecomeShell(): boolean {
  if (process.execve === undefined || process.platform === 'win32') return false;
  try {
    accessSync(shell, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Waits until what was written to stdout and stderr has left this process, but not for a reader that is stuck. */
export async function outputWritten(limitMs: number): Promise<void> {
  const written = [process.stdout, process.stderr].map(
    (stream) => new Promise<void>((resolve) => stream.write('', () => resolve())),
  );
  const limit = new Promise<void>((resolve) => setTimeout(resolve, limitMs));
  await Promise.race([Promise.all(written), limit]);
}
