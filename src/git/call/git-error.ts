import { faultInText, fullDisk } from '#schema/environment-fault.ts';
import { JoineryError } from '#schema/errors.ts';
import { type ExitCode, exitCodes } from '#schema/exit-codes.ts';

/** Fetches the objects that a partial clone left out; without `--no-filter` git would leave them out again. */
export const fetchTheRest = 'git fetch --refetch --no-filter';

/** Git failed. Exit code 3 for bad input, 5 for the environment. */
export class GitError extends JoineryError {
  constructor(
    code: string,
    message: string,
    options: { exitCode?: ExitCode; hint?: string; cause?: unknown } = {},
  ) {
    super({
      code,
      message,
      hint: options.hint ?? '',
      exitCode: options.exitCode ?? exitCodes.usage,
      cause: options.cause,
    });
  }

  /** The error when git could not be started: git is missing, or the system has no process to spare. */
  static notStarted(cause: Error): Error {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'EACCES' && code !== 'ENOTDIR') return cause;
    return new GitError('git-missing', 'git could not be started', {
      exitCode: exitCodes.environment,
      hint: 'install git 2.38 or newer, then run: joinery doctor',
      cause,
    });
  }

  static tooMuchOutput(args: readonly string[], bytes: number): GitError {
    const command = args.find((arg) => !arg.startsWith('-')) ?? 'git';
    return GitError.#tooLarge(`git ${command} prints more than ${bytes / 1024 / 1024} MB`);
  }

  static noAnswer(args: readonly string[], ms: number): GitError {
    const command = args.find((arg) => !arg.startsWith('-')) ?? 'git';
    return new GitError('no-answer', `git ${command} did not end within ${ms / 1000} seconds`, {
      hint: 'its settings may name a file that never ends; look at: cat .git/config',
      exitCode: exitCodes.environment,
    });
  }

  static diskFull({ message, cause }: GitError): GitError {
    return new GitError(fullDisk.code, `${message}; ${fullDisk.what}`, {
      exitCode: exitCodes.environment,
      hint: fullDisk.hint,
      cause,
    });
  }

  static #tooLarge(message: string): GitError {
    const hint =
      'a tree of this repository is larger than Joinery reads; look at: git ls-tree -r <branch> | head';
    return new GitError('too-large', message, { hint });
  }

  static fromRun(args: readonly string[], result: { code: number; stderr: string }): GitError {
    const command = args.find((arg) => !arg.startsWith('-')) ?? 'git';
    const firstLine = result.stderr.split('\n')[0] ?? '';
    if (/out of memory|memory exhausted|cannot allocate memory|attempting to allocate/i.test(result.stderr))
      return GitError.#tooLarge(`git ${command} takes more memory than it may: ${firstLine}`);
    if (/missing blob|unable to read|promisor|lazy fetch|could not fetch/i.test(result.stderr)) {
      return new GitError('objects-missing', `this clone lacks objects that the check needs: ${firstLine}`, {
        exitCode: exitCodes.environment,
        hint: `fetch them first: ${fetchTheRest}, or clone without --filter`,
      });
    }
    const refused = faultInText(result.stderr);
    if (refused) {
      const { fault, line } = refused;
      return new GitError(fault.code, `git ${command} failed: ${line}`, {
        exitCode: exitCodes.environment,
        hint: fault.hint,
        cause: new Error(result.stderr),
      });
    }
    return new GitError(
      'git-failed',
      `git ${command} ended with ${result.code}: ${firstLine || 'no message'}`,
      {
        exitCode: exitCodes.environment,
        hint: 'run with --verbose for the whole message',
        cause: new Error(result.stderr),
      },
    );
  }
}
