import { setFlagsFromString } from 'node:v8';

/** V8 complains on stderr about a flag that it does not have. */
const knowsFlag = process.versions.v8.startsWith('13.');

/**
 * A command is over in seconds: most functions end before they have paid back what V8's optimizing compiler spent on
 * them, which was a third of the CPU time of an extraction. So only what runs much more often than usual is handed to
 * it; the fast compilers before it are left alone.
 */
export function compileForShortRuns(): void {
  if (knowsFlag) setFlagsFromString('--invocation-count-for-turbofan=50000');
}
