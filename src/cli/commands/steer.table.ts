import type { CommandTable } from '#cli/args/table.ts';

export const steerTable = {
  name: 'steer',
  summary: 'send a message to the agent of a task',
  description:
    'The agent reads the message in its next turn, before it hands in its work; every later attempt of the task gets it with its prompt. A task that has not started gets it when it starts.',
  positionals: [
    { name: 'task', description: 'The task.' },
    { name: 'text', description: 'Message for the agent, passed on unchanged.' },
  ],
  options: [
    {
      name: 'run',
      type: 'string',
      placeholder: 'id',
      description: 'Id of the run, or a unique prefix. Default: the newest unfinished.',
    },
  ],
  examples: [{ command: 'joinery steer api "use the v2 client"', meaning: 'Correct an agent at work.' }],
  exitCodes: {
    ok: 'The message is recorded and will reach the agent.',
    needsPerson: 'The process that drives the run does not respond.',
    usage: 'There is no such task, or it has ended.',
  },
} as const satisfies CommandTable;
