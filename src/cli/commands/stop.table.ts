import type { CommandTable } from '#cli/args/table.ts';

export const stopTable = {
  name: 'stop',
  summary: 'stop one task; the others continue',
  description:
    'Stops the agent of the task, keeps its unfinished work next to its branch, and marks the task as failed. Dependent tasks wait; joinery retry starts it again. To end the whole run: joinery cancel.',
  positionals: [{ name: 'task', description: 'The task.' }],
  options: [
    {
      name: 'run',
      type: 'string',
      placeholder: 'id',
      description: 'Id of the run, or a unique prefix. Default: the newest unfinished.',
    },
    {
      name: 'reason',
      type: 'string',
      placeholder: 'text',
      default: '',
      description: 'The reason, which is recorded.',
    },
  ],
  examples: [{ command: 'joinery stop api --reason "wrong library"', meaning: 'Stop one agent.' }],
  exitCodes: {
    ok: 'The task is stopped.',
    needsPerson: 'The process that drives the run does not respond.',
    usage: 'There is no such task, or it has ended.',
  },
} as const satisfies CommandTable;
