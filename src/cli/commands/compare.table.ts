import type { CommandTable } from '#cli/args/table.ts';

export const compareTable = {
  name: 'compare',
  summary: 'compare two runs side by side',
  description:
    'Shows outcome, findings between tasks, cost, time and tasks of two runs, and the difference between the trees that landed or would land. Reads only the logs and git.',
  positionals: [
    { name: 'run', description: 'Id of the first run, or a unique prefix.' },
    { name: 'other', description: 'Id of the second run.' },
  ],
  options: [],
  examples: [
    { command: 'joinery compare r4k2 m7pq', meaning: 'A run and its fork.' },
    { command: 'joinery compare r4k2 m7pq --json', meaning: 'As JSON: joinery/compare@1.' },
  ],
  exitCodes: { ok: 'Compared.', usage: 'One of the runs does not exist.' },
} as const satisfies CommandTable;
