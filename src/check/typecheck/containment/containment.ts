import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { type Limits, limited, mostMemory, notStartedCodes } from '#process/limits.ts';
import { limitCpu } from './cpu-limit.ts';
import type { Effort } from './effort.ts';

/** Why a checker gave no answer. `unloadable`: it never began; another one may. */
export class CheckerFailure extends Error {
  readonly kind: 'unloadable' | 'crashed' | 'timeout';
  /** It was at work on files, and took more time, memory or output than it may: whoever wrote them can bring that about. */
  readonly isCutOff: boolean;

  constructor(kind: CheckerFailure['kind'], message: string, isCutOff = false) {
    super(message);
    this.kind = kind;
    this.isCutOff = isCutOff;
  }

  static timeout(ms: number): CheckerFailure {
    return new CheckerFailure('timeout', `it gave no answer within ${ms / 1000} s of CPU time`, true);
  }

  /** `errors`: what it wrote before. */
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

/** A group of its own, so that what a checker starts ends with it. */
export const ownGroup = process.platform !== 'win32';

/** Ends a process that leads its own group, and all it started, which may outlive it. */
export function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    if (ownGroup) process.kill(-pid, 'SIGKILL');
    else spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' });
  } catch {
    // Nobody is left in it.
  }
}

/** Variables that make an interpreter load code: a relative folder in one of them would be a folder of the branch. */
const loadsCode = /^(?:PYTHON|MYPY|NODE_OPTIONS$|NODE_PATH$)/;

/** What checkers inherit from us. */
export function checkerEnvironment(): Record<string, string> {
  const inherited = Object.entries(process.env).filter(([name]) => !loadsCode.test(name));
  return {
    ...(Object.fromEntries(inherited) as Record<string, string>),
    PYTHONSAFEPATH: '1',
    // Sets in the same order every time, so that the same tree gets the same answer.
    PYTHONHASHSEED: '0',
    PYTHONUTF8: '1',
    PYTHONDONTWRITEBYTECODE: '1',
    // A checker that is a wrapper around a package must not fetch that package.
    npm_config_offline: 'true',
  };
}

/** A checker that we cannot end any more, because we were killed, ends when it has used up all the time it could have had. */
function limitsFor(timeLimitMs: number): Limits {
  return { memoryBytes: mostMemory, cpuSeconds: (timeLimitMs / 1000) * availableParallelism() + 1 };
}

export interface ContainedRun {
  readonly cwd: string;
  /** CPU time. */
  readonly timeLimitMs: number;
  readonly effort: Effort;
  readonly input?: string;
  readonly onInterrupt: (cleanup: () => void) => () => void;
}

const mostOutput = 64 * 1024 * 1024;

/** Runs a program to its end or to the limit of time or output. Exit codes are answers. */
export function runContained(
  command: string,
  args: readonly string[],
  { cwd, timeLimitMs, effort, input, onInterrupt }: ContainedRun,
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    const program = limited(command, args, limitsFor(timeLimitMs));
    const child = spawn(program.command, program.args, {
      cwd,
      env: checkerEnvironment(),
      detached: ownGroup,
    });
    const settled = onInterrupt(() => endGroup(child.pid));
    const chunks = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
    let received = 0;
    const finish = (act: () => void) => {
      unlimited();
      settled();
      endGroup(child.pid);
      act();
    };
    const fail = (failure: CheckerFailure) => finish(() => reject(failure));
    const unlimited = limitCpu(child.pid ?? 0, timeLimitMs, {
      onSpent: (cpuMs) => effort.spend(cpuMs),
      onExceeded: () => fail(CheckerFailure.timeout(timeLimitMs)),
    });
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].on('data', (chunk: Buffer) => {
        received += chunk.length;
        if (received > mostOutput) fail(new CheckerFailure('crashed', 'it floods its output', true));
        else chunks[name].push(chunk);
      });
    }
    child.stdin.on('error', () => {}); // A child that dies early closes the pipe; its exit code tells the story.
    child.stdin.end(input ?? '');
    child.on('error', (error) => fail(new CheckerFailure('unloadable', error.message)));
    child.on('close', (code, signal) =>
      code === null
        ? fail(CheckerFailure.ended(signal, code, ''))
        : notStartedCodes.includes(code)
          ? fail(new CheckerFailure('unloadable', `${command} cannot be started`))
          : finish(() =>
              resolve({
                code,
                stdout: Buffer.concat(chunks.stdout).toString('utf8'),
                stderr: Buffer.concat(chunks.stderr).toString('utf8'),
              }),
            ),
    );
  });
}
