import type { Problem } from '#code/link/problem.ts';
import type { GateInput } from '#gates/definitions/inputs.ts';
import type { ChangedLines } from '#lib/changed-lines.ts';
import type { Secret } from '#lib/redact.ts';
import type { GroundingPolicy } from '#schema/grounding.ts';
import type { Task } from '#schema/plan.ts';

/** Everything the checks know: values read once, at the rim. No check reads anything itself. */
export interface Change {
  readonly files: readonly FileChange[];
  readonly base: Paths;
  readonly tip: Paths;
  /** Tests of base about changed sources, by path; not all of very many. */
  readonly baseTests?: ReadonlyMap<string, string>;
  /** What the task said it would change; null when nothing was declared. */
  readonly declared: readonly string[] | null;
  /** Files that were added to the declaration with a reason, and granted. */
  readonly granted: readonly string[];
  readonly others: readonly OtherTask[];
  readonly claim: Claim;
  readonly imports: ImportProblems;
  /** What decides over the gates of the base. */
  readonly gateInputs: readonly GateInput[];
  readonly gateRuns: GateRuns;
  readonly criteria: readonly CriterionResult[];
  readonly policy: GroundingPolicy;
  /** Values that were given to the agent or kept from it: they are secrets whatever they look like. */
  readonly secrets?: readonly Secret[];
}

export interface Paths {
  has(path: string): boolean;
  isDirectory(path: string): boolean;
  /** Sorted. The same test is asked only once per tree. */
  matching(test: (path: string) => boolean): readonly string[];
}

export interface FileChange {
  readonly status: 'added' | 'deleted' | 'modified' | 'renamed';
  readonly path: string;
  /** Where it was before: another path only for a renamed file. */
  readonly oldPath: string;
  /** Text before and after; null where there was none, or nothing that is text. */
  readonly before: string | null;
  readonly after: string | null;
  readonly lines: ChangedLines;
  /** Why its content is not known; null when it is. */
  readonly unreadable: string | null;
}

interface OtherTask {
  readonly id: string;
  readonly files: readonly string[];
  readonly isFinished: boolean;
  /** Its work will be there when this work lands: what its files provide is judged together with it. */
  readonly isProvider?: boolean;
}

/** What the agent says about its own work. */
type Claim =
  | { readonly status: 'done' }
  | { readonly status: 'blocked'; readonly why: string }
  /** There is no claim: the branch is checked on its own. */
  | { readonly status: 'none' };

/** What does not resolve in the files at stake, on each side. */
export interface ImportProblems {
  readonly before: readonly Problem[];
  readonly after: readonly Problem[];
  /** What each changed test loads. */
  readonly loads: ReadonlyMap<string, readonly string[]>;
  /** Changed files of a known language that could not be followed, and why. */
  readonly unknown: readonly { readonly file: string; readonly reason: string }[];
}

/** What our own records say about gates that ran for this task; null when no records are kept. */
type GateRuns = { readonly passed: number; readonly failed: number } | null;

export interface CriterionResult {
  readonly criterion: Task['acceptance'][number];
  readonly status: 'met' | 'unmet' | 'unverified' | 'inconclusive';
  readonly detail: string;
}
