import type { Git } from '#git/call/git.ts';
import type { Repository } from '#git/call/repository.ts';
import { type LandingOutcome, type LandingWishes, land } from '#integrate/land/land.ts';

/** Asks the person at the terminal; null without a terminal. */
export type AskPerson = ((question: string) => Promise<boolean>) | null;

/** Lands. If only the permission to update a clean checkout is missing, asks the person at the terminal. */
export async function landOrAsk(
  repository: Repository,
  git: Git,
  wishes: LandingWishes,
  ask: AskPerson,
): Promise<LandingOutcome> {
  const outcome = await land(repository, git, wishes);
  const isAsked = outcome.status === 'kept' && outcome.needs === 'leave';
  if (!isAsked || !(await ask?.(`${outcome.reason}: update it?`))) return outcome;
  return land(repository, git, { ...wishes, mayUpdateCheckout: true });
}
