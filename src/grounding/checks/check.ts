import type { Change } from '#grounding/change/change.ts';
import type { GroundingCheckName } from '#schema/grounding.ts';
import type { Severity } from '#schema/vocabulary.ts';

/** One problem; it has the check's severity, or a lower one. */
export interface Trouble {
  /** Distinguishes it from the check's other problems, without wording or lines. */
  readonly key: string;
  readonly message: string;
  readonly hint: string;
  readonly file?: string;
  readonly line?: number;
  /** The task that the file belongs to, if it is another one. */
  readonly owner?: string;
  /** Reported, but never blocking. */
  readonly isLesser?: boolean;
}

export type Outcome =
  | { readonly is: 'skipped'; readonly why: string }
  | {
      readonly is: 'checked';
      readonly troubles: readonly Trouble[];
      /** What could not be checked, and why. */
      readonly unknown?: readonly { readonly file?: string; readonly reason: string }[];
      readonly detail?: string;
    };

export interface GroundingCheck {
  readonly name: GroundingCheckName;
  /** The severity of a problem unless the config says otherwise. */
  readonly severity: Severity;
  check(change: Change): Outcome;
}

export function checked(troubles: readonly Trouble[], detail = ''): Outcome {
  return { is: 'checked', troubles, detail };
}

export function skipped(why: string): Outcome {
  return { is: 'skipped', why };
}
