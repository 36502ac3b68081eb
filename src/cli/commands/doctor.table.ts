import type { CommandTable } from '#cli/args/table.ts';

export const doctorTable = {
  name: 'doctor',
  summary: 'show what is installed, what is missing and how to get it',
  description:
    'Checks git, Node, the parsers, the type checkers for this repository, the cache and the config. Shows the settings that differ from their defaults and where they come from; --verbose shows all settings. Changes nothing.',
  positionals: [],
  options: [],
  examples: [
    { command: 'joinery doctor', meaning: 'Is everything installed?' },
    { command: 'joinery doctor --json', meaning: 'The same as JSON.' },
  ],
  exitCodes: {
    ok: 'Everything required is there.',
    usage: 'The config cannot be used.',
    environment: 'Something required is missing.',
  },
} as const satisfies CommandTable;
