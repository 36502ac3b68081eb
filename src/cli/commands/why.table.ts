import type { CommandTable } from '#cli/args/table.ts';

export const whyTable = {
  name: 'why',
  summary: 'explain why a task failed',
  description:
    'One task of a run in ten lines: the class of its failure, what stopped each attempt, where its work and its log are, what to type next. Computed from the log of the run alone.',
  positionals: [{ name: 'task', description: 'Id of the task.' }],
  options: [
    {
      name: 'run',
      type: 'string',
      placeholder: 'id',
      description: 'Id of the run, or its beginning. Default: the newest.',
    },
  ],
  examples: [
    { command: 'joinery why api', meaning: 'What went wrong with task api?' },
    { command: 'joinery why api --json', meaning: 'The same for a program.' },
  ],
  exitCodes: {
    ok: 'Explained.',
    usage: 'No such run or task.',
  },
} as const satisfies CommandTable;
