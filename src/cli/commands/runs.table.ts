import type { CommandTable } from '#cli/args/table.ts';

export const runsTable = {
  name: 'runs',
  summary: 'list the runs of this repository',
  description: 'Newest first, with their status and whether a process drives them.',
  positionals: [],
  options: [],
  examples: [{ command: 'joinery runs', meaning: 'Which runs are there?' }],
  exitCodes: { ok: 'Listed.' },
} as const satisfies CommandTable;
