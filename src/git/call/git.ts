import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { availableParallelism, devNull } from 'node:os';
import { Semaphore } from '#lib/semaphore.ts';
import { type Limits, limited, mostMemory } from '#process/limits.ts';
import { GitError } from './git-error.ts';

export interface GitResult {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface GitRun {
  /** Written to stdin, which is then closed. */
  readonly input?: string | Buffer;
  /** Exit codes that are answers rather than failures; default only 0. */
  readonly accept?: readonly number[];
  readonly env?: Readonly<Record<string, string>>;
  /** Longer than it takes; git is ended then. Settings of a repository can make it wait for ever. */
  readonly timeoutMs?: number;
}

/** More than any honest repository makes git print; the rows of a tree with two million files take as much. */
const mostOutput = 256 * 1024 * 1024;

/** These read names and settings alone. */
const light = new Set(['version', 'rev-parse', 'config', 'symbolic-ref', 'for-each-ref', 'worktree']);
const limits: Limits = { memoryBytes: Math.min(mostMemory, 3 * 1024 ** 3), cpuSeconds: 1800 };

export interface GitOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly config?: readonly (readonly [key: string, value: string])[];
  /** What is written must survive a power cut: for commits of runs, never for scratch objects. */
  readonly isDurable?: boolean;
  /** Called before git reads anything; `name` is an object that a running process is asked for. */
  readonly prepare?: (name?: string) => void;
}

/** Settings that keep a repository's own configuration from running programs or changing answers. */
const hardening = [
  '-c',
  'core.fsmonitor=false',
  '-c',
  `core.hooksPath=${devNull}`,
  '-c',
  'core.fsync=none',
  '-c',
  'core.compression=0',
  '-c',
  'core.untrackedCache=false',
  '-c',
  'merge.renames=true',
  '-c',
  'merge.directoryRenames=conflict',
  '-c',
  'merge.renormalize=false',
  '-c',
  'diff.renames=true',
  '-c',
  'diff.renameLimit=2000',
  '-c',
  'merge.renameLimit=2000',
  '-c',
  'core.quotePath=false',
  '-c',
  'gc.auto=0',
  '-c',
  'maintenance.auto=false',
];

/** After `hardening`, so that it wins. */
const durability = [
  '-c',
  'core.fsync=committed,loose-object,reference',
  '-c',
  'core.fsyncMethod=batch',
  '-c',
  'core.compression=-1',
];

/** The caller's git variables (set inside hooks) would point us at another repository: none is inherited. */
function environment(extra: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  return {
    ...Object.fromEntries(inherited),
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_PAGER: 'cat',
    ...extra,
  };
}

/** Through the environment rather than `-c`: a key may hold any character, `=` included. */
function configVariables(config: readonly (readonly [string, string])[]): Record<string, string> {
  const pairs = config.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return config.length === 0 ? {} : { GIT_CONFIG_COUNT: String(config.length), ...Object.fromEntries(pairs) };
}

/**
 * Starting a process blocks us until the new one has had its turn on a processor: with fifty at once that takes
 * longer than their work.
 */
const semaphore = new Semaphore(Math.max(4, 2 * availableParallelism()));

/** The git binary, bound to one repository by its arguments and environment. */
export class Git {
  readonly prepare: NonNullable<GitOptions['prepare']>;
  readonly #prefix: readonly string[];
  readonly #env: NodeJS.ProcessEnv;

  constructor(options: GitOptions = {}) {
    this.prepare = options.prepare ?? (() => {});
    this.#prefix = [
      ...hardening,
      ...(options.isDurable ? durability : []),
      ...(options.cwd ? ['-C', options.cwd] : []),
    ];
    this.#env = environment({ ...options.env, ...configVariables(options.config ?? []) });
  }

  run(args: readonly string[], options: GitRun = {}): Promise<GitResult> {
    return semaphore.pass(() => this.#run(args, options));
  }

  async #run(args: readonly string[], options: GitRun): Promise<GitResult> {
    const child = this.spawn(args, options.env);
    child.stdin.on('error', () => {}); // A child that dies early closes the pipe; its exit code tells the story.
    child.stdin.end(options.input ?? '');
    const tooMuch = () => child.kill('SIGKILL');
    let isLate = false;
    const timer =
      options.timeoutMs === undefined
        ? undefined
        : setTimeout(() => {
            isLate = true;
            child.kill('SIGKILL');
          }, options.timeoutMs);
    const [stdout, stderr, code] = await Promise.all([
      collect(child.stdout, tooMuch),
      collect(child.stderr, tooMuch),
      exitCode(child),
    ]).finally(() => clearTimeout(timer));
    if (isLate) throw GitError.noAnswer(args, options.timeoutMs ?? 0);
    if (stdout === null || stderr === null) throw GitError.tooMuchOutput(args, mostOutput);
    const result = { code, stdout, stderr: stderr.toString('utf8').trim() };
    if (!(options.accept ?? [0]).includes(code)) throw GitError.fromRun(args, result);
    return result;
  }

  async text(args: readonly string[], options: GitRun = {}): Promise<string> {
    return (await this.run(args, options)).stdout.toString('utf8').replace(/\n$/, '');
  }

  spawn(args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcessWithoutNullStreams {
    this.prepare();
    const all = [...this.#prefix, ...args];
    const program = light.has(args[0] ?? '') ? { command: 'git', args: all } : limited('git', all, limits);
    const child = spawn(program.command, program.args, { env: { ...this.#env, ...env }, windowsHide: true });
    if (child.stdin as unknown) return child;
    // Without a free file descriptor Node makes no streams, and tells why later.
    child.once('error', () => {});
    throw Object.assign(new Error('git could not be started: EMFILE, too many open files'), {
      code: 'EMFILE',
      syscall: 'spawn git',
    });
  }
}

/** All of it; null when it is more than anybody reads. */
async function collect(stream: NodeJS.ReadableStream, tooMuch: () => void): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += (chunk as Buffer).length;
    if (bytes <= mostOutput) chunks.push(chunk as Buffer);
    else {
      chunks.length = 0;
      tooMuch();
    }
  }
  return bytes > mostOutput ? null : Buffer.concat(chunks);
}

function exitCode(child: ChildProcessWithoutNullStreams): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', (cause) => reject(GitError.notStarted(cause)));
    child.once('close', (code, signal) => resolve(code ?? (signal ? 128 : 1)));
  });
}
