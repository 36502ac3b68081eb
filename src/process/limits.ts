import { totalmem } from 'node:os';

/** What the kernel lets a program and each of its children have. */
export interface Limits {
  readonly memoryBytes: number;
  readonly cpuSeconds: number;
}

const gibibyte = 1024 ** 3;

/** As much as the largest honest task needs, and never all of the machine. */
export const mostMemory = Math.min(8 * gibibyte, Math.floor(totalmem() * 0.75));

/**
 * Limits first, then the program takes the place of the shell, which reads none of the arguments. A limit that is
 * stricter already stays. `-d`: memory that is written to, because runtimes reserve far more than they use.
 */
const script = 'ulimit -d "$1" 2>/dev/null; ulimit -t "$2" 2>/dev/null; shift 2; exec "$@"';

/** Exit codes with which the shell says that the program could not be started. */
export const notStartedCodes: readonly number[] = [126, 127];

/** The same program under limits. Windows has none of this kind. */
export function limited(
  command: string,
  args: readonly string[],
  { memoryBytes, cpuSeconds }: Limits,
): { command: string; args: string[] } {
  if (process.platform === 'win32') return { command, args: [...args] };
  const limits = [Math.ceil(memoryBytes / 1024), Math.ceil(cpuSeconds)].map(String);
  return { command: '/bin/sh', args: ['-c', script, 'sh', ...limits, command, ...args] };
}
