import type { AgentConfig, AgentLimits, agentOutcomes, McpServer, ModelTier } from '#schema/agent.ts';
import type { Incident, Usage } from '#schema/run.ts';
import type { Price } from '#schema/spending.ts';

/** Everything an agent receives. Its text comes from `assemblePrompt` only. */
export interface AgentRequest {
  readonly run: string;
  readonly task: string;
  readonly role: string;
  readonly attempt: number;
  /** Number of the attempt, without interrupted ones: the first, second, third try as a person counts them. */
  readonly round: number;
  /** Step of the workflow that the attempt follows. */
  readonly step?: string;
  readonly idempotencyKey: string;
  readonly prompt: string;
  /** Appended to the agent's system prompt; empty if there is nothing to append. */
  readonly system: string;
  /** `read`: the folder must stay unchanged, whatever the agent tries. */
  readonly mode: 'read' | 'edit';
  /** False: the agent must not see guides of the project or memories of the user, as far as its program supports that. */
  readonly hasAmbient?: boolean;
  /**
   * Folders that the agent must not read, except for its own folders inside them: notes of others, leftovers of earlier
   * attempts. A sandbox hides them, Claude Code refuses to read them, and an agent that names one of them is reported.
   */
  readonly withheld?: readonly string[];
  readonly tier: ModelTier;
  /** The model for the tier; null: the agent chooses. */
  readonly model: string | null;
  readonly limits: AgentLimits;
  /** Prices from the project's settings, for agents that do not report their cost. */
  readonly prices: Readonly<Record<string, Price>>;
  readonly mcpServers: Readonly<Record<string, McpServer>>;
  /** Continues an earlier session in the same folder. `spent`: its cost so far, for agents whose totals include it. */
  readonly resume: { readonly session: string; readonly spent: Usage } | null;
  readonly cwd: string;
  /** The files it works on or judges, in a folder below `cwd`; undefined: `cwd` itself. */
  readonly tree?: string;
  readonly env: Readonly<Record<string, string>>;
  /** Value of `JOINERY_ATTEMPT` in every process of this attempt; a sweep for leftover processes searches for it. */
  readonly mark: string;
  /** Folder outside the worktree for the driver's files; removed when the task is settled. */
  readonly scratch: string;
  readonly config: AgentConfig;
  readonly signal: AbortSignal;
}

/** What an agent reports while it works; `AgentEnd` comes last. */
export type AgentEvent =
  | {
      readonly type: 'started';
      readonly session: string;
      readonly version: string | null;
      readonly model: string | null;
    }
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'tool';
      readonly tool: string;
      /** For people: the path, the command, the question. */
      readonly detail: string;
      /** A tool that has `begun` may be silent: its silence is not inactivity. */
      readonly status: 'begun' | 'ended';
      /** The same id in `begun` and `ended`; null for a tool that is reported once. */
      readonly call: string | null;
    }
  | {
      readonly type: 'permission';
      readonly tool: string;
      readonly detail: string;
      readonly decision: 'allowed' | 'denied';
    }
  | {
      readonly type: 'retry';
      readonly reason: string;
      readonly waitMs: number | null;
      /** The service refuses the login (HTTP 401): a retry will not help. */
      readonly isLoginRefused?: true;
    }
  /** The agent is working, with nothing to report. */
  | { readonly type: 'alive' }
  /** Misbehaviour of the agent. */
  | { readonly type: 'incident'; readonly kind: Incident['kind']; readonly detail: string }
  /** One answer of the model is complete. */
  | { readonly type: 'turn' }
  /** Spending since the last report, never a running total. */
  | { readonly type: 'usage'; readonly usage: Usage };

export type HandoffAnswer =
  | { readonly accepted: true }
  /** `text` is shown to the agent; after a final refusal it cannot try again. */
  | {
      readonly accepted: false;
      readonly text: string;
      readonly isFinal: boolean;
      /** The work has to change, not only the handoff. */
      readonly isAboutWork?: boolean;
    };

export interface AgentDoors {
  report(event: AgentEvent): void;
  /** Submits the handoff of this attempt. */
  submit(raw: unknown): HandoffAnswer;
  /** Whether the folder differs from the one the agent received: the fact that its outcome is checked against. */
  hasChanged(): Promise<boolean>;
}

/** `cancelled`: the request's signal was aborted, however the agent ended. */
type AgentOutcome = (typeof agentOutcomes)[number] | 'cancelled';

export interface AgentEnd {
  readonly outcome: AgentOutcome;
  readonly reason: string;
}

/**
 * One way to run an agent. It resolves whatever happens to the agent, and rejects only on a defect in the driver. When the
 * signal is aborted, it ends every process of the attempt and resolves with `cancelled`. Call it through `playAgent`,
 * which sets the limits and narrows the environment.
 */
export interface AgentDriver {
  readonly name: string;
  /** Variables the agent's program needs, including its credentials; a trailing `*` matches any ending. */
  readonly variables: readonly string[];
  /**
   * `none`: with `hasAmbient: false`, no file below the folder that it starts in configures it or instructs it, which a contract test with
   * the real program shows. Only a program that declares it may judge work.
   */
  readonly ambient?: 'none';
  /** Throws if the agent's program is missing, before anything starts. */
  demand?(config: AgentConfig): void;
  play(request: AgentRequest, doors: AgentDoors): Promise<AgentEnd>;
  /** What an attempt interrupted by our own crash had spent, from the driver's files in `scratch`. */
  spentSoFar?(scratch: string): Usage | null;
}
