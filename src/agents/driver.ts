import type { AttemptOutcome, Usage } from '../model/run.ts';

/** Everything an agent gets. Its text comes from `assemblePrompt` alone. */
export interface AgentRequest {
  readonly run: string;
  readonly task: string;
  readonly role: string;
  readonly attempt: number;
  /** Number among the attempts that were not interrupted: what a person would call the first, second, third try. */
  readonly round: number;
  readonly idempotencyKey: string;
  readonly prompt: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** What an agent reports while it works. */
export type AgentEvent =
  | { readonly type: 'said'; readonly text: string }
  | { readonly type: 'used'; readonly tool: string; readonly detail: string }
  | { readonly type: 'spent'; readonly usage: Usage };

export type HandoffAnswer =
  | { readonly accepted: true }
  /** `text` is what the agent is shown; after a final refusal it cannot try again. */
  | { readonly accepted: false; readonly text: string; readonly isFinal: boolean };

export interface AgentDoors {
  report(event: AgentEvent): void;
  /** Hands in the claim of this attempt. */
  submit(raw: unknown): HandoffAnswer;
}

export interface AgentEnd {
  readonly outcome: AttemptOutcome;
  readonly reason: string;
}

/** One way to run an agent. It resolves, whatever happens to the agent, and rejects only on a defect of its own. */
export interface AgentDriver {
  readonly name: string;
  play(request: AgentRequest, doors: AgentDoors): Promise<AgentEnd>;
}
