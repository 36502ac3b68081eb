import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { type Duplex, Readable, type Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { endProcesses, type Identity } from './sweep.js';

const guard = fileURLToPath(new URL('./guard.js', import.meta.url));

/** A program that was ended closes its streams; one that escaped may hold them for ever and is not waited for. */
const drainMs = 500;

export interface GuardedProgram {
  /** Program and arguments; no shell reads them. */
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  /** All of it: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** What the program and everything it starts can be found by: `<run>/<task>/<attempt>`. */
  readonly mark: string;
  /** Without it the program reads the end of its input at once. */
  readonly hasInput?: boolean;
  /** Errors go where output goes, in the order they were written. */
  readonly isMerged?: boolean;
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
      /** Processes it had left behind. They are gone by now. */
      readonly leftovers: readonly NamedProcess[];
      /** Processes of it that could not be ended. */
      readonly survivors: readonly NamedProcess[];
      /** What it did to its guard; empty for a decent program. */
      readonly incidents: readonly string[];
    }
  | { readonly how: 'not-started'; readonly reason: string };

export interface Guarded {
  /** Null unless `hasInput`. */
  readonly stdin: Writable | null;
  readonly stdout: Readable;
  /** Empty when `isMerged`. */
  readonly stderr: Readable;
  readonly started: Promise<Identity | null>;
  /** When the program and all it started are gone and its output was read. */
  readonly ended: Promise<GuardedEnd>;
  /** The kill ladder. `ended` tells when it is through. */
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
      };
    };

/** Starts a program that does not outlive us, nor leave anything behind: not when it ends, not when we are killed. */
export function startGuarded(program: GuardedProgram): Guarded {
  // Two programs of one attempt at the same time must not end each other.
  const mark = `${program.mark}#${randomBytes(4).toString('hex')}`;
  const child = spawn(process.execPath, [guard], {
    cwd: '/',
    env: guardEnvironment(),
    stdio: [program.hasInput ? 'pipe' : 'ignore', 'pipe', 'pipe', 'pipe'],
    detached: true,
    windowsHide: true,
  });
  // Without a free file descriptor there is no child at all, and no streams.
  if (!child.stdio) return notStarted(child);
  const control = child.stdio[3] as Duplex;
  const stdout = child.stdout as Readable;
  const stderr = child.stderr as Readable;
  const started = Promise.withResolvers<Identity | null>();
  const incidents: string[] = [];
  let root: Identity | null = null;
  let end: GuardedEnd | null = null;

  control.on('error', () => {});
  child.stdin?.on('error', () => {}); // A program that ends early closes its input; its end tells the story.
  createInterface({ input: control, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
    const message = JSON.parse(line) as Message;
    if ('started' in message) {
      root = message.started;
      started.resolve(root);
    } else if ('failed' in message) end = { how: 'not-started', reason: message.failed };
    else if ('signalled' in message) incidents.push(`its guard got ${message.signalled}`);
    else end = { how: 'exited', ...message.ended, incidents };
  });
  control.write(
    `${JSON.stringify({
      order: {
        argv: program.argv,
        cwd: program.cwd,
        env: program.env,
        mark,
        isMerged: program.isMerged ?? false,
      },
    })}\n`,
  );

  const ended = new Promise<GuardedEnd>((resolve) => {
    child.once('error', (error) => {
      end ??= { how: 'not-started', reason: error.message };
      child.emit('exit');
    });
    child.once('exit', async () => {
      if (!control.destroyed) await Promise.race([over(control), pause(drainMs)]);
      // The guard went without a last word: only a signal that it cannot see does that.
      if (!end) {
        await endProcesses({ root, mark }, { isPolite: false });
        incidents.push('its guard was killed');
        end = { how: 'exited', code: null, signal: null, leftovers: [], survivors: [], incidents };
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
      control.write('{"stop":true}\n');
    },
  };
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

/** The guard carries no mark and no setting of ours that could change how it runs. */
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
