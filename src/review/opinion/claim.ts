import type { ModelSeverity } from '#schema/opinion.ts';
import type { Category } from '#schema/vocabulary.ts';

/** A place as a model names it. */
export interface ClaimedPlace {
  /** null: it does not say. */
  readonly branch: string | null;
  readonly file: string;
  readonly line: number | null;
  readonly symbol: string | null;
  readonly role: 'provider' | 'consumer';
}

/** One problem that a model reports, before anything of it was looked at. */
export interface Claim {
  /** Where it stands in the answer: `interfaceMismatches[0]`. */
  readonly entry: string;
  readonly category: Category;
  readonly severity: ModelSeverity;
  readonly says: string;
  /** As the model names them: names, or numbers of the prompt. */
  readonly branches: readonly string[];
  readonly places: readonly ClaimedPlace[];
  /** Of a contract; null: it is about code. */
  readonly contractItem: string | null;
}
