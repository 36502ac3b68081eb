import type { CommandTable } from '#cli/args/table.ts';

export const rulesTable = {
  name: 'rules',
  summary: 'list the rules',
  description:
    'Lists every rule of check with its severity when proven, its measured precision, and its languages.',
  positionals: [],
  options: [],
  examples: [
    { command: 'joinery rules', meaning: 'Which rules are there?' },
    { command: 'joinery rules --json', meaning: 'The same as JSON.' },
  ],
  exitCodes: { ok: 'Always.' },
} as const satisfies CommandTable;
