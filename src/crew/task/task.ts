import type { Premises } from '#crew/state/premises.ts';
import type { RunState } from '#crew/state/state.ts';
import type { RefWatch } from '#crew/watch/ref-watch.ts';
import type { Siblings } from '#crew/watch/siblings.ts';
import type { Workshop } from '#crew/workshop.ts';
import type { RunRefs } from '#git/refs/run-refs.ts';
import type { ModelTier } from '#schema/agent.ts';
import type { FlowContext } from '#schema/durable-port.ts';
import type { HandoffForm } from '#schema/handoff.ts';
import type { ReviewReport } from '#schema/review.ts';
import type { AttemptOutcome, Incident } from '#schema/run.ts';

/** One task of a run: what its steps need besides the log. */
export interface TaskFlow {
  readonly context: FlowContext;
  readonly workshop: Workshop;
  readonly refs: RunRefs;
  /** Kept up to date with the log by the process that drives the run. */
  readonly state: RunState;
  readonly id: string;
  readonly slug: string;
  /** Aborted when the run stops: end what is going on and return. */
  readonly stop: AbortSignal;
  readonly siblings: Siblings;
  readonly refWatch: RefWatch;
  readonly waiting: Waiting;
  readonly premises: Premises;
  /** Null: nobody reviews. */
  readonly review: ReviewWork | null;
}

/** A test that shows what reviewers found in an attempt before. */
export interface RedTest {
  readonly file: string;
  readonly finding: string;
  readonly content: string;
}

/** Work that code has nothing against. */
interface WorkToReview {
  readonly commit: string;
  readonly goal: string;
  readonly criteria: readonly string[];
  /** What the attempt and the phases before it handed on. */
  readonly reported: string;
  readonly redTests: readonly RedTest[];
}

/** Why red tests do not stand as they were written, or what reviewers say. */
export type WorkReview =
  | {
      readonly kind: 'red-tests';
      readonly broken: readonly { readonly file: string; readonly why: string }[];
    }
  | { readonly kind: 'reviewed'; readonly report: ReviewReport };

/** Supplied by the room above, which knows how to ask agents. */
export type ReviewWork = (flow: TaskFlow, plan: AttemptPlan, work: WorkToReview) => Promise<WorkReview>;

/** Tasks that wait for the work of others, and so need no place in the crew. */
interface Waiting {
  readonly ids: Set<string>;
  /** No other task is left that they could wait for. */
  isHopeless: boolean;
}

/** Where and how one attempt works, recorded before it begins. */
export type AttemptPlan = {
  readonly n: number;
  readonly round: number;
  readonly branch: string;
  readonly path: string;
  readonly driver: string;
  readonly tier: ModelTier;
  readonly model: string | null;
  readonly role: string;
  readonly base: string;
  readonly from: string;
};

/** What the agent of an attempt left when it ended. */
export type Played = {
  readonly outcome: AttemptOutcome;
  readonly reason: string;
  readonly handoff: string | null;
  readonly notes: string | null;
  readonly form?: HandoffForm;
  readonly incidents?: Incident[];
};

/** What of an attempt's files became a commit. */
export type Committed = {
  /** null when the work did not get onto the task's branch. */
  readonly commit: string | null;
  readonly changedFiles: readonly string[] | null;
  readonly unreadable: string | null;
  readonly incidents: readonly Incident[];
};
