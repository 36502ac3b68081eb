import type { WeighedGraph } from '#check/risk/seam-risk.ts';
import type { SurveyedBranch } from './survey.ts';

/** Branches on the graph of their union. */
export interface Seams extends WeighedGraph {
  /** The side of a branch of the graph, by its name. */
  side(ref: string): SurveyedBranch | undefined;
  /** Neither is built on the other. */
  isApart(a: SurveyedBranch, b: SurveyedBranch): boolean;
  /** Another finding names both. */
  isTold(a: string, b: string): boolean;
  /** Where a symbol is defined in the union; 1 when that is not known. */
  lineOf(symbol: string): number;
}
