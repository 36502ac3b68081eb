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

async function landAlone(
  repository: Repository,
  git: Git,
  { ref, from, to, isProtected, mayUpdateCheckout, isBack = false }: LandingWishes,
): Promise<LandingOutcome> {
  const name = short(ref);
  if (isProtected) {
    const next = isBack ? `git branch --force ${shellWord(name)} ${to}` : `git merge --ff-only ${to}`;
    return { status: 'kept', reason: `${name} is protected`, next };
  }
  const now = await readName(git, ref);
  if (now !== from) return { status: 'moved', now };
  const checkouts = (await listWorktrees(repository)).filter(({ branch }) => branch === ref);
  const [checkout, ...others] = checkouts;
  const move = isBack ? `reset --keep ${to}` : `merge --ff-only ${to}`;
  const use = branchInUse(repository, ref);
  if (use !== null)
    return {
      status: 'kept',
      reason: `a checkout is in the middle of ${use} of ${name}`,
      next: `git ${move}`,
    };
  const reason = `joinery: ${isBack ? 'undo' : 'land'}`;
  if (!checkout) {
    const isMoved = await swap(git, repository.commonDir, { ref, from, to, reason });
    return isMoved ? { status: 'landed' } : { status: 'moved', now: await readName(git, ref) };
  }
  const { path } = checkout;
  const next = `git -C ${shellWord(path)} ${move}`;
  if (others.length > 0)
    return { status: 'kept', reason: `${name} is checked out in ${checkouts.length} places`, next };
  if (!mayUpdateCheckout) {
    const status = await new Git({ cwd: path }).text(['status', '--porcelain', '--untracked-files=no']);
    return status === ''
      ? { status: 'kept', reason: `${name} is checked out in ${path}`, next, needs: 'leave' }
      : { status: 'kept', reason: changesIn(name, path), next };
  }
  const outcome = await moveCheckout(repository, { path, ref, from, to }, (here, before, after) =>
    swap(here, path, { ref, from: before, to: after, reason }),
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

function swap(
  git: Git,
  folder: string,
  {
    ref,
    from,
    to,
    reason,
  }: { readonly ref: string; readonly from: string; readonly to: string; readonly reason: string },
): Promise<boolean> {
  return transact(git, [`update ${ref}\0${to}\0${from}\0`], {
    folder,
    reason,
    isOurs: () => false,
    report: () => {},
  });
}

function short(ref: string): string {
  return ref.replace(/^refs\/heads\//, '');
}
