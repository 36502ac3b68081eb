import { EnvironmentError, UsageError } from '../model/errors.ts';
import type { Scenario } from '../model/scenario.ts';
import type { AgentDriver } from './driver.ts';
import { scriptedDriver } from './drivers/scripted.ts';

/** The driver of that name, or an error that says what is missing. */
export function openDriver(name: string, wanted: { readonly scenario: Scenario | null }): AgentDriver {
  if (name !== 'scripted') {
    throw new EnvironmentError({
      code: 'unknown-agent',
      message: `there is no agent ${JSON.stringify(name)}`,
      hint: 'agents: scripted',
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
