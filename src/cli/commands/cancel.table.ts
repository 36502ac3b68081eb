import type { CommandTable } from '#cli/args/table.ts';

export const cancelTable = {
  name: 'cancel',
  summary: 'end a run for good',
  description:
    'Stops the agents of the run, wherever it is driven on this machine, and marks it cancelled. Accepted work stays on its branches.',
  positionals: [
    {
      name: 'run',
      optional: true,
      description: 'Id of the run, or its beginning. Default: the newest unfinished.',
    },
  ],
  options: [{ name: 'yes', short: 'y', type: 'boolean', description: 'Do not ask.' }],
  examples: [{ command: 'joinery cancel --yes', meaning: 'Stop what is going on here.' }],
  exitCodes: {
    ok: 'Cancelled.',
    needsPerson: 'Not confirmed, or the process that drives it does not react.',
    usage: 'There is no unfinished run.',
  },
} as const satisfies CommandTable;
