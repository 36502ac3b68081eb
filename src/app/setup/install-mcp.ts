import { homedir } from 'node:os';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { openRepository } from '#git/call/repository.ts';
import type { McpInstallReport } from '#schema/mcp-report.ts';
import { type McpAgent, mcpEntry } from './agent-settings/mcp-entries.ts';
import { changeSettings } from './change-settings.ts';

/** Adds Joinery's MCP server to the settings of an agent, or removes it. */
export async function installMcp(
  { cwd, env }: Pick<Surroundings, 'cwd' | 'env'>,
  action: 'install' | 'uninstall',
  agent: McpAgent,
  isDryRun: boolean,
): Promise<McpInstallReport> {
  const repository = await openRepository(cwd);
  const entry = mcpEntry(agent, { project: repository.workTree ?? cwd, home: env.HOME ?? homedir(), env });
  const change = changeSettings(env, repository, entry, action, isDryRun);
  return { schema: 'joinery/mcp-install@1', action, agent, ...change };
}
