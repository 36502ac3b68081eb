import type { CommandTable } from '#cli/args/table.ts';

export const stopTable = {
  name: 'stop',
  summary: 'stop one task; the others go on',
  description:
    'Ends the agent of the task, keeps what it had written beside its branch, and marks the task failed. Tasks that need it wait; joinery retry starts it again. To end the whole run: joinery cancel.',
  positionals: [{ name: 'task', description: 'The task.' }],
  options: [
    {
      name: 'run',
      type: 'string',
      placeholder: 'id',
      description: 'Id of the run, or its beginning. Default: the newest unfinished.',
    },
    { name: 'reason', type: 'string', placeholder: 'text', default: '', description: 'Why; it is recorded.' },
  ],
  examples: [{ command: 'joinery stop api --reason "wrong library"', meaning: 'Stop one agent.' }],
  exitCodes: {
    ok: 'It is stopped.',
    needsPerson: 'The process that drives the run does not react.',
    usage: 'There is no such task, or it is over.',
  },
} as const satisfies CommandTable;
