import type { CommandTable } from '#cli/args/table.ts';

export const rebuildTable = {
  name: 'rebuild',
  summary: 'rebuild the reports and logs of a run from its journal',
  description:
    'Reports and logs of a run are computed from its journal. This command writes deleted or damaged ones again, byte for byte.',
  positionals: [
    { name: 'run', optional: true, description: 'Id of the run, or a unique prefix. Default: the newest.' },
  ],
  options: [],
  examples: [{ command: 'joinery rebuild', meaning: 'Write the files of the newest run again.' }],
  exitCodes: { ok: 'Written.', usage: 'No such run.', environment: 'The folder cannot be written.' },
} as const satisfies CommandTable;
