import type { AgentDriver } from '#agents/driver.ts';
import type { AgentConfig } from '#schema/agent.ts';
import { EnvironmentError } from '#schema/errors.ts';

/** Throws unless files of the judged work are known not to configure or instruct this agent. */
export function demandJudge(agent: string, driver: AgentDriver, own: AgentConfig): void {
  if ((driver.ambient ?? own.ambient) === 'none') return;
  throw new EnvironmentError({
    code: 'may-not-judge',
    message: `${agent} may not be asked for a judgement: nobody has shown that files of the judged work cannot configure or instruct it`,
    hint: `name another agent, or vouch for it: agents.${agent}.ambient: "none"`,
  });
}
