import type { BranchTip } from '#check/branches/branch-tips.ts';
import type { Git } from '#git/call/git.ts';
import type { CheckReport } from '#schema/check-report.ts';
import type {
  AcceptedLoss,
  IntegrationStep,
  KnownFinding,
  LeftBranch,
  Loss,
  Receipt,
} from '#schema/integration.ts';
import type { MergeRequest } from './merge/merge-branches.ts';
import type { Suites } from './suite/suite.ts';

export interface IntegrationRequest {
  /** Writes commits into the repository; moves no ref. */
  readonly git: Git;
  /** A scratch repository that shares the objects, for trial merges. */
  readonly scratch: Git;
  /** A folder for temporary files. */
  readonly folder: string;
  readonly id: string;
  readonly target: BranchTip;
  /** In landing order. */
  readonly branches: readonly BranchTip[];
  /** Whether a part may land without the rest. */
  readonly isPartial: boolean;
  readonly decisions: readonly AcceptedLoss[];
  /** `joinery check` on exactly these commits. */
  check(base: BranchTip, branches: readonly BranchTip[]): Promise<CheckReport>;
  /** Resolves text conflicts; null: they stay conflicts. */
  readonly resolve: MergeRequest['resolve'];
  /** The gates of the target on a commit, except its tests; null when it defines none. */
  gates(commit: string): Promise<Receipt['evidence'] | null>;
  /** The tasks whose work a branch contains; undefined outside a run. */
  readonly tasksOf?: ((ref: string) => readonly string[]) | undefined;
  /** Checks the contract between the branches on a commit that contains them; null when there is none. */
  contract(
    commit: string,
    merged: readonly BranchTip[],
  ): Promise<Pick<IntegrationStep, 'status' | 'detail'> | null>;
  /** How the tests of the target run. */
  readonly suites: Suites;
  /** The person who decided that the result may land although nothing was run on it; null: nobody. */
  readonly unproven: string | null;
  readonly at: string;
  readonly progress: (text: string) => void;
}

export interface Integration {
  readonly status: 'ready' | 'blocked' | 'conflict' | 'lost' | 'undecided' | 'nothing';
  readonly steps: readonly IntegrationStep[];
  readonly merged: readonly BranchTip[];
  readonly left: readonly LeftBranch[];
  readonly lost: readonly Loss[];
  /** What check told of the branches. */
  readonly findings: readonly KnownFinding[];
  /** Why nothing was run on the result; null: its tests were, or it is not built. */
  readonly unrun: string | null;
  /** Set when the result is ready to land. */
  readonly receipt: Receipt | null;
}
