import type { Owner } from '#check/findings/owner.ts';
import type { Member } from '#check/members/member.ts';
import type { Place, Problem } from '#code/link/problem.ts';
import type { RuleId } from '#schema/rules.ts';
import type { Confidence, Severity } from '#schema/vocabulary.ts';

/** Which rule a problem falls under, what caused it and what to do: everything a finding says besides its places. */
export interface Diagnosis {
  readonly rule: RuleId;
  /** Key of the cause: findings with the same cause are one. */
  readonly providerKey: string;
  readonly confidence: Confidence;
  readonly message: string;
  readonly suggestion: string;
  readonly fix: { readonly from: string; readonly to: string } | null;
  /** Whose adaptation is mechanical: a rename to follow, an argument to add. */
  readonly mechanical: { readonly consumer: boolean; readonly provider: boolean };
  /** Set where another reason decides who should move. */
  readonly owner?: Owner;
  /** The sites are given as they lie in the branch, not in the union. */
  readonly sitesAreOfBranch?: boolean;
  /** Set where the rule is milder in this case than it is as a rule. */
  readonly severity?: Severity;
  /** The provider, where it stands now or where it stood before it was removed. */
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
  /** Whose each site is, where not all are the consumer's: the last one stands for the rest. */
  readonly siteSides?: readonly Member[];
  readonly diagnosis: Diagnosis;
}
