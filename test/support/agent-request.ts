import type { AgentRequest } from '#agents/driver.ts';
import { AgentConfig } from '#schema/agent.ts';

/** A request with defaults. */
export function agentRequest(
  wanted: Partial<AgentRequest> & Pick<AgentRequest, 'cwd' | 'scratch'>,
): AgentRequest {
  return {
    run: 'r',
    task: 'a',
    role: 'developer',
    attempt: 1,
    round: 1,
    idempotencyKey: 'k',
    prompt: '',
    system: '',
    mode: 'edit',
    tier: 'standard',
    model: null,
    limits: { wallMs: 60_000, inactivityMs: 60_000, turns: null, tokens: null, usd: null },
    prices: {},
    mcpServers: {},
    resume: null,
    env: {},
    mark: 'r/a/1',
    config: AgentConfig.parse({}),
    signal: new AbortController().signal,
    ...wanted,
  };
}
