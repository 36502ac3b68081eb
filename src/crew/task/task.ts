import type { AgentEnd, HandoffAnswer } from '#agents/driver.ts';
import type { Premises } from '#crew/state/premises.ts';
import type { RunState } from '#crew/state/state.ts';
import type { RefWatch } from '#crew/watch/ref-watch.ts';
import type { Siblings } from '#crew/watch/siblings.ts';
import type { Workshop } from '#crew/workshop.ts';
import type { RunRefs } from '#git/refs/run-refs.ts';
import type { ModelTier } from '#schema/agent.ts';
import type { CompiledStep } from '#schema/compiled-workflow.ts';
import type { FlowContext } from '#schema/durable-port.ts';
import type { DataOf } from '#schema/event.ts';
import type { HandoffForm } from '#schema/handoff.ts';
import type { ReviewReport } from '#schema/review.ts';
import type { AttemptOutcome, Incident } from '#schema/run.ts';
import type { CheckOutcome } from '#schema/workflow-run.ts';

/** One task of a run: what its steps need in addition to the log. */
export interface TaskFlow {
  readonly context: FlowContext;
  readonly workshop: Workshop;
  readonly refs: RunRefs;
  /** Kept up to date with the log by the process that drives the run. */
  readonly state: RunState;
  readonly id: string;
  readonly slug: string;
  /** Aborted when the run stops: stop the current work and return. */
  readonly stop: AbortSignal;
  readonly siblings: Siblings;
  readonly refWatch: RefWatch;
  readonly waiting: Waiting;
  readonly premises: Premises;
  /** Null: no reviewers. */
  readonly review: ReviewWork | null;
  /** Null: tasks that name a workflow cannot be done. */
  readonly lead: LeadAttempt | null;
}

/** One turn of an agent that follows a workflow. */
export interface StepTurn {
  readonly step: string;
  /** `developer` for the work itself, another role for judging it. */
  readonly role: string;
  /** What comes after the prompt of the attempt. */
  readonly prompt: string;
  /** null: the one of the attempt. */
  readonly tier: ModelTier | null;
  readonly cwd: string;
  readonly mode: 'read' | 'edit';
  isUntouched(): Promise<boolean>;
}

/** What an attempt offers to the code that leads its agent through a workflow. */
export interface LedAttempt {
  /** Lets the agent do one step, within the remaining limits of the attempt. */
  turn(turn: StepTurn): Promise<AgentEnd & { readonly handed: unknown; readonly text: string }>;
  /** Runs the check of a step on the work as it is now. */
  check(step: CompiledStep): Promise<CheckOutcome>;
  record(data: Omit<DataOf<'attempt.stepped'>, 'prompt'>, prompt?: string): void;
  /** Whether an artifact of this kind can be the handoff of the attempt. */
  isHandoff(kind: string): boolean;
  submit(raw: unknown): HandoffAnswer;
  /** After the last step: asks the agent for its handoff. */
  finish(prompt: string): Promise<AgentEnd>;
}

/** Makes the agent of an attempt follow a workflow. Supplied by `app`, which knows workflows. */
export type LeadAttempt = (
  flow: TaskFlow,
  plan: AttemptPlan,
  workflow: string,
  led: LedAttempt,
) => Promise<AgentEnd>;

/** A test that reproduces a finding of reviewers in an earlier attempt. */
export interface RedTest {
  readonly file: string;
  readonly finding: string;
  readonly content: string;
}

/** Work that passed all code-based checks. */
interface WorkToReview {
  readonly commit: string;
  readonly goal: string;
  readonly criteria: readonly string[];
  /** What the attempt and the phases before it handed on. */
  readonly reported: string;
  readonly redTests: readonly RedTest[];
}

/** Why the tests of reviewers were changed or do not pass, or what reviewers say. */
export type WorkReview =
  | {
      readonly kind: 'red-tests';
      readonly broken: readonly { readonly file: string; readonly why: string }[];
    }
  | { readonly kind: 'reviewed'; readonly report: ReviewReport };

/** Supplied by `app`, which knows how to ask agents. */
export type ReviewWork = (flow: TaskFlow, plan: AttemptPlan, work: WorkToReview) => Promise<WorkReview>;

/** Tasks that wait for the work of others and therefore do not count towards `run.parallel`. */
interface Waiting {
  readonly ids: Set<string>;
  /** True when no other task is left to wait for. */
  isHopeless: boolean;
}

/** Where and how one attempt works, recorded before it starts. */
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
  /** null when the work was not committed to the task's branch. */
  readonly commit: string | null;
  readonly changedFiles: readonly string[] | null;
  readonly unreadable: string | null;
  readonly incidents: readonly Incident[];
};
