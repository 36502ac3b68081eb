import { endProcess } from '#lib/end-process.ts';
import { type ExitCode, exitCodes } from '#schema/exit-codes.ts';

/** May return an exit code: some commands are meant to be ended by Ctrl-C. */
type Cleanup = () => unknown;

/** Registers a cleanup for an interrupt; returns a function that unregisters it when the work is done. */
export type OnInterrupt = (cleanup: Cleanup) => () => void;

const cleanupLimitMs = 5000;
/** A terminal and the bootstrap may each deliver the same key press. */
const samePressMs = 500;

let isOnTheWayOut = false;

/** Work that fails now fails because its files are being removed: that is no error to report. */
export function isInterrupted(): boolean {
  return isOnTheWayOut;
}

/**
 * From now on Ctrl-C, `kill` and a closed terminal clean up first and then exit with 130. `explain` is called last, unless the command was
 * meant to be ended this way.
 */
export function listenForInterrupt(beforeExit: () => void, explain: () => void): OnInterrupt {
  const cleanups = new Set<Cleanup>();
  let interruptedAt: number | null = null;

  const interrupt = async () => {
    const now = performance.now();
    if (interruptedAt !== null) {
      if (now - interruptedAt > samePressMs) endProcess(exitCodes.interrupted);
      return;
    }
    interruptedAt = now;
    isOnTheWayOut = true;
    beforeExit();
    const limit = new Promise<null>((resolve) => setTimeout(resolve, cleanupLimitMs, null));
    // The newest first: it may lie inside something older.
    const code = await Promise.race([runAll([...cleanups].reverse()), limit]);
    if (code === null) explain();
    endProcess(code ?? exitCodes.interrupted);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);

  return (cleanup) => {
    cleanups.add(cleanup);
    return () => cleanups.delete(cleanup);
  };
}

async function runAll(cleanups: readonly Cleanup[]): Promise<ExitCode | null> {
  let code: ExitCode | null = null;
  for (const cleanup of cleanups) {
    try {
      const answer = await cleanup();
      if (typeof answer === 'number') code = answer as ExitCode;
    } catch {
      // The next cleanup matters more than the reason of this failure.
    }
  }
  return code;
}
