import { setFlagsFromString } from 'node:v8';

/**
 * All that we tell V8 about itself. The one invariant: flags change how fast a program runs, never what it computes.
 * V8 complains on stderr about flags that it does not have, so only a version whose flags are known is given any.
 */
const knowsFlags = process.versions.v8.startsWith('13.');

/**
 * A command is over in seconds: most functions end before they have paid back what V8's compilers spent on them, which
 * was a third of the CPU time of an extraction. So only what runs much more often than usual is handed to those that
 * optimize, they copy little of what a function calls into that function, and no loop is compiled twice over.
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
 * From now on V8 starts no compilation on another thread. Called before process.exit(), which hangs while a compiling
 * thread waits for a collection.
 */
export function compileNoMore(): void {
  if (!knowsFlags) return;
  setFlagsFromString('--no-concurrent-sparkplug');
  setFlagsFromString('--no-maglev');
  setFlagsFromString('--max-optimized-bytecode-size=0');
}
