import type { CommandTable } from '#cli/args/table.ts';

export const steerTable = {
  name: 'steer',
  summary: 'say something to the agent of a task',
  description:
    'The agent reads it in its next turn, before its work is handed in, and goes on with it; every later attempt of the task gets it with its prompt. A task that has not begun gets it when it does.',
  positionals: [
    { name: 'task', description: 'The task.' },
    { name: 'text', description: 'What the agent should know; it reaches it word for word.' },
  ],
  options: [
    {
      name: 'run',
      type: 'string',
      placeholder: 'id',
      description: 'Id of the run, or its beginning. Default: the newest unfinished.',
    },
  ],
  examples: [{ command: 'joinery steer api "use the v2 client"', meaning: 'Correct an agent at work.' }],
  exitCodes: {
    ok: 'It is in the log, and on its way to the agent.',
    needsPerson: 'The process that drives the run does not react.',
    usage: 'There is no such task, or it is over.',
  },
} as const satisfies CommandTable;
