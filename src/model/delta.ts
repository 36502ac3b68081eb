import type { Finding } from './check-report.ts';

/** What became of the findings between two reports, matched by id and never by text. */
export interface Delta {
  readonly fixed: readonly Finding[];
  readonly remaining: readonly Finding[];
  readonly new: readonly Finding[];
  /** Fixed in an earlier report, back again. */
  readonly regressed: readonly Finding[];
  /** Gone from the later report, which did not look at all it would take to call them fixed. */
  readonly unverified: readonly Finding[];
}
