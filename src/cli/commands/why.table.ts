import type { CommandTable } from '#cli/args/table.ts';

export const whyTable = {
  name: 'why',
  summary: 'explain why a task failed',
  description:
    'One task in ten lines: its kind of failure, what stopped each attempt, where its work and log are, and the next command. Computed from the log of the run alone.',
  positionals: [{ name: 'task', description: 'Id of the task.' }],
  options: [
    {
      name: 'run',
      type: 'string',
      placeholder: 'id',
      description: 'Id of the run, or a unique prefix. Default: the newest.',
    },
  ],
  examples: [
    { command: 'joinery why api', meaning: 'What went wrong with task api?' },
    { command: 'joinery why api --json', meaning: 'The same as JSON.' },
  ],
  exitCodes: {
    ok: 'Explained.',
    usage: 'No such run or task.',
  },
} as const satisfies CommandTable;
