import type { AgentConfig, AgentLimits, agentOutcomes, McpServer, ModelTier } from '#schema/agent.ts';
import type { Incident, Usage } from '#schema/run.ts';
import type { Price } from '#schema/spending.ts';

/** Everything an agent gets. Its text comes from `assemblePrompt` alone. */
export interface AgentRequest {
  readonly run: string;
  readonly task: string;
  readonly role: string;
  readonly attempt: number;
  /** Number among the attempts that were not interrupted: what a person would call the first, second, third try. */
  readonly round: number;
  /** Step of the workflow that the attempt is led through. */
  readonly step?: string;
  readonly idempotencyKey: string;
  readonly prompt: string;
  /** Added to the agent's own system text; empty when there is nothing to add. */
  readonly system: string;
  /** `read`: whatever the agent tries, the folder stays as it is. */
  readonly mode: 'read' | 'edit';
  /** False: guides of the project and memories of the user are kept from it, as far as the agent can be told so. */
  readonly hasAmbient?: boolean;
  /**
   * Folders that it must not read, but for its own within them: what others noted and what earlier attempts left. A sandbox hides
   * them, Claude Code refuses to read them, and an agent that names one of them is told of.
   */
  readonly withheld?: readonly string[];
  readonly tier: ModelTier;
  /** The model the tier stands for; null leaves the choice to the agent. */
  readonly model: string | null;
  readonly limits: AgentLimits;
  /** The project's own, for agents that do not say what they cost. */
  readonly prices: Readonly<Record<string, Price>>;
  readonly mcpServers: Readonly<Record<string, McpServer>>;
  /** Goes on with an earlier session in the same folder. `spent`: what it had cost, for agents that count on. */
  readonly resume: { readonly session: string; readonly spent: Usage } | null;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Carried as `JOINERY_ATTEMPT` by every process of this attempt: what a sweep looks for. */
  readonly mark: string;
  /** Folder outside the worktree for the driver's own files; it goes away when the task is settled. */
  readonly scratch: string;
  readonly config: AgentConfig;
  readonly signal: AbortSignal;
}

/** What an agent reports while it works; `AgentEnd` is the last word. */
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
      /** `begun` tools are waited for: their silence is not inactivity. */
      readonly status: 'begun' | 'ended';
      /** Ties the two together; null for a tool that is reported once. */
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
      /** The service does not accept the login (HTTP 401): it will not accept it later either. */
      readonly isLoginRefused?: true;
    }
  /** It is at work, and there is nothing to tell. */
  | { readonly type: 'alive' }
  /** What a decent agent does not do. */
  | { readonly type: 'incident'; readonly kind: Incident['kind']; readonly detail: string }
  /** One answer of the model has come to its end. */
  | { readonly type: 'turn' }
  /** What was spent since the last report, never a running total. */
  | { readonly type: 'usage'; readonly usage: Usage };

export type HandoffAnswer =
  | { readonly accepted: true }
  /** `text` is what the agent is shown; after a final refusal it cannot try again. */
  | {
      readonly accepted: false;
      readonly text: string;
      readonly isFinal: boolean;
      /** The work has to change, not the claim alone. */
      readonly isAboutWork?: boolean;
    };

export interface AgentDoors {
  report(event: AgentEvent): void;
  /** Hands in the claim of this attempt. */
  submit(raw: unknown): HandoffAnswer;
  /** Whether the folder differs from the one the agent was given: the fact an outcome is held against. */
  hasChanged(): Promise<boolean>;
}

/** `cancelled`: the request's signal was aborted, whatever the agent made of it. */
type AgentOutcome = (typeof agentOutcomes)[number] | 'cancelled';

export interface AgentEnd {
  readonly outcome: AgentOutcome;
  readonly reason: string;
}

/**
 * One way to run an agent. It resolves, whatever happens to the agent, and rejects only on a defect of its own. When the
 * signal is aborted it ends every process of the attempt and resolves with `cancelled`. Call it through `playAgent`,
 * which sets the limits and narrows the environment.
 */
export interface AgentDriver {
  readonly name: string;
  /** Variables the agent's own program needs, its credentials among them; a trailing `*` stands for any ending. */
  readonly variables: readonly string[];
  /** Throws when its program is not there, before anything begins. */
  demand?(config: AgentConfig): void;
  play(request: AgentRequest, doors: AgentDoors): Promise<AgentEnd>;
  /** What an attempt that was cut off together with us had spent, from what the driver left in `scratch`. */
  spentSoFar?(scratch: string): Usage | null;
}
