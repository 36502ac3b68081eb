import type { CommandTable } from '#cli/args/table.ts';

export const resumeTable = {
  name: 'resume',
  summary: 'continue a run that was interrupted',
  description:
    'Compares the log with git, then continues. Finished work is not repeated; an interrupted attempt starts over from its recorded base, as a new attempt.',
  positionals: [
    {
      name: 'run',
      optional: true,
      description: 'Id of the run, or a unique prefix. Default: the newest unfinished.',
    },
  ],
  options: [
    {
      name: 'budget',
      type: 'string',
      placeholder: 'usd',
      description: 'A new budget for the whole run, in dollars; answers an open question about the budget.',
    },
    { name: 'budget-tokens', type: 'string', placeholder: 'n', description: 'The same in tokens.' },
    { name: 'yes', short: 'y', type: 'boolean', description: 'Take the default of every open question.' },
  ],
  examples: [
    { command: 'joinery resume', meaning: 'Continue the newest unfinished run.' },
    { command: 'joinery resume --budget 20', meaning: 'Continue, and stop when the run has cost $20.' },
  ],
  exitCodes: {
    ok: 'Every task is accepted.',
    findings: 'A task failed, or the run was cancelled.',
    needsPerson: 'A question waits, or another process drives the run.',
    usage: 'There is no unfinished run.',
    mergeConflict: 'The work of two tasks does not merge.',
    environment: 'git, the disk or an agent failed.',
    interrupted: 'Stopped with Ctrl-C.',
  },
} as const satisfies CommandTable;
