import type { CommandTable } from '#cli/args/table.ts';

export const rebuildTable = {
  name: 'rebuild',
  summary: 'write the reports and logs of a run again',
  description:
    'Everything people read about a run is made from its event log alone. Deleted or damaged, it comes back byte for byte.',
  positionals: [
    { name: 'run', optional: true, description: 'Id of the run, or its beginning. Default: the newest.' },
  ],
  options: [],
  examples: [
    { command: 'joinery rebuild', meaning: 'Where are the files of the newest run? Make them again.' },
  ],
  exitCodes: { ok: 'Written.', usage: 'No such run.', environment: 'The folder cannot be written.' },
} as const satisfies CommandTable;
