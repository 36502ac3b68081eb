import type { CommandTable } from '#cli/args/table.ts';

export const runsTable = {
  name: 'runs',
  summary: 'list the runs of this repository',
  description: 'Newest first, with status and whether a process is driving them.',
  positionals: [],
  options: [],
  examples: [{ command: 'joinery runs', meaning: 'Which runs are there?' }],
  exitCodes: { ok: 'Listed.' },
} as const satisfies CommandTable;
