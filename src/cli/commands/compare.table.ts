import type { CommandTable } from '#cli/args/table.ts';

export const compareTable = {
  name: 'compare',
  summary: 'two runs side by side',
  description:
    'Outcome, findings between tasks, cost, time and tasks of two runs, and how the trees differ that landed or would land. Made from the logs and from git; nothing is run.',
  positionals: [
    { name: 'run', description: 'Id of the first run, or its beginning.' },
    { name: 'other', description: 'Id of the second run.' },
  ],
  options: [],
  examples: [
    { command: 'joinery compare r4k2 m7pq', meaning: 'A run and its fork.' },
    { command: 'joinery compare r4k2 m7pq --json', meaning: 'For a program: joinery/compare@1.' },
  ],
  exitCodes: { ok: 'Compared.', usage: 'There are no such two runs.' },
} as const satisfies CommandTable;
