import type { CommandTable } from '#cli/args/table.ts';

export const reportTable = {
  name: 'report',
  summary: 'what a run was asked, what landed, what did not and why',
  description:
    'The last word about a run, as Markdown: what was asked, what landed, what did not and why, findings between tasks and how they ended, the proof on the exact commits, reviews, the four measures (coordination, compatibility, evidence, requirements), cost, degraded steps and the next command. Made from the log alone.',
  positionals: [
    { name: 'run', optional: true, description: 'Id of the run, or its beginning. Default: the newest.' },
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
    { command: 'joinery report --json', meaning: 'For a program: joinery/report@1.' },
  ],
  exitCodes: { ok: 'The run is done.', usage: 'There is no such run.' },
} as const satisfies CommandTable;
