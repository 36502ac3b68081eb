import type { CommandTable } from '#cli/args/table.ts';

export const logsTable = {
  name: 'logs',
  summary: 'show what happened in a run',
  description:
    'Prints the events of a run, oldest first. With --json: one document; with --json and --follow: one event per line as it happens.',
  positionals: [
    { name: 'run', optional: true, description: 'Id of the run, or a unique prefix. Default: the newest.' },
  ],
  options: [
    {
      name: 'follow',
      short: 'f',
      type: 'boolean',
      description: 'Keep printing until the run ends or waits.',
    },
    { name: 'task', type: 'string', placeholder: 'id', description: 'Only this task.' },
  ],
  examples: [
    { command: 'joinery logs -f', meaning: 'Watch the newest run.' },
    { command: 'joinery logs --task api', meaning: 'What did the agents of one task do?' },
  ],
  exitCodes: { ok: 'Printed.', usage: 'No such run or task.' },
} as const satisfies CommandTable;
