import type { CommandTable } from '#cli/args/table.ts';

export const hooksTable = {
  name: 'hooks',
  summary: 'let the dashboard see agents that Joinery did not start',
  description:
    'Adds entries to an agent\'s settings so that it reports when it starts, uses a tool and ends. The dashboard shows it as a visitor. Other entries stay as they are, byte for byte, no permission is granted, and "uninstall" restores the file exactly. Prompts, commands and outputs are not stored.',
  positionals: [
    {
      name: 'action',
      values: ['install', 'uninstall', 'record'],
      description: 'record is what the agent calls, with its report on stdin.',
    },
  ],
  options: [
    {
      name: 'agent',
      type: 'string',
      placeholder: 'name',
      values: ['claude', 'gemini'],
      default: 'claude',
      description: 'The agent whose settings are changed.',
    },
    { name: 'global', type: 'boolean', description: "Use the user's settings, for all projects." },
    { name: 'dry-run', type: 'boolean', description: 'Show the difference; change nothing.' },
  ],
  examples: [
    { command: 'joinery hooks install --dry-run', meaning: 'What would change in .claude/settings.json?' },
    { command: 'joinery hooks install --global', meaning: 'Claude Code reports from every project.' },
    { command: 'joinery hooks uninstall', meaning: 'Restore the file.' },
  ],
  exitCodes: { ok: 'Written, or nothing to do.', usage: 'The settings cannot be read.' },
} as const satisfies CommandTable;
