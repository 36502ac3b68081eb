import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { accessSync, constants, statfsSync } from 'node:fs';
import { availableParallelism, devNull } from 'node:os';
import { dirname } from 'node:path';
import { Semaphore } from '#lib/semaphore.ts';
import { type Limits, limited, mostMemory } from '#process/limits.ts';
import { GitError } from './git-error.ts';
import { gitProgram } from './git-program.ts';

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
  /** Git is killed after this time: settings of a repository can make it wait forever. Choose more than the call can take. */
  readonly timeoutMs?: number;
}

/** More than any real repository makes git print: the listing of a tree with two million files is about this long. */
const mostOutput = 256 * 1024 * 1024;

/**
 * These compare or unpack contents: what others wrote can make that take long, and much memory. The kernel limits them, also when Joinery
 * is no longer there; a shell sets the limits. For all other commands git's own limit of a single allocation is enough.
 */
const heavy = new Set(
  'merge-tree merge merge-file cherry-pick rebase diff-tree diff diff-index log blame grep fetch clone repack index-pack'.split(
    ' ',
  ),
);
/** A full disk is not why one of these commands fails: they write nothing. */
const reading = new Set(
  'version rev-parse for-each-ref cat-file ls-tree ls-files ls-remote diff diff-tree grep log merge-base rev-list show var'.split(
    ' ',
  ),
);
const limits: Limits = { memoryBytes: Math.min(mostMemory, 3 * 1024 ** 3), cpuSeconds: 1800 };

export interface GitOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly config?: readonly (readonly [key: string, value: string])[];
  /** Writes must survive a power cut: true for commits of runs, never for scratch objects. */
  readonly isDurable?: boolean;
  /** Called before git reads anything. `name`: the object that a running git process is about to look up. */
  readonly prepare?: (name?: string) => void;
}

/** Settings that keep the repository's configuration from running programs or changing answers. */
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

/** No git variable of the caller is inherited: those set inside hooks would point git at another repository. */
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
    GIT_ALLOC_LIMIT: String(limits.memoryBytes),
    ...extra,
  };
}

/** Passed through the environment, not with `-c`: a key may contain any character, `=` included. */
function configVariables(config: readonly (readonly [string, string])[]): Record<string, string> {
  const pairs = config.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return config.length === 0 ? {} : { GIT_CONFIG_COUNT: String(config.length), ...Object.fromEntries(pairs) };
}

/** Starting a process blocks this thread until the new process is scheduled: fifty starts at once take longer than the work they do. */
const semaphore = new Semaphore(Math.max(4, 2 * availableParallelism()));

/** The git binary, bound to one repository by its arguments and environment. */
export class Git {
  readonly prepare: NonNullable<GitOptions['prepare']>;
  readonly #prefix: readonly string[];
  readonly #env: NodeJS.ProcessEnv;
  readonly #places: readonly string[];

  constructor(options: GitOptions = {}) {
    this.prepare = options.prepare ?? (() => {});
    this.#prefix = [
      ...hardening,
      ...(options.isDurable ? durability : []),
      ...(options.cwd ? ['-C', options.cwd] : []),
    ];
    this.#env = environment({ ...options.env, ...configVariables(options.config ?? []) });
    const { GIT_DIR, GIT_OBJECT_DIRECTORY, GIT_WORK_TREE, GIT_INDEX_FILE } = this.#env;
    const index = GIT_INDEX_FILE && dirname(GIT_INDEX_FILE);
    this.#places = [options.cwd, GIT_DIR, GIT_OBJECT_DIRECTORY, GIT_WORK_TREE, index].flatMap(
      (place) => place || [],
    );
  }

  run(args: readonly string[], options: GitRun = {}): Promise<GitResult> {
    return semaphore.pass(() => this.#run(args, options));
  }

  async #run(args: readonly string[], options: GitRun): Promise<GitResult> {
    const child = this.spawn(args, options.env);
    child.stdin.on('error', () => {}); // A child that dies early closes the pipe; its exit code gives the reason.
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
    if (!(options.accept ?? [0]).includes(code)) throw this.failure(args, result);
    return result;
  }

  /** The error for a run that failed. Git does not always say that it could not write: the disk is asked as well. */
  failure(args: readonly string[], result: Pick<GitResult, 'code' | 'stderr'>): GitError {
    const error = GitError.fromRun(args, result);
    const isUnnamed = error.code === 'git-failed' && !reading.has(args[0] ?? '');
    return isUnnamed && this.#places.some(isFull) ? GitError.diskFull(error) : error;
  }

  async text(args: readonly string[], options: GitRun = {}): Promise<string> {
    return (await this.run(args, options)).stdout.toString('utf8').replace(/\n$/, '');
  }

  spawn(args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcessWithoutNullStreams {
    this.prepare();
    const all = [...this.#prefix, ...args];
    const git = gitProgram(this.#env.PATH);
    const program = heavy.has(commandOf(args)) ? limited(git, all, limits) : { command: git, args: all };
    const child = spawn(program.command, program.args, { env: { ...this.#env, ...env }, windowsHide: true });
    if (child.stdin as unknown) return child;
    // Without a free file descriptor Node creates no streams and emits the error later.
    child.once('error', () => {});
    throw Object.assign(new Error('git could not be started: EMFILE, too many open files'), {
      code: 'EMFILE',
      syscall: 'spawn git',
    });
  }
}

/** `commit` in `-c user.name=Joinery commit -m union`. */
function commandOf(args: readonly string[]): string {
  const at = args.findIndex((arg, index) => !arg.startsWith('-') && args[index - 1] !== '-c');
  return args[at] ?? '';
}

/** Whether no block of its file system is left. One that is read-only, or does not count its blocks, says the same of itself. */
function isFull(folder: string): boolean {
  try {
    const { blocks, bavail } = statfsSync(folder);
    if (blocks === 0 || bavail > 0) return false;
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** The whole output; null when it is longer than the limit. */
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
