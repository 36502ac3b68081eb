import type { Owner } from '#check/findings/owner.ts';
import type { Member } from '#check/members/member.ts';
import type { Place, Problem } from '#code/link/problem.ts';
import type { RuleId } from '#schema/rules.ts';
import type { Category, Confidence, Severity } from '#schema/vocabulary.ts';

/**
 * Whose adaptation is mechanical: a rename to follow, an argument to add. That branch moves; for `either` and `neither` the one with the
 * smaller blast radius.
 */
export type Follower = 'consumer' | 'provider' | 'either' | 'neither';

/** The rule of a problem, its cause and what to do: everything in a finding besides its sites. */
export interface Diagnosis {
  readonly rule: RuleId;
  /** Key of the cause: findings with the same cause are one. */
  readonly providerKey: string;
  readonly confidence: Confidence;
  /** Who decided a proven problem, where it is not the facts: `compiler:tsc`. */
  readonly judge?: string;
  readonly message: string;
  readonly suggestion: string;
  readonly fix: { readonly from: string; readonly to: string } | null;
  /** Who has to move: a branch and why, or how to choose it. */
  readonly owner: Follower | Owner;
  /** The sites are lines of the branch, not of the union. */
  readonly sitesAreOfBranch?: boolean;
  /** Set where this case is less severe than the rule. */
  readonly severity?: Severity;
  /** Other categories that it also belongs to. */
  readonly tags?: readonly Category[];
  /** Where the provider is now, or where it was before it was removed. */
  readonly provider: ProviderPlace | null;
}

export interface ProviderPlace extends Place {
  readonly removed: boolean;
}

/** A diagnosed problem between members. */
export interface DiagnosedProblem {
  readonly problem: Problem;
  readonly consumer: Member;
  readonly provider: Member;
  /** The branch of each site, where not all are the consumer's; the last one applies to the rest. */
  readonly siteSides?: readonly Member[];
  readonly diagnosis: Diagnosis;
}
