import { compileNoMore } from '#lib/compiler.ts';
import { exitCodes } from '#schema/exit-codes.ts';

type Cleanup = () => void | Promise<void>;

/** What has to be put away when a person interrupts; work that ended well takes its entry off again. */
export type OnInterrupt = (cleanup: Cleanup) => () => void;

const CLEANUP_LIMIT_MS = 5000;
/** A terminal and the bootstrap may each deliver the same key press. */
const SAME_PRESS_MS = 500;

/** From now on Ctrl-C, `kill` and a closed terminal clean up first and then end with 130. */
export function listenForInterrupt(beforeExit: () => void): OnInterrupt {
  const cleanups = new Set<Cleanup>();
  let interruptedAt: number | null = null;

  const interrupt = async () => {
    const now = performance.now();
    if (interruptedAt !== null) {
      if (now - interruptedAt > SAME_PRESS_MS) process.exit(exitCodes.interrupted);
      return;
    }
    interruptedAt = now;
    compileNoMore();
    beforeExit();
    const limit = new Promise((resolve) => setTimeout(resolve, CLEANUP_LIMIT_MS));
    // The newest first: what was made last may lie inside what was made before.
    await Promise.race([runAll([...cleanups].reverse()), limit]);
    process.exit(exitCodes.interrupted);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);

  return (cleanup) => {
    cleanups.add(cleanup);
    return () => cleanups.delete(cleanup);
  };
}

async function runAll(cleanups: readonly Cleanup[]): Promise<void> {
  for (const cleanup of cleanups) {
    try {
      await cleanup();
    } catch {
      // The next cleanup matters more than why this one failed: we are on the way out.
    }
  }
}
