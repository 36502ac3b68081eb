import { homedir } from 'node:os';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { openRepository } from '#git/call/repository.ts';
import type { HooksReport } from '#schema/hooks-report.ts';
import { type HookAgent, hookEntry } from './agent-settings/hook-entries.ts';
import { changeSettings } from './change-settings.ts';

interface HookWish {
  readonly agent: HookAgent;
  /** In the user's settings instead of the project's. */
  readonly isGlobal: boolean;
  readonly isDryRun: boolean;
}

/** Installs or removes the hooks through which an agent that Joinery did not start reports what it does. */
export async function installHooks(
  { cwd, env }: Pick<Surroundings, 'cwd' | 'env'>,
  action: 'install' | 'uninstall',
  { agent, isGlobal, isDryRun }: HookWish,
): Promise<HooksReport> {
  const repository = await openRepository(cwd);
  const folder = isGlobal ? (env.HOME ?? homedir()) : (repository.workTree ?? cwd);
  const change = changeSettings(env, repository, hookEntry(agent, folder), action, isDryRun);
  return { schema: 'joinery/hooks-install@1', action, agent, ...change };
}
