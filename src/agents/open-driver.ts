import { AgentConfig, type AgentSettings } from '../model/agent.ts';
import { EnvironmentError, UsageError } from '../model/errors.ts';
import type { Scenario } from '../model/scenario.ts';
import type { AgentDriver } from './driver.ts';
import { claudeDriver } from './drivers/claude/claude.ts';
import { codexDriver } from './drivers/codex/codex.ts';
import { scriptedDriver } from './drivers/scripted.ts';

const realDrivers: readonly AgentDriver[] = [claudeDriver, codexDriver];

/** The driver of that name, or an error that says what is missing. */
export function openDriver(
  name: string,
  wanted: { readonly scenario: Scenario | null } & Partial<AgentSettings>,
): AgentDriver {
  const real = realDrivers.find((driver) => driver.name === name);
  if (real) {
    real.demand?.(wanted.agents?.[name] ?? AgentConfig.parse({}));
    return real;
  }
  if (name !== 'scripted') {
    throw new EnvironmentError({
      code: 'unknown-agent',
      message: `there is no agent ${JSON.stringify(name)}`,
      hint: `agents: ${[...realDrivers.map((driver) => driver.name), 'scripted'].join(', ')}`,
    });
  }
  if (!wanted.scenario) {
    throw new UsageError({
      code: 'no-scenario',
      message: 'the scripted agent needs a scenario',
      hint: 'name one: --scenario scenario.json',
    });
  }
  return scriptedDriver(wanted.scenario);
}
