import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { type Limits, limited, mostMemory, notStartedCodes } from '#process/limits.ts';
import { type Guarded, startGuarded } from '#process/start-guarded.ts';
import { checkerEnvironment } from './checker-environment.ts';
import { limitCpu } from './cpu-limit.ts';
import type { Effort } from './effort.ts';

/** Why a checker gave no answer. `unloadable`: it never started; another one may. */
export class CheckerFailure extends Error {
  readonly kind: 'unloadable' | 'crashed' | 'timeout';
  /**
   * It exceeded its limit of time, memory or output while it checked files: their author can cause that.
   */
  readonly isCutOff: boolean;

  constructor(kind: CheckerFailure['kind'], message: string, isCutOff = false) {
    super(message);
    this.kind = kind;
    this.isCutOff = isCutOff;
  }

  static timeout(ms: number): CheckerFailure {
    return new CheckerFailure('timeout', `it gave no answer within ${ms / 1000} s of CPU time`, true);
  }

  /** `errors`: its output on stderr so far. */
  static ended(signal: NodeJS.Signals | null, code: number | null, errors: string): CheckerFailure {
    const how = signal ? `was ended by ${signal}` : `ended with exit code ${code}`;
    const said = errors.split('\n').find((line) => /error|exception|panic|fatal/i.test(line));
    const isCutOff = signal !== null || /out of memory|MemoryError|cannot allocate memory/i.test(errors);
    return new CheckerFailure(
      'crashed',
      said ? `it ${how}: ${said.trim().slice(0, 200)}` : `it ${how}`,
      isCutOff,
    );
  }
}

/** A separate group, so that processes a checker starts end with it. */
export const ownGroup = process.platform !== 'win32';

/** Ends a process that leads its own group, with everything it started, even if the process itself is gone. */
export function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    if (ownGroup) process.kill(-pid, 'SIGKILL');
    else spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' });
  } catch {
    // No process is left in it.
  }
}

/** If Joinery is killed, it cannot end a checker: the kernel ends it once it has used all the time it could have had. */
function limitsFor(timeLimitMs: number): Limits {
  return { memoryBytes: mostMemory, cpuSeconds: (timeLimitMs / 1000) * availableParallelism() + 1 };
}

export interface CheckerRun {
  readonly cwd: string;
  /** CPU time. */
  readonly timeLimitMs: number;
  readonly effort: Effort;
  readonly input?: string;
  /** Variables of this checker, in addition to the common ones. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly onInterrupt: (cleanup: () => void) => () => void;
}

const mostOutput = 64 * 1024 * 1024;

/** Runs a checker under a guard, until it ends or exceeds its CPU time or output. Exit codes are results, not errors. */
export async function runChecker(
  command: string,
  args: readonly string[],
  { cwd, timeLimitMs, effort, input, variables, onInterrupt }: CheckerRun,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const program = limited(command, args, limitsFor(timeLimitMs));
  const checker = startGuarded({
    argv: [program.command, ...program.args],
    cwd,
    env: { ...checkerEnvironment(), ...variables },
    mark: `check/${process.pid}`,
    // A checker reads the work and executes none of it; its own containment bounds it.
    box: null,
    hasInput: true,
  });
  let failure: CheckerFailure | null = null;
  const giveUp = (why: CheckerFailure) => {
    failure ??= why;
    checker.kill();
  };
  const settled = onInterrupt(() => checker.kill());
  const read = collect(checker, () => giveUp(new CheckerFailure('crashed', 'it floods its output', true)));
  checker.stdin?.end(input ?? '');
  const root = await checker.started;
  const unlimited = limitCpu(root?.pid ?? 0, timeLimitMs, {
    onSpent: (cpuMs) => effort.spend(cpuMs),
    onExceeded: () => giveUp(CheckerFailure.timeout(timeLimitMs)),
  });
  const end = await checker.ended;
  unlimited();
  settled();
  if (failure) throw failure;
  if (end.how === 'not-started') throw new CheckerFailure('unloadable', end.reason);
  if (end.code === null) throw CheckerFailure.ended(end.signal, end.code, '');
  if (notStartedCodes.includes(end.code))
    throw new CheckerFailure('unloadable', `${command} cannot be started`);
  return { code: end.code, ...read() };
}

function collect(
  checker: Pick<Guarded, 'stdout' | 'stderr'>,
  onFlood: () => void,
): () => { stdout: string; stderr: string } {
  const chunks = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  let received = 0;
  for (const name of ['stdout', 'stderr'] as const) {
    checker[name].on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received > mostOutput) onFlood();
      else chunks[name].push(chunk);
    });
  }
  const text = (name: 'stdout' | 'stderr') => Buffer.concat(chunks[name]).toString('utf8');
  return () => ({ stdout: text('stdout'), stderr: text('stderr') });
}
