import type { CommandTable } from '#cli/args/table.ts';

export const whyTable = {
  name: 'why',
  summary: 'tell why a task came to nothing',
  description:
    'The story of one task of a run in ten lines: what class of failure it was, what each attempt ran into, where its work and its log lie, what to type next. Made from the log of the run alone.',
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
    ok: 'The story was told, whatever it is.',
    usage: 'No such run or task.',
  },
} as const satisfies CommandTable;
