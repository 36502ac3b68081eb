import type { CommandTable } from '#cli/args/table.ts';

export const statusTable = {
  name: 'status',
  summary: 'show the status of a run',
  description: 'Reads the log of a run; whether a process drives it at the moment makes no difference.',
  positionals: [
    { name: 'run', optional: true, description: 'Id of the run, or its beginning. Default: the newest.' },
  ],
  options: [],
  examples: [
    { command: 'joinery status', meaning: 'How is the newest run doing?' },
    { command: 'joinery status --json', meaning: 'The same for a program.' },
  ],
  exitCodes: {
    ok: 'The run is done.',
    findings: 'A task failed, or the run was cancelled.',
    needsPerson: 'It is not finished, or needs a person.',
    mergeConflict: 'Work of two tasks does not merge.',
    interrupted: 'It was interrupted and can be resumed.',
  },
} as const satisfies CommandTable;
