import { type Absence, hadAndLost, isClosed } from '#code/link/absence.ts';
import type { Problem } from '#code/link/problem.ts';
import type { Confidence } from '#schema/vocabulary.ts';

declare const claimed: unique symbol;

/** How sure a rule is that something is missing. `proven` comes from this file alone, which asks what may bring it. */
export type Claim = Exclude<Confidence, 'proven'> | ('proven' & { readonly [claimed]: true });

/** Something is missing: proven in a closed world only. */
export function claimAbsence(absence: Absence): Claim {
  return confidenceOf(isClosed(absence));
}

/** Two things are there that exclude each other: nothing that was not read can take that back. */
export const contradiction = 'proven' as Claim;

/** A problem that the linker found. */
export function claim({ absence, proven }: Problem): Claim {
  return absence ? claimAbsence(absence) : confidenceOf(proven);
}

/** A problem about something that base had there, and that a branch took away. */
export function claimLoss(problem: Problem): Claim {
  return problem.absence ? claimAbsence(hadAndLost(problem.absence)) : claim(problem);
}

function confidenceOf(isProven: boolean): Claim {
  return (isProven ? 'proven' : 'likely') as Claim;
}
