import type { Prompt } from '#agents/prompt/fit-sections.ts';
import type { Consultation } from '#schema/planning.ts';
import type { ReviewReport } from '#schema/review.ts';
import type { RawFinding, Verification } from '#schema/triage.ts';
import type { AuditRoute } from './audit/audit-route.ts';
import type { ReviewSubject } from './prompt/review-prompts.ts';

export interface Seat {
  readonly name: string;
  readonly agent: string;
  readonly model: string | null;
  readonly family: string;
}

export interface Answer {
  /** `ok`, `timeout`, or another outcome of the agent. */
  readonly outcome: string;
  readonly reason: string;
  readonly text: string;
  readonly consultation: Consultation;
}

export interface Proofs {
  readonly results: ReadonlyMap<string, Verification>;
  readonly redTests: ReviewReport['redTests'];
  readonly consultations: readonly Consultation[];
}

/** The side effects of a review. `reviewChange` decides everything else, from values. */
export interface ReviewEffects {
  askReviewer(seat: Seat, round: number, prompt: Prompt): Promise<Answer>;
  askAssessor(n: number, prompt: Prompt): Promise<Answer>;
  /** Null: no audit after objections. */
  readonly askAuditor: ((route: AuditRoute, prompt: Prompt) => Promise<Answer>) | null;
  /** Proves blocking findings by tests; null: the project has no tests to run. */
  readonly prove: ((findings: readonly RawFinding[]) => Promise<Proofs>) | null;
  log(line: string): void;
}

export interface ReviewInput {
  readonly subject: ReviewSubject;
  readonly roles: {
    readonly reviewer: string;
    readonly assessor: string;
    readonly auditors: Readonly<Record<AuditRoute, string>>;
  };
  readonly seats: readonly Seat[];
  readonly mayRebut: boolean;
  /** The command that tries again. */
  readonly resume: string;
}

export type Reviewed = Omit<
  ReviewReport,
  'schema' | 'base' | 'branch' | 'checks' | 'order' | 'taskType' | 'mutants'
>;

export type Cost = ReviewReport['cost'];
