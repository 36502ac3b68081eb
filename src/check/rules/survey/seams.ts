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
  /** The line of a symbol's definition in the union; 1 when it is unknown. */
  lineOf(symbol: string): number;
}
