import type { CommandTable } from '#cli/args/table.ts';

export const initTable = {
  name: 'init',
  summary: 'write a joinery.json for this repository',
  description:
    'Finds the default branch and writes joinery.json to the top of the repository. Joinery works without it; use it to accept findings and to set severities.',
  positionals: [],
  options: [
    { name: 'dry-run', type: 'boolean', description: 'Print the file instead of writing it.' },
    { name: 'force', type: 'boolean', description: 'Replace a joinery.json that is already there.' },
  ],
  examples: [
    { command: 'joinery init --dry-run', meaning: 'See what would be written.' },
    { command: 'joinery init', meaning: 'Write it.' },
  ],
  exitCodes: {
    ok: 'Written, or printed with --dry-run.',
    usage: 'Settings already exist, or this is not a repository.',
  },
} as const satisfies CommandTable;
