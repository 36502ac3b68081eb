import type { CommandTable } from '#cli/args/table.ts';

export const reworkTable = {
  name: 'rework',
  summary: 'turn the remaining work of a run into one task',
  description:
    'Adds one task to the run: it finishes every task that failed or needs a person. It starts from the accepted work and the unfinished work of those tasks, and gets all findings with both locations, the proof and the suggested fix. When every task was accepted but the work no longer fits the target branch, the task starts from both and makes them fit. Then the run continues with its integration. To retry a single task: joinery retry.',
  positionals: [
    { name: 'run', optional: true, description: 'Id of the run, or a unique prefix. Default: the newest.' },
  ],
  options: [{ name: 'yes', short: 'y', type: 'boolean', description: 'Do not ask.' }],
  examples: [{ command: 'joinery rework', meaning: 'Rework the newest run.' }],
  exitCodes: {
    ok: 'The run is done now, or the driving process took over the request.',
    findings: 'A task failed again, or the result does not fit its target.',
    needsPerson: 'A question waits, or a task needs a person.',
    usage: 'Nothing remains to be reworked, or a rework task is already running.',
    mergeConflict: 'The work of two tasks does not merge.',
  },
} as const satisfies CommandTable;
