import type { Prompt } from '#agents/prompt/fit-sections.ts';
import type { Role } from '#agents/prompt/roles.ts';
import type { ModelTier } from '#schema/agent.ts';
import type { Consultation } from '#schema/planning.ts';

/** A question to an agent that may look and not change. `role` and `n` name it within one piece of planning. */
export interface Question {
  readonly role: Role;
  /** Which question to this role, from 1. */
  readonly n: number;
  readonly prompt: Prompt;
  /** What it may look at: the code of the base commit, or nothing at all. */
  readonly place: 'code' | 'nowhere';
  readonly tier: ModelTier;
  /** One of several who are asked in the same role at the same time, each in a folder of its own. */
  readonly seat?: { readonly name: string; readonly agent: string; readonly model: string | null };
  /** Time it has; undefined: as long as any attempt. */
  readonly wallMs?: number;
}

export interface Reply {
  /** `ok`, or why there is no answer. */
  readonly outcome: string;
  readonly reason: string;
  /** All that it said. */
  readonly text: string;
  readonly consultation: Consultation;
}

/** Asks an agent once. Passed in, so that a run can make each question a durable step. */
export type Consult = (question: Question) => Promise<Reply>;
