import type { CommandTable } from '#cli/args/table.ts';

export const doctorTable = {
  name: 'doctor',
  summary: 'show what is installed, what is missing and how to get it',
  description:
    'Looks at git, Node, the parsers, the type checkers that a check would use here, the cache and the config of the repository, and shows the settings that differ from their defaults with the place they come from; --verbose shows all. Changes nothing.',
  positionals: [],
  options: [],
  examples: [
    { command: 'joinery doctor', meaning: 'Is everything in place?' },
    { command: 'joinery doctor --json', meaning: 'The same for a program.' },
  ],
  exitCodes: {
    ok: 'Everything required is there.',
    usage: 'The config cannot be used.',
    environment: 'Something required is missing.',
  },
} as const satisfies CommandTable;
