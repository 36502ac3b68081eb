import { readdir, rm, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Git } from '#git/call/git.ts';
import { GitError } from '#git/call/git-error.ts';
import { shellWord } from '#lib/shell-word.ts';
import { exitCodes } from '#schema/exit-codes.ts';

type Answer =
  | { readonly status: 'done' }
  /** A ref is not at the value the transaction expects. */
  | { readonly status: 'moved' }
  /** Another git holds this file, or a killed one left it behind. */
  | { readonly status: 'locked'; readonly lock: string };

export interface LockPolicy {
  /** The folder git runs in: it prints paths of locks relative to it. */
  readonly folder: string;
  /** Whether a lock is on a ref that only we write, so that an old lock has no owner. */
  isOurs(lock: string): boolean;
  /** Called with a sentence about each lock that was waited for or removed. */
  report(what: string): void;
  /** For the reflog of a person's branch, which may be an alias of another: 'joinery: land'. */
  readonly reason?: string;
}

/** A git transaction takes milliseconds: a lock this old was left behind by a killed git. */
const staleMs = 1500;
const longestWaitMs = 10_000;
const saidAfterMs = 2000;
const pauseMs = 60;

/** Moves several refs at once, or none. False: one of them is not at the expected value. Any other failure is thrown. */
export async function transact(
  git: Git,
  commands: readonly string[],
  { folder, isOurs, report, reason }: LockPolicy,
): Promise<boolean> {
  const began = performance.now();
  for (let isSaid = false; ; ) {
    const answer = await attempt(git, commands, reason);
    if (answer.status !== 'locked') return answer.status === 'done';
    const lock = resolve(folder, answer.lock);
    const age = await ageOf(lock);
    if (isOurs(lock) && age !== null && age > staleMs) {
      await rm(lock, { force: true });
      report(`${lock} was left behind by a git that was killed, and was removed`);
      continue;
    }
    const waited = performance.now() - began;
    if (waited > longestWaitMs) throw lockedTooLong(lock);
    if (waited > saidAfterMs && !isSaid) {
      report(`waiting for another git to release ${lock}`);
      isSaid = true;
    }
    await wait(pauseMs);
  }
}

async function attempt(git: Git, commands: readonly string[], reason?: string): Promise<Answer> {
  const how = reason === undefined ? ['--no-deref', '--create-reflog'] : ['-m', reason];
  const args = ['update-ref', ...how, '--stdin', '-z'];
  const result = await git.run(args, { input: commands.join(''), accept: [0, 1, 128] });
  if (result.code === 0) return { status: 'done' };
  const lock = /Unable to create '([^']+\.lock)': File exists/i.exec(result.stderr)?.[1];
  if (lock !== undefined) return { status: 'locked', lock };
  if (movedMeanwhile.test(result.stderr)) return { status: 'moved' };
  throw git.failure(args, result);
}

/** In English: every git of ours runs with LC_ALL=C. */
const movedMeanwhile =
  /but expected|reference already exists|unable to resolve reference|reference is missing|expected .{0,300} but is|exists; cannot create/i;

async function ageOf(lock: string): Promise<number | null> {
  const found = await stat(lock).catch(() => null);
  return found === null ? null : Date.now() - found.mtimeMs;
}

function lockedTooLong(lock: string): GitError {
  return new GitError('ref-locked', `another git holds ${lock}, for more than ${longestWaitMs / 1000} s`, {
    exitCode: exitCodes.environment,
    hint: `if no git process is running there: rm ${shellWord(lock)}, then: joinery resume`,
  });
}

/** Tests whether a lock belongs to a ref of this run. */
export function ownLocks(commonDir: string, run: string): (lock: string) => boolean {
  return (lock) => refFolders(commonDir, run).some((folder) => lock.startsWith(folder + sep));
}

/** Removes every lock on the refs of a run that no process drives. */
export async function removeLocks(commonDir: string, run: string): Promise<void> {
  for (const folder of refFolders(commonDir, run)) {
    const names = await readdir(folder, { recursive: true }).catch(() => []);
    for (const name of names) if (name.endsWith('.lock')) await rm(join(folder, name), { force: true });
  }
}

function refFolders(commonDir: string, run: string): string[] {
  return [join('refs', 'heads', 'joinery', run), join('refs', 'joinery', run)].map((folder) =>
    join(commonDir, folder),
  );
}
