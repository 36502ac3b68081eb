import type { CommandTable } from '#cli/args/table.ts';

export const rulesTable = {
  name: 'rules',
  summary: 'list the rules',
  description:
    'Every rule that check applies, its severity when proven, its measured precision, and the languages it reads.',
  positionals: [],
  options: [],
  examples: [
    { command: 'joinery rules', meaning: 'What is looked for?' },
    { command: 'joinery rules --json', meaning: 'The same for programs.' },
  ],
  exitCodes: { ok: 'Always.' },
} as const satisfies CommandTable;
