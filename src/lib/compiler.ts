import { setFlagsFromString } from 'node:v8';

/** V8 complains on stderr about flags that it does not have. */
export const knowsFlags = process.versions.v8.startsWith('13.');

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
 * Loads modules of which most will run: compiled at once, and not each function when it is first called, all of their
 * code lies in Node's cache for the next command.
 */
export async function loadWhole<Module>(load: () => Promise<Module>): Promise<Module> {
  if (!knowsFlags) return load();
  setFlagsFromString('--no-lazy');
  try {
    return await load();
  } finally {
    setFlagsFromString('--lazy');
  }
}

/**
 * From now on nothing is compiled beside the main thread. For those who cannot but call process.exit(), which hangs
 * while a compiling thread waits for a collection; what is being compiled already ends while they clean up.
 */
export function compileNoMore(): void {
  if (!knowsFlags) return;
  setFlagsFromString('--no-concurrent-sparkplug');
  setFlagsFromString('--no-maglev');
  setFlagsFromString('--max-optimized-bytecode-size=0');
}
