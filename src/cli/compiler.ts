import { setFlagsFromString } from 'node:v8';

/** V8 complains on stderr about flags that it does not have. */
const knowsFlags = process.versions.v8.startsWith('13.');

/**
 * A command is over in seconds: most functions end before they have paid back what V8's optimizing compiler spent on
 * them, which was a third of the CPU time of an extraction. So only what runs much more often than usual is handed to
 * it, and it copies little of what a function calls into that function; the fast compilers before it are left alone.
 */
export function compileForShortRuns(): void {
  if (!knowsFlags) return;
  setFlagsFromString('--invocation-count-for-turbofan=50000');
  setFlagsFromString('--max-inlined-bytecode-size=100');
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=200');
}
