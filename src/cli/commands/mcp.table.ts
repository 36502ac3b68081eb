import type { CommandTable } from '#cli/args/table.ts';

export const mcpTable = {
  name: 'mcp',
  summary: 'serve workflows and checks to agents (Model Context Protocol)',
  description:
    'Without an action it serves one client on stdin and stdout; this is how agents start it. With --http it serves many clients on the loopback interface; each needs the printed token. "install" adds the entry to an agent\'s settings; "uninstall" removes exactly that entry.',
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
    {
      name: 'port',
      type: 'string',
      placeholder: 'n',
      description: 'With --http: the port. Default: a free one.',
    },
  ],
  examples: [
    {
      command: 'joinery mcp install --agent claude',
      meaning: 'Add the tools to Claude Code in this project.',
    },
    { command: 'joinery mcp install --agent codex --dry-run', meaning: 'What would change?' },
    { command: 'joinery mcp --http --port 7311', meaning: 'Serve several agents.' },
  ],
  exitCodes: {
    ok: 'The client disconnected; or the settings were written, or there was nothing to do.',
    usage: 'The settings cannot be read.',
  },
} as const satisfies CommandTable;
