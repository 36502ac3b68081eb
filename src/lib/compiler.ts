import { setFlagsFromString } from 'node:v8';

/**
 * All settings for V8. The invariant: flags change how fast a program runs, never what it computes. V8 prints a warning about unknown
 * flags, so flags are set only for a version known to have them.
 */
const knowsFlags = process.versions.v8.startsWith('13.');

/**
 * A command ends within seconds: most functions finish before V8's optimizing compilers have paid off; they took a third of the CPU time of
 * an extraction. So only very hot functions are optimized, little is inlined into them, and loops are not compiled a second time.
 */
export function compileForShortRuns(): void {
  if (!knowsFlags) return;
  setFlagsFromString('--invocation-count-for-maglev=2000');
  setFlagsFromString('--invocation-count-for-maglev-osr=1500');
  setFlagsFromString('--invocation-count-for-turbofan=200000');
  setFlagsFromString('--invocation-count-for-osr=5000');
  setFlagsFromString('--no-maglev-loop-peeling');
  setFlagsFromString('--max-inlined-bytecode-size=100');
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=200');
}

/**
 * Stops V8 from compiling on other threads. Call it before process.exit(), which hangs while a compiling thread waits for a garbage
 * collection.
 */
export function compileNoMore(): void {
  if (!knowsFlags) return;
  setFlagsFromString('--no-concurrent-sparkplug');
  setFlagsFromString('--no-maglev');
  setFlagsFromString('--max-optimized-bytecode-size=0');
}
