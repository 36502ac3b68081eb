import { BoundedLog, type LogRecord } from './bounded-log.ts';
import { type GuardedProgram, hasLostGuard, startGuarded } from './start-guarded.ts';

export interface ContainedProgram extends Omit<GuardedProgram, 'hasInput' | 'isMerged'> {
  readonly timeoutMs: number;
  /** Where output and errors go, in the order they were written. */
  readonly logFile: string;
  readonly maxLogBytes: number;
  /** What it changes in a line never gets into the file. */
  readonly hide?: (text: string) => string;
  readonly signal?: AbortSignal;
}

export interface ContainedRun {
  readonly outcome: 'exited' | 'timeout' | 'cancelled' | 'not-started';
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly log: LogRecord;
  /** Beginning and end of the output, for people. */
  readonly head: string;
  readonly tail: string;
  readonly wallMs: number;
  /** Of the program and all it waited for; null where nobody can tell. */
  readonly cpuMs: number | null;
  /** What a decent program does not do: processes left behind, signals to its guard. Why it was not started. */
  readonly incidents: readonly string[];
  /** Its guard was killed, by it or from outside: how the program would have ended is unknown. */
  readonly hasLostGuard: boolean;
}

/** Runs a program to its end, to its time limit or until it is called off. Exit codes are answers. */
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
