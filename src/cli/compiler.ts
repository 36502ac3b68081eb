import { setFlagsFromString } from 'node:v8';

/** V8 complains on stderr about flags that it does not have. */
const knowsFlags = process.versions.v8.startsWith('13.');

/**
 * A command is over in seconds: most functions end before they have paid back what V8's optimizing compilers spent on
 * them, which was a third of the CPU time of an extraction. So only what runs much more often than usual is handed to
 * them, they copy little of what a function calls into that function, and no loop is compiled twice over.
 */
export function compileForShortRuns(): void {
  if (!knowsFlags) return;
  setFlagsFromString('--invocation-count-for-turbofan=200000');
  setFlagsFromString('--invocation-count-for-osr=5000');
  setFlagsFromString('--invocation-count-for-maglev=1000');
  setFlagsFromString('--invocation-count-for-maglev-osr=1000');
  setFlagsFromString('--no-maglev-loop-peeling');
  setFlagsFromString('--max-inlined-bytecode-size=100');
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=200');
}
