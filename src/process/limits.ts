import { totalmem } from 'node:os';

/** Kernel limits for a program and each of its children. */
export interface Limits {
  readonly memoryBytes: number;
  readonly cpuSeconds: number;
}

const gibibyte = 1024 ** 3;

/** As much as the largest legitimate task needs, but never the whole machine. */
export const mostMemory = Math.min(8 * gibibyte, Math.floor(totalmem() * 0.75));

/**
 * Sets the limits, then replaces the shell by the program; the shell interprets none of the arguments. Stricter existing limits stay. `-d`
 * limits data memory only, because runtimes reserve far more addresses than they use.
 */
const script = 'ulimit -d "$1" 2>/dev/null; ulimit -t "$2" 2>/dev/null; shift 2; exec "$@"';

/** The shell's exit codes when the program could not be started. */
export const notStartedCodes: readonly number[] = [126, 127];

/** The same program under limits. Windows has no such limits. */
export function limited(
  command: string,
  args: readonly string[],
  { memoryBytes, cpuSeconds }: Limits,
): { command: string; args: string[] } {
  if (process.platform === 'win32') return { command, args: [...args] };
  const limits = [Math.ceil(memoryBytes / 1024), Math.ceil(cpuSeconds)].map(String);
  return { command: '/bin/sh', args: ['-c', script, 'sh', ...limits, command, ...args] };
}
