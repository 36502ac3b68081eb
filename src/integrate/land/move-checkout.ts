import {
  copyFileSync,
  existsSync,
  linkSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { Git, type GitRun } from '#git/call/git.ts';
import { GitError } from '#git/call/git-error.ts';
import type { Repository } from '#git/call/repository.ts';
import { readName } from '#git/merges/branches.ts';
import { readFoundFile } from '#lib/read-found-file.ts';
import { shellWord } from '#lib/shell-word.ts';
import { attemptVariable, endProcesses } from '#process/sweep.js';
import { exitCodes } from '#schema/exit-codes.ts';
import {
  type ChangedPath,
  type CheckedPath,
  changedPaths,
  checkPaths,
  fileAt,
  indexInfo,
  inTheWay,
} from './changed-paths.ts';

/** A branch and the commits that its checkout moves between; written into the git folder of the checkout before the branch moves. */
const commit = z.string().regex(/^[\da-f]{40,64}$/);
const Move = z.object({
  path: z.string(),
  ref: z.string().startsWith('refs/heads/'),
  from: commit,
  to: commit,
});
type Move = z.infer<typeof Move>;

export type MoveOutcome =
  | { readonly status: 'moved' }
  /** The branch was not at `from` when it was to move. Nothing has changed. */
  | { readonly status: 'overtaken' }
  | { readonly status: 'kept'; readonly reason: string };

/** A git command that is not waiting for a person takes less. */
const lockPatienceMs = 3000;
const pauseMs = 50;

/** The checkout that is moved, as git sees it through an index of ours. */
interface Place {
  readonly move: Move;
  readonly git: Git;
  /** Git's folder of this checkout. */
  readonly dir: string;
  /** The index that git is writing; it replaces the checkout's at the end. */
  readonly draft: string;
  run(args: readonly string[], options?: GitRun): ReturnType<Git['run']>;
}

const files = { intent: 'joinery-landing', draft: 'joinery-landing-index' };

function placeOf(repository: Pick<Repository, 'key'>, dir: string, move: Move): Place {
  const env = { [attemptVariable]: markOf(repository) };
  const git = new Git({ cwd: move.path, isDurable: true, env });
  const draft = join(dir, files.draft);
  const run: Place['run'] = (args, options) => git.run(args, { ...options, env: { GIT_INDEX_FILE: draft } });
  return { move, git, dir, draft, run };
}

/** Every git that moves a branch or its files carries it, so that the next landing finds those of a killed process. */
function markOf({ key }: Pick<Repository, 'key'>): string {
  return `landing/${key}`;
}

/**
 * Moves a checked-out branch, then its index and files. From before the branch moves until the files are complete this process holds git's
 * own lock on the index: no commit of a person can be made from the old files on the new branch. A killed process leaves an intent behind,
 * which `finishMoves` completes.
 *
 * @param moveRef compare-and-swap of the branch; false: it was not at the expected commit
 */
export async function moveCheckout(
  repository: Pick<Repository, 'key' | 'commonDir'>,
  move: Move,
  moveRef: (git: Git, from: string, to: string) => Promise<boolean>,
): Promise<MoveOutcome> {
  const dir = await gitFolderOf(move.path);
  const place = placeOf(repository, dir, move);
  writeFileSync(join(dir, files.intent), JSON.stringify(move), { flush: true });
  if (!(await lockIndex(dir))) {
    rmSync(join(dir, files.intent), { force: true });
    return { status: 'kept', reason: `another git is working in ${move.path}: it holds ${lockOf(dir)}` };
  }
  const reason = await prepare(place);
  if (reason !== null) {
    release(dir);
    return { status: 'kept', reason };
  }
  if (!(await moveRef(place.git, move.from, move.to))) {
    release(dir);
    return { status: 'overtaken' };
  }
  const moved = await moveFiles(place, move.from, move.to);
  if (moved === null && (await isComplete(place))) {
    renameSync(place.draft, join(dir, 'index'));
    release(dir);
    return { status: 'moved' };
  }
  // The files changed after they were looked at, or cannot be written.
  if (!(await moveRef(place.git, move.to, move.from))) throw halfMoved(place, moved);
  await settle(place, move.from, move.to);
  return { status: 'kept', reason: moved ?? 'git did not move all files of the checkout' };
}

/** Copies the index and asks whether git would move it; the reason if not. */
async function prepare(place: Place): Promise<string | null> {
  const { move, git, dir, draft } = place;
  const { path, ref, from, to } = move;
  const head = await git.run(['symbolic-ref', '--quiet', 'HEAD'], { accept: [0, 1, 128] });
  if (head.stdout.toString('utf8').trim() !== ref) return `${path} has left the branch`;
  copyIndex(dir, draft);
  await place.run(['update-index', '-q', '--refresh'], { accept: [0, 1] });
  const status = await place.run(['status', '--porcelain', '-z', '--untracked-files=no', '--no-renames']);
  const changed = status.stdout.toString('latin1').split('\0').filter(Boolean);
  const name = ref.replace(/^refs\/heads\//, '');
  const paths = await changedPaths(place.git, from, to);
  const reason = changed.length > 0 ? changesIn(name, path) : await wouldFail(place, paths);
  if (reason === null) return null;
  // A git that was killed in the middle of this very move has left only files of both commits.
  const known = await checkedPaths(place, from, to);
  const ours = new Set(known.filter(isOfEither).map((each) => each.path));
  const isMixed = known.some(({ state }) => state === 'new') && known.every(isOfEither);
  if (!isMixed || !changed.every((line) => ours.has(line.slice(3)))) return reason;
  await describeFiles(place, known);
  return wouldFail(place, paths, known);
}

export function changesIn(name: string, path: string): string {
  return `the checkout of ${name} in ${path} has changes`;
}

function isOfEither({ state }: CheckedPath): boolean {
  return state === 'old' || state === 'new';
}

/** Why the files cannot be moved without losing something; null if they can. */
async function wouldFail(
  { run, move }: Place,
  paths: readonly ChangedPath[],
  known: readonly CheckedPath[] = [],
): Promise<string | null> {
  const { path, from, to } = move;
  const found = inTheWay(path, paths, alike(known));
  if (found !== null) return `${found} in ${path} is not tracked and would be overwritten`;
  return firstLine(await run(['read-tree', '-n', '-m', '-u', from, to], { accept: [0, 128] }));
}

/** What git leaves as it is. */
function alike(paths: readonly CheckedPath[]): Set<string> {
  return new Set(paths.filter(({ state }) => state === 'new' || state === 'foreign').map(({ path }) => path));
}

/** Index and files of every path that differs between the commits, from the first to the second; the reason if git fails. */
async function moveFiles(place: Place, from: string, to: string): Promise<string | null> {
  return firstLine(await place.run(['read-tree', '-m', '-u', from, to], { accept: [0, 1, 128] }));
}

function firstLine({ code, stderr }: { code: number; stderr: string }): string | null {
  return code === 0 ? null : stderr.split('\n')[0]?.replace(/^(error|fatal): /, '') || 'git failed';
}

/** Whether index and files are those of the new commit; a file that a person has changed since is theirs. */
async function isComplete(place: Place): Promise<boolean> {
  const { from, to } = place.move;
  const index = await place.run(['diff-index', '--cached', '--quiet', to], { accept: [0, 1] });
  if (index.code !== 0) return false;
  const changed = await place.run(['diff-files', '--quiet', '--no-ext-diff'], { accept: [0, 1] });
  if (changed.code === 0) return true;
  const states = (await checkedPaths(place, from, to)).map(({ state }) => state);
  return states.every((state) => state === 'new' || state === 'foreign');
}

/** What was left behind, for a line to the person. */
export interface FinishedMove {
  readonly path: string;
  readonly ref: string;
  readonly at: string;
}

/**
 * Completes moves whose process was killed: the files follow the branch, forward if it had moved and back if not. Called while this process
 * holds the lock of landings, so no process is still at work on them, only a git that outlived its process.
 */
export async function finishMoves(
  repository: Pick<Repository, 'key' | 'commonDir' | 'git'>,
): Promise<FinishedMove[]> {
  const finished: FinishedMove[] = [];
  for (const dir of gitFolders(repository.commonDir)) {
    const text = readFoundFile(join(dir, files.intent));
    if (text === null) continue;
    const move = parse(text);
    // The disk of a worktree may be unplugged.
    if (move !== null && !existsSync(move.path)) continue;
    if (move === null || (await gitFolderOf(move.path)) !== dir) {
      release(dir);
      continue;
    }
    await endProcesses({ root: null, mark: markOf(repository) });
    const place = placeOf(repository, dir, move);
    rmSync(`${place.draft}.lock`, { force: true });
    const { path, ref, from, to } = move;
    const at = await readName(place.git, ref);
    const head = await place.git.run(['symbolic-ref', '--quiet', 'HEAD'], { accept: [0, 1, 128] });
    const isOn = head.stdout.toString('utf8').trim() === ref;
    if (!isOn || (at !== from && at !== to)) {
      // A person has already put it right, and moved on.
      release(dir);
      continue;
    }
    if (!(await lockIndex(dir))) throw halfMoved(place, `another git holds ${lockOf(dir)}`);
    const [other, goal] = at === to ? [from, to] : [to, from];
    if (await settle(place, goal, other)) finished.push({ path, ref, at: goal });
  }
  return finished;
}

/** Whether a killed landing left something to complete. */
export function hasOpenMoves({ commonDir }: Pick<Repository, 'commonDir'>): boolean {
  return gitFolders(commonDir).some((dir) => existsSync(join(dir, files.intent)));
}

function parse(text: string): Move | null {
  try {
    return Move.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** Makes a mixture of two commits one commit. False: nothing had to be moved. */
async function settle(place: Place, goal: string, other: string): Promise<boolean> {
  const { dir, draft } = place;
  copyIndex(dir, draft);
  const paths = await checkedPaths(place, other, goal);
  const staged = await place.run(['diff-index', '--cached', '--quiet', goal], { accept: [0, 1] });
  const isDone = staged.code === 0 && paths.every(({ state }) => state === 'new' || state === 'foreign');
  if (!isDone) {
    await describeFiles(place, paths);
    const found = inTheWay(place.move.path, paths, alike(paths));
    if (found !== null) throw halfMoved(place, `${found} is not tracked and would be overwritten`);
    const reason = await moveFiles(place, other, goal);
    if (reason !== null) throw halfMoved(place, reason);
    renameSync(draft, join(dir, 'index'));
  }
  release(dir);
  return !isDone;
}

/** Tells the draft index what the files are, so that git moves the rest and leaves what a person wrote. */
async function describeFiles(place: Place, paths: readonly CheckedPath[]): Promise<void> {
  const { path: root } = place.move;
  for (const { path, state } of paths) if (state === 'torn') removeTorn(root, path);
  const entries = paths.map((each) => ({
    path: each.path,
    entry: each.state === 'new' || each.state === 'foreign' ? each.new : each.old,
  }));
  await place.run(['update-index', '-z', '--index-info'], { input: indexInfo(entries) });
  await place.run(['update-index', '-q', '--refresh'], { accept: [0, 1] });
}

/** The beginning of a file that the new commit has whole. */
function removeTorn(root: string, path: string): void {
  const file = fileAt(root, path);
  const folder = dirname(file.toString('utf8'));
  const isInside = existsSync(folder) && `${realpathSync(folder)}${sep}`.startsWith(realpathSync(root) + sep);
  if (isInside) rmSync(file, { force: true });
}

async function checkedPaths(place: Place, from: string, to: string): Promise<CheckedPath[]> {
  const scratch = `${place.draft}-paths`;
  try {
    return await checkPaths(place.git, place.move.path, { from, to }, scratch);
  } finally {
    for (const name of ['old', 'new']) {
      for (const end of ['', '.lock']) rmSync(`${scratch}-${name}${end}`, { force: true });
    }
  }
}

/** With its time: git tells by it which files may have changed in the same second. */
function copyIndex(dir: string, draft: string): void {
  const index = join(dir, 'index');
  rmSync(draft, { force: true });
  if (!existsSync(index)) return;
  copyFileSync(index, draft);
  const { mtimeMs } = statSync(index);
  const second = Math.floor(mtimeMs / 1000);
  utimesSync(draft, second, second);
}

function lockOf(dir: string): string {
  return join(dir, 'index.lock');
}

/** Takes git's lock on the index; false while another git holds it. A killed process of ours has left its intent in it. */
async function lockIndex(dir: string): Promise<boolean> {
  const [intent, lock] = [join(dir, files.intent), lockOf(dir)];
  const began = performance.now();
  for (;;) {
    try {
      // In one step: a file that is created first and written then could be taken for that of a git.
      linkSync(intent, lock);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      if (isOurLock(dir)) return true;
    }
    if (performance.now() - began > lockPatienceMs) return false;
    await wait(pauseMs);
  }
}

function isOurLock(dir: string): boolean {
  const [intent, lock] = [join(dir, files.intent), lockOf(dir)].map((path) =>
    statSync(path, { throwIfNoEntry: false }),
  );
  return intent !== undefined && lock !== undefined && intent.ino === lock.ino && intent.dev === lock.dev;
}

/** The intent last: as long as it is there, the next landing looks after the rest. */
function release(dir: string): void {
  rmSync(join(dir, files.draft), { force: true });
  if (isOurLock(dir)) rmSync(lockOf(dir), { force: true });
  rmSync(join(dir, files.intent), { force: true });
}

async function gitFolderOf(path: string): Promise<string> {
  return realpathSync(await new Git({ cwd: path }).text(['rev-parse', '--absolute-git-dir']));
}

function gitFolders(commonDir: string): string[] {
  const linked = join(commonDir, 'worktrees');
  return [commonDir, ...(existsSync(linked) ? readdirSync(linked).map((name) => join(linked, name)) : [])];
}

function halfMoved({ move }: Place, reason: string | null): GitError {
  const { path, ref } = move;
  const name = ref.replace(/^refs\/heads\//, '');
  return new GitError(
    'half-moved',
    `${name} moved, but not all files of its checkout in ${path}: ${reason ?? 'git did not move them'}`,
    {
      exitCode: exitCodes.environment,
      hint: `put that right, then type the same command again: it finishes (the files: git -C ${shellWord(path)} status)`,
    },
  );
}
