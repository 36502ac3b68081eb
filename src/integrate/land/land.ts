import { Git } from '#git/call/git.ts';
import type { Repository } from '#git/call/repository.ts';
import { readName } from '#git/merges/branches.ts';
import { branchInUse } from '#git/refs/branch-in-use.ts';
import { transact } from '#git/refs/ref-transaction.ts';
import { listWorktrees } from '#git/refs/refs.ts';
import { shellWord } from '#lib/shell-word.ts';
import { whileLanding } from './landing-lock.ts';
import { changesIn, finishMoves, hasOpenMoves, moveCheckout } from './move-checkout.ts';

export interface LandingWishes {
  /** Full name: 'refs/heads/main'. */
  readonly ref: string;
  /** The expected current commit of the target. */
  readonly from: string;
  readonly to: string;
  /** The project lists it under `run.protected`: Joinery never moves it. */
  readonly isProtected: boolean;
  /** A clean checkout of the target may be updated. */
  readonly mayUpdateCheckout: boolean;
  /** The target goes back to an earlier commit instead of forward. */
  readonly isBack?: boolean;
}

export type LandingOutcome =
  | { readonly status: 'landed' }
  /** The target is not at the commit that everything was checked against. */
  | { readonly status: 'moved'; readonly now: string | null }
  /** It does not move; the command `next` finishes the landing. */
  | {
      readonly status: 'kept';
      readonly reason: string;
      readonly next: string;
      /** `leave`: only a person's confirmation is missing. */
      readonly needs?: 'leave';
    };

/** Moves the target by one compare-and-swap, or not at all. A dirty checkout is never touched. */
export function land(repository: Repository, git: Git, wishes: LandingWishes): Promise<LandingOutcome> {
  return whileLanding(repository, async () => {
    await finishMoves(repository);
    return landAlone(repository, git, wishes);
  });
}

/** Completes what a killed landing left half done; one line for each checkout. */
export async function finishLandings(repository: Repository): Promise<string[]> {
  if (!hasOpenMoves(repository)) return [];
  const finished = await whileLanding(repository, () => finishMoves(repository));
  return finished.map(
    ({ ref, path, at }) =>
      `a landing was killed while it moved the files of ${short(ref)} in ${path}: they are at ${at.slice(0, 12)} now`,
  );
}

type Target = Pick<LandingWishes, 'ref' | 'isProtected'>;

/** Why a landing on this branch would be kept, whatever it moves to; null if only the permission of a person may be missing. */
export async function whyNotLand(repository: Repository, target: Target): Promise<string | null> {
  const { reason, checkout } = await lookAt(repository, target);
  if (reason !== null || !checkout) return reason;
  return (await hasChanges(checkout)) ? changesIn(short(target.ref), checkout) : null;
}

/** Where the branch is checked out, and what forbids to move it there. */
async function lookAt(
  repository: Repository,
  { ref, isProtected }: Target,
): Promise<{ reason: string | null; checkout: string | null }> {
  const name = short(ref);
  const checkouts = (await listWorktrees(repository)).filter(({ branch }) => branch === ref);
  const use = branchInUse(repository, ref);
  const reason = isProtected
    ? `${name} is protected`
    : use !== null
      ? `a checkout is in the middle of ${use} of ${name}`
      : checkouts.length > 1
        ? `${name} is checked out in ${checkouts.length} places`
        : null;
  return { reason, checkout: checkouts[0]?.path ?? null };
}

async function hasChanges(path: string): Promise<boolean> {
  return (await new Git({ cwd: path }).text(['status', '--porcelain', '--untracked-files=no'])) !== '';
}

async function landAlone(
  repository: Repository,
  git: Git,
  { ref, from, to, isProtected, mayUpdateCheckout, isBack = false }: LandingWishes,
): Promise<LandingOutcome> {
  const name = short(ref);
  const now = await readName(git, ref);
  if (now !== from && !isProtected) return { status: 'moved', now };
  const { reason, checkout } = await lookAt(repository, { ref, isProtected });
  const move = isBack ? `reset --keep ${to}` : `merge --ff-only ${to}`;
  const next = checkout
    ? `git -C ${shellWord(checkout)} ${move}`
    : isBack
      ? `git branch --force ${shellWord(name)} ${to}`
      : `git fetch . ${to}:${ref}`;
  if (reason !== null) return { status: 'kept', reason, next };
  const log = `joinery: ${isBack ? 'undo' : 'land'}`;
  if (!checkout) {
    const isMoved = await swap(git, repository.commonDir, { ref, from, to, log });
    return isMoved ? { status: 'landed' } : { status: 'moved', now: await readName(git, ref) };
  }
  if (!mayUpdateCheckout)
    return (await hasChanges(checkout))
      ? { status: 'kept', reason: changesIn(name, checkout), next }
      : { status: 'kept', reason: `${name} is checked out in ${checkout}`, next, needs: 'leave' };
  const outcome = await moveCheckout(repository, { path: checkout, ref, from, to }, (here, before, after) =>
    swap(here, checkout, { ref, from: before, to: after, log }),
  );
  switch (outcome.status) {
    case 'moved':
      return { status: 'landed' };
    case 'overtaken':
      return { status: 'moved', now: await readName(git, ref) };
    case 'kept':
      return { ...outcome, next };
  }
}

interface Swap {
  readonly ref: string;
  readonly from: string;
  readonly to: string;
  /** For the reflog. */
  readonly log: string;
}

function swap(git: Git, folder: string, { ref, from, to, log }: Swap): Promise<boolean> {
  const policy = { folder, reason: log, isOurs: () => false, report: () => {} };
  return transact(git, [`update ${ref}\0${to}\0${from}\0`], policy);
}

function short(ref: string): string {
  return ref.replace(/^refs\/heads\//, '');
}
