import type { CommandTable } from '#cli/args/table.ts';

export const reportTable = {
  name: 'report',
  summary: 'report what a run was asked, what landed and what did not',
  description:
    'The final report of a run, as Markdown: what was asked, what landed, what did not and why, findings between tasks and how they ended, the proof on the exact commits, reviews, the four measures (coordination, compatibility, evidence, requirements), cost, degraded steps and the next command. Computed from the log alone.',
  positionals: [
    { name: 'run', optional: true, description: 'Id of the run, or a unique prefix. Default: the newest.' },
  ],
  options: [
    {
      name: 'trend',
      type: 'boolean',
      description: 'The four measures of every run of this repository, oldest first.',
    },
  ],
  examples: [
    { command: 'joinery report', meaning: 'The newest run.' },
    { command: 'joinery report --trend', meaning: 'How the measures change from run to run.' },
    { command: 'joinery report --json', meaning: 'As JSON: joinery/report@1.' },
  ],
  exitCodes: {
    ok: 'The run is done.',
    findings: 'A task failed, or the run was cancelled.',
    needsPerson: 'It is not finished, or needs a person.',
    usage: 'There is no such run.',
    mergeConflict: 'The work of two tasks does not merge.',
    interrupted: 'It was interrupted and can be resumed.',
  },
} as const satisfies CommandTable;
