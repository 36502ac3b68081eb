import { Git } from '#git/call/git.ts';
import type { Repository } from '#git/call/repository.ts';
import { readName } from '#git/merges/branches.ts';
import { branchInUse } from '#git/refs/branch-in-use.ts';
import { listWorktrees } from '#git/refs/refs.ts';
import { shellWord } from '#lib/shell-word.ts';

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
export async function land(
  repository: Repository,
  git: Git,
  { ref, from, to, isProtected, mayUpdateCheckout, isBack = false }: LandingWishes,
): Promise<LandingOutcome> {
  const name = ref.replace(/^refs\/heads\//, '');
  if (isProtected) {
    const next = isBack ? `git branch --force ${shellWord(name)} ${to}` : `git merge --ff-only ${to}`;
    return { status: 'kept', reason: `${name} is protected`, next };
  }
  const now = await readName(git, ref);
  if (now !== from) return { status: 'moved', now };
  const checkouts = (await listWorktrees(repository)).filter(({ branch }) => branch === ref);
  const [checkout, ...others] = checkouts;
  const use = branchInUse(repository, ref);
  if (use !== null) {
    const next = isBack ? `git reset --keep ${to}` : `git merge --ff-only ${to}`;
    return { status: 'kept', reason: `a checkout is in the middle of ${use} of ${name}`, next };
  }
  if (!checkout) {
    const moved = await git.run(['update-ref', '-m', `joinery: ${isBack ? 'undo' : 'land'}`, ref, to, from], {
      accept: [0, 1, 128],
    });
    return moved.code === 0 ? { status: 'landed' } : { status: 'moved', now: await readName(git, ref) };
  }
  // `--keep` refuses to overwrite local changes, as `--ff-only` does.
  const move = isBack ? ['reset', '--keep', '--quiet', to] : ['merge', '--ff-only', '--quiet', to];
  const next = `git -C ${shellWord(checkout.path)} ${move.filter((word) => word !== '--quiet').join(' ')}`;
  if (others.length > 0)
    return { status: 'kept', reason: `${name} is checked out in ${checkouts.length} places`, next };
  const here = new Git({ cwd: checkout.path });
  const status = await here.text(['status', '--porcelain', '--untracked-files=no']);
  if (status !== '')
    return { status: 'kept', reason: `the checkout of ${name} in ${checkout.path} has changes`, next };
  if (!mayUpdateCheckout)
    return { status: 'kept', reason: `${name} is checked out in ${checkout.path}`, next, needs: 'leave' };
  const merged = await here.run(move, { accept: [0, 1, 128] });
  if (merged.code === 0 && (await readName(git, ref)) === to) return { status: 'landed' };
  const after = await readName(git, ref);
  return after === from
    ? { status: 'kept', reason: merged.stderr.split('\n')[0] || 'git did not move the checkout', next }
    : { status: 'moved', now: after };
}
