import type { CommandTable } from '#cli/args/table.ts';

export const mcpTable = {
  name: 'mcp',
  summary: 'serve workflows and checks to agents (Model Context Protocol)',
  description:
    'Without an action it serves one client on stdin and stdout, as agents start it. With --http it serves many on the loopback interface; each needs the token that is printed. "install" writes the entry into the settings of an agent, "uninstall" takes out exactly what was put in.',
  positionals: [
    { name: 'action', values: ['install', 'uninstall'], optional: true, description: 'Default: serve.' },
  ],
  options: [
    {
      name: 'agent',
      type: 'string',
      placeholder: 'name',
      values: ['claude', 'codex', 'gemini', 'opencode', 'cursor'],
      description: 'With install and uninstall: whose settings.',
    },
    {
      name: 'dry-run',
      type: 'boolean',
      description: 'With install and uninstall: show the difference, change nothing.',
    },
    { name: 'http', type: 'boolean', description: 'Serve streamable HTTP on 127.0.0.1.' },
    { name: 'port', type: 'string', placeholder: 'n', description: 'With --http. Default: a free one.' },
  ],
  examples: [
    { command: 'joinery mcp install --agent claude', meaning: 'Claude Code gets the tools in this project.' },
    { command: 'joinery mcp install --agent codex --dry-run', meaning: 'What would change?' },
    { command: 'joinery mcp --http --port 7311', meaning: 'Serve several agents.' },
  ],
  exitCodes: { ok: 'The client left; or written, or nothing to do.', usage: 'Settings that cannot be read.' },
} as const satisfies CommandTable;
