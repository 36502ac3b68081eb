import type { CommandTable } from '#cli/args/table.ts';

export const rebuildTable = {
  name: 'rebuild',
  summary: 'rebuild the reports and logs of a run from its journal',
  description:
    'Everything people read about a run is computed from its journal. Deleted or damaged files are written again, byte for byte.',
  positionals: [
    { name: 'run', optional: true, description: 'Id of the run, or its beginning. Default: the newest.' },
  ],
  options: [],
  examples: [
    { command: 'joinery rebuild', meaning: 'Where are the files of the newest run? Make them again.' },
  ],
  exitCodes: { ok: 'Written.', usage: 'No such run.', environment: 'The folder cannot be written.' },
} as const satisfies CommandTable;
