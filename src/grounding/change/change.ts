import type { Problem } from '#code/link/problem.ts';
import type { GateInput } from '#gates/definitions/inputs.ts';
import type { ChangedLines } from '#lib/changed-lines.ts';
import type { Secret } from '#lib/redact.ts';
import type { GroundingPolicy } from '#schema/grounding.ts';
import type { Task } from '#schema/plan.ts';

/** Everything the checks know: values that were read beforehand. No check reads anything itself. */
export interface Change {
  readonly files: readonly FileChange[];
  readonly base: Paths;
  readonly tip: Paths;
  /** Tests of base about changed sources, by path; capped if there are very many. */
  readonly baseTests?: ReadonlyMap<string, string>;
  /** What the task declared to change; null if nothing was declared. */
  readonly declared: readonly string[] | null;
  /** Files that were added to the declaration with a reason, and granted. */
  readonly granted: readonly string[];
  readonly others: readonly OtherTask[];
  readonly claim: Claim;
  readonly imports: ImportProblems;
  /** What decides about the gates of the base. */
  readonly gateInputs: readonly GateInput[];
  readonly gateRuns: GateRuns;
  readonly criteria: readonly CriterionResult[];
  readonly policy: GroundingPolicy;
  /** Values that were given to the agent or withheld from it: they are secrets, whatever they look like. */
  readonly secrets?: readonly Secret[];
}

export interface Paths {
  has(path: string): boolean;
  isDirectory(path: string): boolean;
  /** Sorted. Each test runs only once per tree. */
  matching(test: (path: string) => boolean): readonly string[];
}

export interface FileChange {
  readonly status: 'added' | 'deleted' | 'modified' | 'renamed';
  readonly path: string;
  /** The previous path; differs only for a renamed file. */
  readonly oldPath: string;
  /** Text before and after; null if the file did not exist or is not text. */
  readonly before: string | null;
  readonly after: string | null;
  /** What a link points to, if it is one now. */
  readonly target?: string;
  readonly lines: ChangedLines;
  /** Why its content is unknown; null if it is known. */
  readonly unreadable: string | null;
}

interface OtherTask {
  readonly id: string;
  readonly files: readonly string[];
  readonly isFinished: boolean;
  /** Its work lands together with this work: what its files provide is judged together. */
  readonly isProvider?: boolean;
}

/** The agent's own statement about its work. */
type Claim =
  | { readonly status: 'done' }
  | { readonly status: 'blocked'; readonly why: string }
  /** No handoff: the branch is checked on its own. */
  | { readonly status: 'none' };

/** Imports that do not resolve in the affected files, on each side. */
export interface ImportProblems {
  readonly before: readonly Problem[];
  readonly after: readonly Problem[];
  /** What each changed test loads. */
  readonly loads: ReadonlyMap<string, readonly string[]>;
  /** Changed files of a known language that could not be linked, and why. */
  readonly unknown: readonly { readonly file: string; readonly reason: string }[];
}

/** Gate runs for this task according to our records; null if no records are kept. */
type GateRuns = { readonly passed: number; readonly failed: number } | null;

export interface CriterionResult {
  readonly criterion: Task['acceptance'][number];
  readonly status: 'met' | 'unmet' | 'unverified' | 'inconclusive';
  readonly detail: string;
}
