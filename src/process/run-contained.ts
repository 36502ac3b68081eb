import { BoundedLog, type LogRecord } from './bounded-log.ts';
import { type GuardedProgram, hasLostGuard, startGuarded } from './start-guarded.ts';

export interface ContainedProgram extends Omit<GuardedProgram, 'hasInput' | 'isMerged'> {
  readonly timeoutMs: number;
  /** The file for output and errors, in the order they were written. */
  readonly logFile: string;
  readonly maxLogBytes: number;
  /** Replaces text in each line; the original never gets into the file. */
  readonly hide?: (text: string) => string;
  readonly signal?: AbortSignal;
}

export interface ContainedRun {
  readonly outcome: 'exited' | 'timeout' | 'cancelled' | 'not-started';
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly log: LogRecord;
  /** The beginning and the end of the output, for people. */
  readonly head: string;
  readonly tail: string;
  readonly wallMs: number;
  /** CPU time of the program and all processes it waited for; null where the system does not report it. */
  readonly cpuMs: number | null;
  /** What a well-behaved program does not do: leave processes behind, send signals to its guard. Also why it was not started. */
  readonly incidents: readonly string[];
  /** The guard was killed, by the program or from outside: how the program would have ended is unknown. */
  readonly hasLostGuard: boolean;
}

/** Runs a program until it ends, reaches its time limit or is cancelled. Exit codes are results, not errors. */
export async function runContained(program: ContainedProgram): Promise<ContainedRun> {
  const began = performance.now();
  const log = new BoundedLog(program.logFile, program.maxLogBytes, program.hide);
  if (program.signal?.aborted) return report('cancelled', null, null, [], null);
  const guarded = startGuarded({ ...program, isMerged: true });
  let stopped: 'timeout' | 'cancelled' | null = null;
  const stop = (why: 'timeout' | 'cancelled') => {
    stopped ??= why;
    guarded.kill();
  };
  const cancel = () => stop('cancelled');
  const timer = setTimeout(() => stop('timeout'), program.timeoutMs);
  program.signal?.addEventListener('abort', cancel, { once: true });
  guarded.stdout.on('data', (chunk: Buffer) => log.add(chunk));
  guarded.stderr.resume();
  const end = await guarded.ended;
  clearTimeout(timer);
  program.signal?.removeEventListener('abort', cancel);
  if (end.how === 'not-started') return report(stopped ?? 'not-started', null, null, [end.reason], null);
  const left = end.leftovers.map(({ pid, name }) => `left process ${pid} (${name}) behind`);
  const lasting = end.survivors.map(({ pid, name }) => `process ${pid} (${name}) cannot be ended`);
  const incidents = [...left, ...lasting, ...end.incidents];
  return {
    ...report(stopped ?? 'exited', end.code, end.signal, incidents, end.cpuMs),
    hasLostGuard: stopped === null && hasLostGuard(end),
  };

  function report(
    outcome: ContainedRun['outcome'],
    exitCode: number | null,
    signal: NodeJS.Signals | null,
    incidents: readonly string[],
    cpuMs: number | null,
  ): ContainedRun {
    const { head, tail, ...record } = log.close();
    const wallMs = Math.round(performance.now() - began);
    return {
      ...{ outcome, exitCode, signal, log: record, head, tail, wallMs, cpuMs, incidents },
      hasLostGuard: false,
    };
  }
}
