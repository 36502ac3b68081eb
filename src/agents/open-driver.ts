import { nearest } from '#lib/nearest.ts';
import type { AgentSettings } from '#schema/agent.ts';
import { UsageError } from '#schema/errors.ts';
import type { Scenario } from '#schema/scenario.ts';
import type { AgentDriver } from './driver.ts';
import { acpDriver } from './drivers/acp/acp-driver.ts';
import { acpAgents, genericAgent } from './drivers/acp/agents.ts';
import { claudeDriver } from './drivers/claude/claude.ts';
import { codexDriver } from './drivers/codex/codex.ts';
import { scriptedDriver } from './drivers/scripted/scripted.ts';

interface Wanted {
  readonly scenario: Scenario | null;
  readonly agents: AgentSettings['agents'];
}

type Opener = (wanted: Wanted) => AgentDriver;

/** All agents. A new one is a folder below `drivers/` and a line here; one that speaks ACP is a row of its table. */
const openers: ReadonlyMap<string, Opener> = new Map<string, Opener>([
  ['claude', () => claudeDriver],
  ['codex', () => codexDriver],
  ...acpAgents.map((agent): [string, Opener] => [agent.name, () => acpDriver(agent)]),
  ['scripted', openScripted],
]);

/** Agents that people choose from. */
export const agentNames: readonly string[] = [...openers.keys()].filter((name) => name !== 'scripted');

/** The driver with that name, or an error that says what is missing. */
export function openDriver(name: string, wanted: Wanted): AgentDriver {
  const open = openers.get(name);
  if (open) return open(wanted);
  const own = Object.hasOwn(wanted.agents, name) ? wanted.agents[name]?.acp : undefined;
  if (own) return acpDriver(genericAgent(name, own));
  const configured = Object.keys(wanted.agents).filter((each) => wanted.agents[each]?.acp);
  const names = [...openers.keys(), ...configured.filter((each) => !openers.has(each))];
  const meant = nearest(name, names);
  throw new UsageError({
    code: 'unknown-agent',
    message: `there is no agent ${JSON.stringify(name)}${meant === null ? '' : `; did you mean "${meant}"?`}`,
    hint: `agents: ${names.join(', ')}; joinery agents lists them`,
  });
}

function openScripted({ scenario }: Wanted): AgentDriver {
  if (scenario) return scriptedDriver(scenario);
  throw new UsageError({
    code: 'no-scenario',
    message: 'the scripted agent needs a scenario',
    hint: 'name one: --scenario scenario.json',
  });
}
