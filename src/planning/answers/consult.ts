import type { Prompt } from '#agents/prompt/fit-sections.ts';
import type { Role } from '#agents/prompt/roles.ts';
import type { ModelTier } from '#schema/agent.ts';
import type { Consultation } from '#schema/planning.ts';

/** A question to an agent that may read but not change anything. `role` and `n` identify it within one planning. */
export interface Question {
  readonly role: Role;
  /** Which question to this role, from 1. */
  readonly n: number;
  readonly prompt: Prompt;
  /** What it may read: the code of the base commit, or nothing. */
  readonly place: 'code' | 'nowhere';
  readonly tier: ModelTier;
  /** Set when several agents answer in the same role at the same time, each in a separate folder. */
  readonly seat?: { readonly name: string; readonly agent: string; readonly model: string | null };
  /** Time limit; undefined: that of any attempt. */
  readonly wallMs?: number;
}

export interface Reply {
  /** `ok`, or why there is no answer. */
  readonly outcome: string;
  readonly reason: string;
  /** All the text of the agent. */
  readonly text: string;
  readonly consultation: Consultation;
}

/** Asks an agent once. Passed in, so that a run can make each question a durable step. */
export type Consult = (question: Question) => Promise<Reply>;
