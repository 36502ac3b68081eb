import type { CommandTable } from '#cli/args/table.ts';

export const cancelTable = {
  name: 'cancel',
  summary: 'end a run for good',
  description:
    'Stops the agents of the run, whichever process on this machine drives it, and marks it as cancelled. Accepted work stays on its branches.',
  positionals: [
    {
      name: 'run',
      optional: true,
      description: 'Id of the run, or a unique prefix. Default: the newest unfinished.',
    },
  ],
  options: [{ name: 'yes', short: 'y', type: 'boolean', description: 'Do not ask.' }],
  examples: [{ command: 'joinery cancel --yes', meaning: 'Cancel the newest unfinished run.' }],
  exitCodes: {
    ok: 'Cancelled.',
    needsPerson: 'Not confirmed, or the process that drives the run does not respond.',
    usage: 'There is no unfinished run.',
  },
} as const satisfies CommandTable;
