import type { RefMove } from '#git/refs/reflog.ts';

/** A running agent, and what is known about its actions. */
export interface Worker {
  readonly id: string;
  /** Address in its commits and in its reflog lines. */
  readonly address: string;
  /** Full name of its own branch. */
  readonly branch: string;
  readonly path: string;
  /** Moves of its worktree's HEAD since it started. */
  readonly moves: readonly RefMove[];
  /** Commands of its tools that write refs. */
  readonly commands: readonly string[];
}

export interface Change {
  readonly ref: string;
  /** Object id; null: there was none. */
  readonly from: string | null;
  readonly to: string | null;
  /** The ref that it is a symbolic name for now. */
  readonly standsFor: string | null;
}

/** Commands that write refs other than the branch they run on. */
const writesRefs =
  /\bgit\b[^|;&\n]{0,300}\s(?:update-ref|symbolic-ref|tag|branch\s{1,20}(?:\S{1,200}\s{1,20}){0,10}?(?:-[a-zA-Z]{0,20}[fdDmMcC]|--(?:force|delete|move|copy)))/;

export function isRefCommand(command: string): boolean {
  return writesRefs.test(command);
}

/**
 * Which task's agent moved a ref, if that can be shown: by its address in the reflog, by a commit made in its worktree, by a
 * branch it switched to, or by a command that names the ref. Null: unknown.
 */
export function whoMoved(
  change: Change,
  log: readonly RefMove[],
  workers: readonly Worker[],
  taskOf: (address: string) => string | null,
): string | null {
  const owner = workers.find(({ branch }) => branch === change.ref)?.id;
  const signed = movesSince(log, change.from).flatMap(({ who }) => taskOf(who) ?? []);
  const known = signed.find((id) => id !== owner) ?? signed[0];
  return known ?? workers.find((worker) => isDoneBy(worker, change))?.id ?? null;
}

function isDoneBy({ moves, commands }: Worker, { ref, to }: Change): boolean {
  const name = shortName(ref);
  const isMade = moves.some((move) => move.to === to && makesCommits.test(move.what));
  const isVisited = moves.some(({ what }) => what.startsWith('checkout: ') && what.endsWith(` to ${name}`));
  return isMade || (to !== null && isVisited) || commands.some((command) => names(command, name));
}

const makesCommits = /^(commit|merge|rebase|cherry-pick|revert|am|pull)\b/;

/** `feat/user` in `git branch -f feat/user HEAD~1`, and neither in `git tag feat/user-2` nor in `git tag my/feat/user`. */
function names(command: string, name: string): boolean {
  const pieces = command.split(name);
  return pieces.slice(1).some((after, at) => {
    const before = pieces[at] ?? '';
    return /(?:^|[\s'"=:]|refs\/(?:heads|tags|remotes)\/)$/.test(before) && !/^[\w./-]/.test(after);
  });
}

/** The moves away from a value, the oldest first. */
export function movesSince(log: readonly RefMove[], from: string | null): RefMove[] {
  const since: RefMove[] = [];
  for (const move of log.toReversed()) {
    since.unshift(move);
    if (move.from === (from ?? '0'.repeat(move.from.length))) return since;
  }
  // Its reflog does not mention the value: the ref was moved without one.
  return [];
}

/** refs/heads/feat/user → feat/user. */
export function shortName(ref: string): string {
  return ref.replace(/^refs\/(heads|tags|remotes)\//, '');
}
