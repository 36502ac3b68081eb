import type { CommandTable } from '#cli/args/table.ts';

export const reworkTable = {
  name: 'rework',
  summary: 'make one task from all that remains of a run',
  description:
    'Adds one task to the run that finishes every task that failed or needs a person. It begins with the accepted work and what there is of theirs, and gets all that was found: what, where on both sides, the witness and the move. When every task was accepted and the branch it is for has moved to something the work does not fit, the task begins with both and makes it fit. Then the run goes on to its integration. To give one task another try instead: joinery retry.',
  positionals: [
    { name: 'run', optional: true, description: 'Id of the run, or its beginning. Default: the newest.' },
  ],
  options: [{ name: 'yes', short: 'y', type: 'boolean', description: 'Do not ask.' }],
  examples: [{ command: 'joinery rework', meaning: 'What remains of the newest run.' }],
  exitCodes: {
    ok: 'The run is done now, or the request was taken over.',
    findings: 'A task failed again, or the result does not fit its target.',
    needsPerson: 'A question waits, or a task needs a person.',
    usage: 'Nothing remains to be reworked, or a task works on it already.',
    mergeConflict: 'Work of two tasks does not merge.',
  },
} as const satisfies CommandTable;
