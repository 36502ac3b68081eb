import type { CommandTable } from '#cli/args/table.ts';

export const hooksTable = {
  name: 'hooks',
  summary: 'let the dashboard see agents that Joinery did not start',
  description:
    'Writes entries into the settings of an agent so that it reports when it begins, uses a tool and ends. The dashboard shows it as a visitor. Entries of others stay byte for byte, no permission is granted, and "uninstall" restores the file exactly. Prompts, commands and outputs are not kept.',
  positionals: [
    {
      name: 'action',
      values: ['install', 'uninstall', 'record'],
      description: 'record: what the agent calls, with its report on stdin.',
    },
  ],
  options: [
    {
      name: 'agent',
      type: 'string',
      placeholder: 'name',
      values: ['claude', 'gemini'],
      default: 'claude',
      description: 'Whose settings.',
    },
    { name: 'global', type: 'boolean', description: 'In the settings of the user, for all projects.' },
    { name: 'dry-run', type: 'boolean', description: 'Show the difference, change nothing.' },
  ],
  examples: [
    { command: 'joinery hooks install --dry-run', meaning: 'What would change in .claude/settings.json?' },
    { command: 'joinery hooks install --global', meaning: 'Claude Code reports from every project.' },
    { command: 'joinery hooks uninstall', meaning: 'The file is as it was.' },
  ],
  exitCodes: { ok: 'Written, or nothing to do.', usage: 'Settings that cannot be read.' },
} as const satisfies CommandTable;
