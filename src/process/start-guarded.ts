import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import { type Duplex, Readable, type Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Box } from './box.ts';
import { inBubblewrap } from './bubblewrap.ts';
import { containmentHere } from './containment.ts';
import { limited, mostMemory } from './limits.ts';
import { Lines } from './lines.ts';
import { endProcesses, guardedVariable, type Identity, isStopped, ladderMs } from './sweep.js';

const guard = fileURLToPath(new URL('./guard.js', import.meta.url));

/** A program that was ended closes its streams; a process that escaped may hold them forever and is not waited for. */
const drainMs = 500;

/** Extra time for a guard on a busy machine. */
const roomMs = 3_000;

/**
 * By then a guard reports that its program is gone, unless the program stops it again and again. That takes up to two kill ladders: one for
 * the program, another for the processes it left.
 */
const guardMs = 2 * ladderMs + roomMs;

/** The longest message of a guard names every process that was left behind. */
const longestMessage = 16 * 1024 * 1024;

export interface GuardedProgram {
  /** Program and arguments; no shell reads them. */
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  /** The whole environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Identifies the program and everything it starts: `<run>/<task>/<attempt>`. */
  readonly mark: string;
  /** What a program of the work may touch; null for Joinery's own programs, which judge the work and do not execute it. */
  readonly box: Box | null;
  /** Without it the program's input is empty. */
  readonly hasInput?: boolean;
  /** Errors go to the output, in the order they were written. */
  readonly isMerged?: boolean;
  /** For each of its processes; by default as much as the largest legitimate program needs. */
  readonly memoryBytes?: number | undefined;
  readonly cpuSeconds?: number;
}

interface NamedProcess {
  readonly pid: number;
  readonly name: string;
}

export type GuardedEnd =
  | {
      readonly how: 'exited';
      readonly code: number | null;
      readonly signal: NodeJS.Signals | null;
      /** Processes it left behind. They are gone by now. */
      readonly leftovers: readonly NamedProcess[];
      /** Its processes that could not be ended. */
      readonly survivors: readonly NamedProcess[];
      /** What it did to its guard; empty for a well-behaved program. */
      readonly incidents: readonly string[];
      /** CPU time of all processes it waited for; null where the system does not report it. */
      readonly cpuMs: number | null;
    }
  | { readonly how: 'not-started'; readonly reason: string };

/** The guard was killed, by the program or from outside: how the program would have ended is unknown. */
export function hasLostGuard(end: GuardedEnd): boolean {
  return end.how === 'exited' && end.code === null && end.signal === null;
}

export interface Guarded {
  /** Null unless `hasInput`. */
  readonly stdin: Writable | null;
  readonly stdout: Readable;
  /** Empty when `isMerged`. */
  readonly stderr: Readable;
  readonly started: Promise<Identity | null>;
  /** Resolves when the program and all it started are gone and its output was read. */
  readonly ended: Promise<GuardedEnd>;
  /** Starts the kill ladder. `ended` resolves when it is done. */
  kill(): void;
}

type Message =
  | { readonly started: Identity }
  | { readonly failed: string }
  | { readonly signalled: NodeJS.Signals }
  | {
      readonly ended: {
        readonly code: number | null;
        readonly signal: NodeJS.Signals | null;
        readonly leftovers: readonly NamedProcess[];
        readonly survivors: readonly NamedProcess[];
        readonly cpuMs: number | null;
      };
    };

/** Starts a program that does not outlive Joinery and leaves nothing behind, neither when it ends nor when Joinery is killed. */
export function startGuarded(program: GuardedProgram): Guarded {
  // Two programs of one attempt at the same time must not end each other.
  const mark = `${program.mark}#${randomBytes(4).toString('hex')}`;
  const child = spawn(process.execPath, [guard], {
    cwd: '/',
    env: { ...guardEnvironment(), [guardedVariable]: mark },
    stdio: [program.hasInput ? 'pipe' : 'ignore', 'pipe', 'pipe', 'pipe'],
    detached: true,
    windowsHide: true,
  });
  // Without a free file descriptor there is no child and there are no streams.
  if (!child.stdio) return notStarted(child);
  const control = child.stdio[3] as Duplex;
  const stdout = child.stdout as Readable;
  const stderr = child.stderr as Readable;
  const started = Promise.withResolvers<Identity | null>();
  const incidents = new Set<string>();
  let root: Identity | null = null;
  let end: GuardedEnd | null = null;
  let isStuck = false;
  let stuck: NodeJS.Timeout | undefined;

  control.on('error', () => {});
  child.stdin?.on('error', () => {}); // A program that ends early closes its input; its exit code gives the reason.
  const lines = new Lines(
    (line) => {
      const message = JSON.parse(line) as Message;
      if ('started' in message) {
        root = message.started;
        started.resolve(root);
      } else if ('failed' in message) end = { how: 'not-started', reason: message.failed };
      else if ('signalled' in message) incidents.add(`its guard got ${message.signalled}`);
      else end = { how: 'exited', ...message.ended, incidents: [...incidents] };
    },
    longestMessage,
    () => child.kill('SIGKILL'),
  );
  control.on('data', (chunk: Buffer) => lines.add(chunk));
  const isMerged = program.isMerged ?? false;
  control.write(`${JSON.stringify({ order: { ...prepared(program), mark, isMerged } })}\n`);

  const ended = new Promise<GuardedEnd>((resolve) => {
    child.once('error', (error) => {
      end ??= { how: 'not-started', reason: error.message };
      child.emit('exit');
    });
    child.once('exit', async () => {
      clearTimeout(stuck);
      if (!control.destroyed) await Promise.race([over(control), pause(drainMs)]);
      // The guard ended without a last message: only a signal that it cannot catch does that.
      if (!end) {
        incidents.add(isStuck ? 'its guard did not answer' : 'its guard was killed');
        const survivors = await endProcesses({ root, mark }, { isPolite: false });
        end = {
          how: 'exited',
          code: null,
          signal: null,
          leftovers: [],
          survivors: survivors.map(({ pid, name }) => ({ pid, name })),
          incidents: [...incidents],
          cpuMs: null,
        };
      }
      started.resolve(null);
      await drain(stdout, stderr);
      resolve(end);
    });
  });
  return {
    stdin: child.stdin,
    stdout,
    stderr,
    started: started.promise,
    ended,
    kill: () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      if (child.pid !== undefined && isStopped(child.pid)) incidents.add('its guard was stopped');
      if (process.platform !== 'win32') child.kill('SIGCONT');
      control.write('{"stop":true}\n');
      stuck ??= setTimeout(() => {
        isStuck = true;
        child.kill('SIGKILL');
      }, guardMs);
    },
  };
}

/** One day on one core: only a program in an endless loop uses that much. */
const longestCpuSeconds = 24 * 60 * 60;

/** The order for the guard. A missing program is left to it, and it reports that; a shell or a sandbox would only exit. */
function prepared(program: GuardedProgram) {
  const { argv, cwd, env, box, memoryBytes = mostMemory, cpuSeconds = longestCpuSeconds } = program;
  const [name] = argv;
  const folders = name.includes('/') ? [''] : (env.PATH ?? '').split(delimiter);
  if (!folders.some((folder) => isExecutable(resolve(cwd, folder, name))))
    return { argv, cwd, env, isBoxed: false };
  const isBoxed = box !== null && containmentHere().by === 'bubblewrap';
  const boxed = isBoxed ? inBubblewrap({ argv, cwd, env }, box) : { argv, cwd, env };
  const [first, ...args] = boxed.argv;
  const { command, args: all } = limited(first, args, { memoryBytes, cpuSeconds });
  return { argv: [command, ...all], cwd: boxed.cwd, env: boxed.env, isBoxed };
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function notStarted(child: ChildProcess): Guarded {
  const ended = new Promise<GuardedEnd>((resolve) => {
    child.once('error', (error) => resolve({ how: 'not-started', reason: error.message }));
  });
  const started = Promise.resolve(null);
  return {
    stdin: null,
    stdout: Readable.from([]),
    stderr: Readable.from([]),
    started,
    ended,
    kill: () => {},
  };
}

/** The guard has no mark and no variable that could change how it runs. */
function guardEnvironment(): Record<string, string> {
  const { SYSTEMROOT, PATH } = process.env;
  return { ...(PATH === undefined ? {} : { PATH }), ...(SYSTEMROOT === undefined ? {} : { SYSTEMROOT }) };
}

async function drain(...streams: readonly Readable[]): Promise<void> {
  await Promise.race([Promise.all(streams.map(over)), pause(drainMs)]);
  for (const stream of streams) stream.destroy();
}

function over(stream: Readable): Promise<void> {
  return new Promise((resolve) => {
    if (stream.readableEnded || stream.destroyed) resolve();
    else {
      stream.once('end', resolve);
      stream.once('close', resolve);
    }
  });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
