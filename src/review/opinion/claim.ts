import type { ModelSeverity } from '#schema/opinion.ts';
import type { Category } from '#schema/vocabulary.ts';

/** A place in a model's notation. */
export interface ClaimedPlace {
  /** null: it does not say. */
  readonly branch: string | null;
  readonly file: string;
  readonly line: number | null;
  readonly symbol: string | null;
  readonly role: 'provider' | 'consumer';
}

/** One problem that a model reports, not yet verified. */
export interface Claim {
  /** Its place in the answer: `interfaceMismatches[0]`. */
  readonly entry: string;
  readonly category: Category;
  readonly severity: ModelSeverity;
  readonly says: string;
  /** Branch names, or their numbers in the prompt. */
  readonly branches: readonly string[];
  readonly places: readonly ClaimedPlace[];
  /** An item of the contract; null: the claim is about code. */
  readonly contractItem: string | null;
}
