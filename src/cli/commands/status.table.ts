import type { CommandTable } from '#cli/args/table.ts';

export const statusTable = {
  name: 'status',
  summary: 'show the status of a run',
  description: 'Reads the log of a run, whether or not a process is driving it.',
  positionals: [
    { name: 'run', optional: true, description: 'Id of the run, or a unique prefix. Default: the newest.' },
  ],
  options: [],
  examples: [
    { command: 'joinery status', meaning: 'How is the newest run doing?' },
    { command: 'joinery status --json', meaning: 'The same as JSON.' },
  ],
  exitCodes: {
    ok: 'The run is done.',
    findings: 'A task failed, or the run was cancelled.',
    needsPerson: 'It is not finished, or needs a person.',
    mergeConflict: 'The work of two tasks does not merge.',
    interrupted: 'It was interrupted and can be resumed.',
  },
} as const satisfies CommandTable;
