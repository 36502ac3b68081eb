import { join } from 'node:path';
import type { SettingsEntry } from './edit-settings.ts';

export type McpAgent = 'claude' | 'codex' | 'gemini' | 'opencode' | 'cursor';

interface Places {
  /** Top of the working tree. */
  readonly project: string;
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Where each agent looks for MCP servers, and in which format. */
export function mcpEntry(agent: McpAgent, { project, home, env }: Places): SettingsEntry {
  const server = { command: 'joinery', args: ['mcp'] };
  switch (agent) {
    case 'claude':
      return {
        file: join(project, '.mcp.json'),
        format: 'json',
        path: ['mcpServers', 'joinery'],
        value: server,
      };
    case 'codex':
      return {
        file: join(env.CODEX_HOME ?? join(home, '.codex'), 'config.toml'),
        format: 'toml',
        path: ['mcp_servers', 'joinery'],
        value: server,
      };
    case 'gemini':
      return {
        file: join(project, '.gemini', 'settings.json'),
        format: 'json',
        path: ['mcpServers', 'joinery'],
        value: server,
      };
    case 'opencode':
      return {
        file: join(project, 'opencode.json'),
        format: 'json',
        path: ['mcp', 'joinery'],
        value: { type: 'local', command: ['joinery', 'mcp'], enabled: true },
      };
    case 'cursor':
      return {
        file: join(project, '.cursor', 'mcp.json'),
        format: 'json',
        path: ['mcpServers', 'joinery'],
        value: server,
      };
  }
}
